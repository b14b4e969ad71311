import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";

const brotli = promisify(brotliCompress);

/** Puts beside each script and style sheet what a browser gets of it, as small as Brotli makes it. */
export async function compressAll(paths) {
  const texts = paths.filter((path) => /\.(js|css)$/.test(path));
  await Promise.all(
    texts.map(async (path) => writeFile(`${path}.br`, await brotli(await readFile(path)))),
  );
}
