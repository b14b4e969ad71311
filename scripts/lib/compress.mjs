import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";

const brotli = promisify(brotliCompress);

/** Writes a Brotli version, at maximum compression, next to each script and style sheet. */
export async function compressAll(paths) {
  const texts = paths.filter((path) => /\.(js|css)$/.test(path));
  await Promise.all(
    texts.map(async (path) => writeFile(`${path}.br`, await brotli(await readFile(path)))),
  );
}
