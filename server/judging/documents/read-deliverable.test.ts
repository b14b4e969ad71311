import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { eq } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { documents } from "@/server/judging/tables";
import { sha256 } from "@/server/lib/hash";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { createPdf, createPdfFile } from "@/server/testing/fixtures/pdf";
import { startHttpServer } from "@/server/testing/http/local-servers";
import { DocumentUnavailable, readDeliverable } from "./read-deliverable";

const database = await createTestDatabase();
const core = createTestCore(database);
afterAll(database.close);

const SUBMITTER = `0x${"5".repeat(40)}`;
const page = (body: string | Buffer, type = "text/plain"): RequestListener => {
  return (_, response) => response.writeHead(200, { "content-type": type }).end(body);
};

const read = (source: {
  content?: string;
  url?: string;
  subjectId?: string;
  lastAttempt?: boolean;
}) =>
  readDeliverable(core, {
    subjectId: source.subjectId ?? randomUUID(),
    content: source.content ?? null,
    url: source.url ?? null,
    submitter: SUBMITTER,
    lastAttempt: source.lastAttempt ?? false,
  });

describe("the deliverable", () => {
  test("is the content exactly as submitted if it has text, without a fetch", async () => {
    const { url, seen } = await startHttpServer(page("from the URL"));
    expect(await read({ content: " mine ", url })).toEqual({
      kind: "text",
      text: " mine ",
      source: "content",
    });
    expect(seen).toEqual([]);
  });

  test.each(["", " \n", "\u200B"])("is read from the URL if the content is %j", async (content) => {
    const { url } = await startHttpServer(page("from the URL"));
    expect(await read({ content, url })).toEqual({
      kind: "text",
      text: "from the URL",
      source: "url",
      documentHash: sha256("from the URL"),
    });
  });

  test("is missing if there is neither content nor URL", async () => {
    expect(await read({})).toEqual({ kind: "missing" });
    expect(await read({ content: " " })).toEqual({ kind: "missing" });
  });

  test("is the visible text of a page, with the hash of the page", async () => {
    const html = "<p>seen</p><script>hidden</script>";
    const { url } = await startHttpServer(page(html, "text/html; charset=utf-8"));
    expect(await read({ url })).toMatchObject({ text: "seen", documentHash: sha256(html) });
  });

  test("is the text of a PDF, whose bytes are stored and hashed", async () => {
    const pdf = createPdf("Revenue rose.");
    const { url } = await startHttpServer(page(pdf, "application/pdf"));
    const subjectId = randomUUID();
    expect(await read({ url, subjectId })).toEqual({
      kind: "text",
      text: "Revenue rose.",
      source: "url",
      documentHash: sha256(pdf),
    });
    const [row] = await core.db.select().from(documents).where(eq(documents.subjectId, subjectId));
    expect(row).toMatchObject({ content: "Revenue rose.", mediaType: "application/pdf" });
    expect(row?.body?.equals(pdf)).toBe(true);
  });

  test("stays unchecked, with a reason, if a PDF has no text", async () => {
    const { url, seen } = await startHttpServer(page(createPdfFile(""), "application/pdf"));
    const subjectId = randomUUID();
    const failure = {
      kind: "unchecked",
      reason: "The PDF contains no text; pictures of text cannot be judged.",
    };
    expect(await read({ url, subjectId })).toEqual(failure);
    expect(await read({ url, subjectId })).toEqual(failure);
    expect(seen).toHaveLength(1);
  });

  test("has the hash of the received bytes, not of their text", async () => {
    const bytes = Buffer.from("gr\u00fc\u00df", "latin1");
    const { url } = await startHttpServer(page(bytes, "text/plain; charset=iso-8859-1"));
    expect(await read({ url })).toMatchObject({ text: "grüß", documentHash: sha256(bytes) });
  });

  test("is unchecked, with its type in the reason, if it is a picture", async () => {
    const { url } = await startHttpServer(page("PNG", "image/png"));
    expect(await read({ url })).toEqual({
      kind: "unchecked",
      reason:
        "The document is of type image/png, which cannot be judged; text, HTML, Markdown, JSON, CSV and PDF can.",
    });
  });

  test.each(["image/png", "", "x".repeat(300), "application/zip"])(
    "of the type %j stays unchecked when it is read again",
    async (type) => {
      const { url, seen } = await startHttpServer(page("PK", type));
      const subjectId = randomUUID();
      expect(await read({ url, subjectId })).toMatchObject({ kind: "unchecked" });
      expect(await read({ url, subjectId })).toMatchObject({ kind: "unchecked" });
      expect(seen).toHaveLength(1);
    },
  );

  test("keeps markup that was submitted as content", async () => {
    const content = "<p>seen</p><script>kept</script>";
    expect(await read({ content })).toMatchObject({ text: content });
  });
});

