import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Listening, listen } from "@/server/testing/http/listen";
import { serveCompressedFirst } from "./compressed-files";

const SCRIPT = "console.log('standing')";
let folder: string;
let server: Listening;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "standing-compressed-"));
  await mkdir(join(folder, "static/chunks"), { recursive: true });
  await writeFile(join(folder, "static/chunks/a.js.br"), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, "static/chunks/notes.txt.br"), brotliCompressSync("notes"));
  await writeFile(join(folder, "secret.js.br"), brotliCompressSync("secret"));
  const pages = async (_: unknown, res: { end(text: string): void }) => res.end("Next");
  const handler = await serveCompressedFirst(pages as never, join(folder, "static"));
  server = await listen(createServer((req, res) => void handler(req, res)));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

interface Asked {
  encoding?: string;
  method?: string;
}

function ask(path: string, { encoding, method = "GET" }: Asked = {}) {
  const { port } = server;
  const headers = encoding === undefined ? {} : { "Accept-Encoding": encoding };
  return new Promise<{ headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve) => {
    request({ port, path, method, headers, agent: false }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      resolve({ headers: answer.headers, body: Buffer.concat(chunks) });
    }).end();
  });
}

test.each(["br", "gzip, deflate, br, zstd", "gzip;q=0.5, br;q=0.9", "BR"])(
  "serves the compressed file with an immutable cache for Accept-Encoding %s",
  async (encoding) => {
    const { headers, body } = await ask("/_next/static/chunks/a.js?dpl=1", { encoding });
    expect(brotliDecompressSync(body).toString()).toBe(SCRIPT);
    expect(headers).toMatchObject({
      "content-encoding": "br",
      "content-type": "application/javascript; charset=UTF-8",
      "content-length": String(body.length),
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
    });
  },
);

test("responds to HEAD with the same headers and no body", async () => {
  const { headers, body } = await ask("/_next/static/chunks/a.js", {
    encoding: "br",
    method: "HEAD",
  });
  expect(headers["content-encoding"]).toBe("br");
  expect(Number(headers["content-length"])).toBeGreaterThan(0);
  expect(body.length).toBe(0);
});

test.each([undefined, "gzip", "br;q=0", "br;q=0.0, gzip", "vbr", "brotli"])(
  "passes requests with Accept-Encoding %s to Next",
  async (encoding) => {
    const { body } = await ask("/_next/static/chunks/a.js", { encoding });
    expect(body.toString()).toBe("Next");
  },
);

test.each([
  "/",
  "/_next/static/chunks/b.js",
  "/_next/static/chunks/a.js.br",
  "/_next/static/chunks/notes.txt",
  "/_next/static/../secret.js",
  "/_next/static/%2e%2e/secret.js",
])("passes %s to Next", async (path) => {
  expect((await ask(path, { encoding: "br" })).body.toString()).toBe("Next");
});

test("passes other methods to Next", async () => {
  const { body } = await ask("/_next/static/chunks/a.js", { encoding: "br", method: "POST" });
  expect(body.toString()).toBe("Next");
});

test("passes every request to Next without a compressed build", async () => {
  const handler = await serveCompressedFirst(async () => {}, join(folder, "none"));
  await expect(handler({ url: "/_next/static/chunks/a.js" } as never, {} as never)).resolves.toBe(
    undefined,
  );
});
