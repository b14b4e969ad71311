import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { sha256 } from "@/server/lib/hash";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { createPdf } from "@/server/testing/fixtures/pdf";
import { DocumentUnavailable, readDelivered } from "./read-deliverable";

const database = await createTestDatabase();
const core = createTestCore(database);
afterAll(database.close);

const SUBMITTER = `0x${"5".repeat(40)}`;
const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]);

/** Serves one document, whose current status and body may change. */
async function serve(body: string | Buffer, type: string | null) {
  const served = { status: 200, body, calls: 0, url: "" };
  const server = createServer((_, response) => {
    served.calls += 1;
    const headers: Record<string, string> = type === null ? {} : { "content-type": type };
    response.writeHead(served.status, headers).end(served.body);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  served.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return served;
}

const fromUrl = (url: string, subjectId: string = randomUUID(), lastAttempt = true) =>
  readDelivered(core, { subjectId, content: null, url, submitter: SUBMITTER, lastAttempt });

test("submitted content is text and has no file", async () => {
  const delivered = { text: " mine ", source: " mine ", file: null, problem: null };
  const source = { content: " mine ", url: null };
  const stored = { subjectId: randomUUID(), submitter: SUBMITTER, lastAttempt: true };
  expect(await readDelivered(core, { ...source, ...stored })).toEqual(delivered);
  const blank = { content: "\u200b", url: null };
  expect(await readDelivered(core, { ...blank, ...stored })).toMatchObject({
    text: null,
    problem: "The deliverable is empty.",
  });
});

const HTML = "<h1>Cause</h1><p>A disk.</p>";
const PDF = createPdf("A full disk");

test.each<[string, string | Buffer, string | null, object]>([
  ["a text", "Grüße", "text/markdown", { text: "Grüße", source: "Grüße" }],
  [
    "a text in another encoding",
    Buffer.from("Gr\xfc\xdfe", "latin1"),
    "text/plain; charset=iso-8859-1",
    { text: "Grüße", source: "Grüße" },
  ],
  ["a page", HTML, "text/html", { text: "# Cause\n\nA disk.", source: HTML }],
  ["a PDF", PDF, "application/pdf", { text: "A full disk", source: null }],
  ["a picture", PICTURE, "image/png", { text: null, source: null }],
  ["text with NUL", "a\0b", "text/plain", { text: null, source: null }],
  ["a file without a type", PICTURE, null, { text: null, source: null }],
])("%s has its text, hash, type and size", async (_, body, type, expected) => {
  const served = await serve(body, type);
  const bytes = Buffer.from(body);
  const mediaType = type?.split(";")[0] ?? "application/octet-stream";
  const subjectId = randomUUID();
  const delivered = await fromUrl(served.url, subjectId);
  expect(delivered).toMatchObject({
    ...expected,
    file: { sha256: sha256(bytes), mediaType, bytes: bytes.length },
  });
  expect(delivered.problem === null).toBe(delivered.text !== null);
  // Later decisions read the copy, whatever the URL leads to by then.
  served.body = "changed";
  expect(await fromUrl(served.url, subjectId)).toEqual(delivered);
  expect(served.calls).toBe(1);
});

test("a document that can't be fetched has a problem, after the last attempt", async () => {
  const served = await serve("", "text/plain");
  served.status = 503;
  await expect(fromUrl(served.url, randomUUID(), false)).rejects.toThrow(DocumentUnavailable);
  const problem = "The server answered with status 503.";
  const missing = { text: null, source: null, file: null, problem };
  expect(await fromUrl(served.url)).toEqual(missing);
});

test("a document over 1 MiB has a problem", async () => {
  const { url } = await serve(Buffer.alloc(1024 * 1024 + 1, 1), "image/png");
  expect(await fromUrl(url)).toMatchObject({
    text: null,
    file: null,
    problem: "The document is larger than 1 MiB.",
  });
});

test("a document that is not stored is not fetched for a dispute", async () => {
  const served = await serve("text", "text/plain");
  const source = { subjectId: randomUUID(), content: null, url: served.url };
  const delivered = await readDelivered(core, { ...source, submitter: null, lastAttempt: true });
  expect(delivered).toMatchObject({ text: null, file: null });
  expect(served.calls).toBe(0);
});
