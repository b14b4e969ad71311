import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestCore, type TestCore } from "@/server/testing/core";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { insertAgreement } from "@/server/testing/fixtures/agreement";
import { getAgreedTerms, getAgreement, listAgreements } from "./queries";
import type { agreements } from "./tables";

let database: TestDatabase;
let core: TestCore;
beforeAll(async () => {
  database = await createTestDatabase();
  core = createTestCore(database);
});
afterAll(() => database.close());

type Reader = TestAgent & { walletVerified: boolean };
let requester: Reader;
let contractor: Reader;
const createReader = async (walletVerified = true): Promise<Reader> => ({
  ...(await createTestAgent(core)),
  walletVerified,
});
beforeEach(async () => {
  [requester, contractor] = await Promise.all([createReader(), createReader()]);
});

const insert = (row: Partial<typeof agreements.$inferInsert> = {}) =>
  insertAgreement(core, { requester, contractor }, {}, row);
/** A proposal of the requester. */
const PROPOSED = { status: "PROPOSED", contractorSignature: null, agreedAt: null } as const;
const past = () => new Date(Date.now() - 1_000);

const list = (agent: Reader, input: Partial<Parameters<typeof listAgreements>[2]> = {}) =>
  listAgreements(core, agent, { limit: 20, ...input });
const idsOf = ({ content }: Awaited<ReturnType<typeof list>>) =>
  content.map(({ agreementId }) => agreementId);

describe("an agreement is read", () => {
  test("by both parties, alike", async () => {
    const { id } = await insert();
    const read = await getAgreement(core, requester, id);
    expect(read).toMatchObject({ agreementId: id, status: "AGREED" });
    expect(await getAgreement(core, contractor, id)).toEqual(read);
  });

  test("by nobody else: the answer is the same as for an unknown id", async () => {
    const { id } = await insert();
    const stranger = await createReader();
    const refusals = [id, randomUUID()].map((one) =>
      getAgreement(core, stranger, one).catch(({ code, detail }) => ({ code, detail })),
    );
    const [ofOthers, unknown] = await Promise.all(refusals);
    expect(ofOthers).toMatchObject({ code: "not-found" });
    expect(ofOthers).toEqual(unknown);
  });

  test("by an unverified registration only if the wallet signed it", async () => {
    const { id } = await insert(PROPOSED);
    const [signer, squatter] = [requester, contractor].map((agent) => ({
      ...agent,
      walletVerified: false,
    }));
    if (!signer || !squatter) expect.fail();
    expect(await getAgreement(core, signer, id)).toMatchObject({ status: "PROPOSED" });
    await expect(getAgreement(core, squatter, id)).rejects.toMatchObject({
      code: "not-found",
      detail: expect.stringContaining("wallet proof"),
    });
    expect(idsOf(await list(signer))).toEqual([id]);
    expect(idsOf(await list(squatter))).toEqual([]);
  });
});

describe("a proposal that was not accepted in time", () => {
  test("is expired at once, and has ended when it could no longer be accepted", async () => {
    const startBy = past();
    const { id } = await insert({ ...PROPOSED, startBy });
    expect(await getAgreement(core, requester, id)).toMatchObject({
      status: "EXPIRED",
      endedAt: startBy.toISOString(),
    });
  });

  test("is listed as expired, and not as proposed", async () => {
    const [open, expired, stored] = [
      await insert(PROPOSED),
      await insert({ ...PROPOSED, startBy: past() }),
      await insert({ ...PROPOSED, status: "EXPIRED", startBy: past(), endedAt: past() }),
    ];
    expect(idsOf(await list(requester, { status: "PROPOSED" }))).toEqual([open.id]);
    expect(idsOf(await list(requester, { status: "EXPIRED" }))).toEqual([stored.id, expired.id]);
    expect(idsOf(await list(requester, { status: "AGREED" }))).toEqual([]);
  });
});

describe("a list", () => {
  test("has the agreements of either role by pages, newest first, of no one else", async () => {
    const at = new Date();
    const mine = [];
    for (let i = 0; i < 7; i++) {
      const parties =
        i % 2 ? { requester, contractor } : { requester: contractor, contractor: requester };
      // Several at the same time.
      const proposedAt = new Date(at.getTime() + Math.floor(i / 3));
      mine.push((await insertAgreement(core, parties, {}, { proposedAt })).id);
    }
    const stranger = await createReader();
    await insertAgreement(core, { requester: stranger, contractor: stranger });

    const pages = [];
    let cursor: string | null | undefined;
    do {
      const page = await list(requester, { limit: 3, cursor: cursor ?? undefined });
      pages.push(idsOf(page));
      cursor = page.nextCursor;
      // An agreement that arrives between two pages moves no other.
      await insert({ proposedAt: new Date(at.getTime() + 1_000) });
    } while (cursor);
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(mine.toReversed());
  });

  test("has no cursor after the last page, even if it is full", async () => {
    await insert();
    await insert();
    expect((await list(requester, { limit: 2 })).nextCursor).toBeNull();
  });

  test.each([
    "x",
    "",
    "W10",
    Buffer.from("2026-01-01T00:00:00.000Z x").toString("base64url"),
    Buffer.from(`';-- ${randomUUID()}`).toString("base64url"),
  ])("refuses the cursor %j", async (cursor) => {
    await expect(list(requester, { cursor })).rejects.toMatchObject({
      code: "invalid-request",
      errors: [{ pointer: "#/query/cursor" }],
    });
  });
});

const UNCHECKED = { content: "x", url: null, submittedAt: new Date() };

test("agreed terms name what both signed", async () => {
  const { id, termsHash, terms, ...row } = await insert();
  expect(await getAgreedTerms(core.db, id, UNCHECKED)).toEqual({
    termsHash,
    requirements: terms.requirements,
    criteria: terms.criteria,
    consent: {
      startBy: Date.parse(terms.startBy) / 1000,
      deliverBy: Date.parse(terms.deliverBy) / 1000,
      summary: expect.stringMatching(/^5 USDC on delivery\. .* Checks: contains\.$/),
      agreedAt: row.agreedAt?.toISOString(),
      contractorSignature: row.contractorSignature,
      requesterSignature: row.requesterSignature,
      contractorBlock: null,
      requesterBlock: null,
      paymentTxHash: null,
    },
  });
});

test("a proposal and an unknown id have no agreed terms", async () => {
  const proposal = await insert(PROPOSED);
  for (const id of [proposal.id, randomUUID()]) {
    await expect(getAgreedTerms(core.db, id, UNCHECKED)).rejects.toThrow("both parties signed");
  }
});