describe("the document", () => {
  test("is fetched once and judged from the stored copy", async () => {
    let version = 0;
    const { url, seen } = await startHttpServer((request, response) => {
      version += 1;
      page(`version ${version}`)(request, response);
    });
    const subjectId = randomUUID();
    const first = await read({ url, subjectId });
    expect(await read({ url, subjectId })).toEqual(first);
    expect(seen).toHaveLength(1);
  });

  test("is the same copy for concurrent fetches", async () => {
    const waiting: (() => void)[] = [];
    // Neither fetch resolves before both have started, so both have a copy to store.
    const { url } = await startHttpServer((request, response) => {
      const version = waiting.push(() => page(`version ${version}`)(request, response));
      if (version === 2) for (const answer of waiting) answer();
    });
    const subjectId = randomUUID();
    const [one, other] = await Promise.all([read({ url, subjectId }), read({ url, subjectId })]);
    expect(one).toEqual(other);
    const rows = await core.db.select().from(documents);
    expect(rows.filter((row) => row.subjectId === subjectId)).toHaveLength(1);
  });

  test("that still fails at the last attempt is permanently unfetchable", async () => {
    const { url, seen } = await startHttpServer((_, response) => response.writeHead(503).end());
    const subjectId = randomUUID();
    const failure = { kind: "unfetchable", reason: "The server answered with status 503." };
    expect(await read({ url, subjectId, lastAttempt: true })).toEqual(failure);
    expect(await read({ url, subjectId })).toEqual(failure);
    expect(seen).toHaveLength(1);
  });

  test.each([401, 403, 404, 503])(
    "that returns %d is fetched again, and no failure is stored",
    async (refusal) => {
      let status = refusal;
      const { url } = await startHttpServer((request, response) => {
        if (status === 200) page("here now")(request, response);
        else response.writeHead(status).end();
      });
      const subjectId = randomUUID();
      await expect(read({ url, subjectId })).rejects.toBeInstanceOf(DocumentUnavailable);
      status = 200;
      expect(await read({ url, subjectId })).toMatchObject({ text: "here now" });
    },
  );

  test("that was removed is unfetchable at the first attempt", async () => {
    const { url } = await startHttpServer((_, response) => response.writeHead(410).end());
    expect(await read({ url })).toMatchObject({ kind: "unfetchable" });
  });

  test("at a non-public address is unfetchable, even if loopback is allowed", async () => {
    expect(await read({ url: "http://169.254.169.254/latest/" })).toMatchObject({
      kind: "unfetchable",
      reason: expect.stringContaining("not public"),
    });
  });

  test("on loopback is unfetchable unless that is allowed", async () => {
    const { url, seen } = await startHttpServer(page("secret"));
    const strict = createTestCore(database, { env: { OUTBOUND_ALLOW_LOOPBACK: undefined } });
    const deliverable = await readDeliverable(strict, {
      subjectId: randomUUID(),
      content: null,
      url,
      submitter: SUBMITTER,
      lastAttempt: false,
    });
    expect(deliverable).toMatchObject({ kind: "unfetchable" });
    expect(seen).toEqual([]);
  });
});
