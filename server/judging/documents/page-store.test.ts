import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import type { CitedPage } from "@/server/judging/checks/check";
import { documents } from "@/server/judging/tables";
import { sha256 } from "@/server/lib/hash";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { startHttpServer } from "@/server/testing/http/local-servers";
import { createPageStore } from "./page-store";
import { readDeliverable } from "./read-deliverable";

const database = await createTestDatabase();
const core = createTestCore(database);
afterAll(database.close);

const MIB = 1024 * 1024;
const URL = "https://host.test/a";
const NOT_STORED = { kind: "unreachable", reason: "It was not stored with the judgement." };
const OVER_LIMIT = {
  kind: "unreachable",
  reason: "The outcome or its submitter has reached the limit on stored pages.",
};
const PAGE: CitedPage = {
  kind: "page",
  text: "The oceans are warming.",
  isPartial: false,
  status: 200,
  finalUrl: "https://host.test/b",
};

const createWallet = () => `0x${randomUUID().replaceAll("-", "")}${"0".repeat(8)}`;
const open = (subjectId: string, submitter: string | null = createWallet()) =>
  createPageStore(core.db, { subjectId, submitter });
const failToFetch = () => Promise.reject(new Error("it is fetched again"));

async function findStored(subjectId: string) {
  const [stored] = await core.db.select().from(documents).where(eq(documents.subjectId, subjectId));
  return stored;
}

describe("a cited page", () => {
  test("is stored with its final URL, status, text and hash", async () => {
    const [id, submitter] = [randomUUID(), createWallet()];
    expect(await open(id, submitter)(URL, async () => PAGE)).toMatchObject({
      kind: "page",
      text: "The oceans are warming.",
    });
    expect(await findStored(id)).toMatchObject({
      url: URL,
      finalUrl: "https://host.test/b",
      status: 200,
      content: "The oceans are warming.",
      sha256: sha256("The oceans are warming."),
      fetchedAt: expect.any(Date),
      submitter,
      failure: null,
    });
  });

  test.each<[string, CitedPage, object]>([
    ["complete", PAGE, { kind: "page", text: "The oceans are warming.", isPartial: false }],
    ["partial", { ...PAGE, isPartial: true }, { isPartial: true }],
    ["empty", { ...PAGE, text: "" }, { kind: "page", text: "" }],
    ["with a NUL character", { ...PAGE, text: "a\0b" }, { text: "ab" }],
    ["cut within a character", { ...PAGE, text: "a\ud83d" }, { text: "a\ufffd" }],
    ["missing", { kind: "missing", status: 410 }, { kind: "missing", status: 410 }],
    ["unreachable", { kind: "unreachable", reason: "It is slow." }, { reason: "It is slow." }],
  ])("that is %s is the same for every later reader", async (_, page, expected) => {
    const id = randomUUID();
    expect(await open(id)(URL, async () => page)).toMatchObject(expected);
    expect(await open(id)(URL, failToFetch)).toMatchObject(expected);
    expect(await open(id, null)(URL, failToFetch)).toMatchObject(expected);
  });

  test("is one copy for two readers that fetch it at the same time", async () => {
    const id = randomUUID();
    const other: CitedPage = { ...PAGE, text: "Another text." };
    const pages = await Promise.all([
      open(id)(URL, async () => PAGE),
      open(id)(URL, async () => other),
    ]);
    expect(pages[0]).toEqual(pages[1]);
  });

  test("is never fetched where only stored pages may be read", async () => {
    const id = randomUUID();
    expect(await open(id, null)(URL, failToFetch)).toEqual(NOT_STORED);
    expect(await findStored(id)).toBeUndefined();
  });
});

describe("the limits", () => {
  /** Stores a copy of this size, without its text. */
  const fill = (submitter: string, keptBytes: number, subjectId = randomUUID()) =>
    core.db.insert(documents).values({
      subjectId,
      submitter,
      keptBytes,
      url: "https://host.test/large",
      fetchedAt: new Date(),
    });

  test("of an outcome leave out a page that exceeds them, for the judgement and later", async () => {
    const [id, submitter] = [randomUUID(), createWallet()];
    await fill(submitter, 4 * MIB - 2_000, id);
    const large: CitedPage = { ...PAGE, text: "a".repeat(3_000) };
    expect(await open(id, submitter)(URL, async () => large)).toEqual(OVER_LIMIT);
    expect(await open(id, submitter)(URL, failToFetch)).toEqual(OVER_LIMIT);
    expect(await open(id, submitter)(`${URL}/small`, async () => PAGE)).toMatchObject({
      kind: "page",
    });
  });

  test("of a submitter hold over all its outcomes, and for no other", async () => {
    const submitter = createWallet();
    await fill(submitter, 640 * MIB - 100);
    const [id, otherId] = [randomUUID(), randomUUID()];
    expect(await open(id, submitter)(URL, async () => PAGE)).toEqual(OVER_LIMIT);
    const missing: CitedPage = { kind: "missing", status: 404 };
    expect(await open(id, submitter)(`${URL}/b`, async () => missing)).toEqual(missing);
    expect(await open(otherId)(URL, async () => PAGE)).toMatchObject({ kind: "page" });
  });

  test("of a submitter also hold for deliverables behind a URL", async () => {
    const { url } = await startHttpServer((_, response) =>
      response.writeHead(200, { "content-type": "text/plain" }).end("The work."),
    );
    const submitter = createWallet();
    const read = (subjectId: string) =>
      readDeliverable(core, { subjectId, content: null, url, submitter, lastAttempt: false });
    const first = randomUUID();
    expect(await read(first)).toMatchObject({ kind: "text", text: "The work." });
    expect(await findStored(first)).toMatchObject({ submitter, status: 200, keptBytes: 1024 + 9 });
    await fill(submitter, 640 * MIB - 2_000);
    expect(await read(randomUUID())).toEqual({
      kind: "unchecked",
      reason: "The outcome or its submitter has reached the limit on stored pages.",
    });
  });
});
