import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gte } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "@/scripts/testing/command";
import type { LedgerRecord } from "@/server/chain/registry/ledger";
import { ledgerEntry } from "@/server/chain/schema";
import {
  createOutcomeId,
  createPaidOutcome,
  createWallet,
  insertLedger,
} from "@/server/testing/fixtures/sample-ledger";
import { startTestService, type TestService } from "@/server/testing/service";
import { parseLedger } from "./score/ledger-file";
import { anchors, ledgerRecords } from "./tables";
import { updateReputation } from "./update";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const AGENT = createWallet(1);
/** One record of each kind, then more than two pages. */
const RECORDS: LedgerRecord[] = [
  { type: "anchor", seq: 1, wallet: createWallet(100), from: 0, until: null },
  createPaidOutcome(1, { evidenceHash: `0x${"ab".repeat(32)}` }),
  {
    type: "dispute",
    outcomeId: createOutcomeId(1),
    verdict: "CONTRACTOR_WINS",
    assessed: true,
    resolvedAt: 1,
  },
  { type: "takeover", wallet: createWallet(7), at: 5 },
  { type: "anchor-revoked", anchorSeq: 1 },
  ...Array.from({ length: 1_200 }, (_, n) =>
    createPaidOutcome(n + 2, { requester: createWallet(200 + (n % 30)) }),
  ),
];

describe("GET /ledger", () => {
  beforeAll(async () => {
    const { db } = service.database;
    await insertLedger(db, RECORDS, 1);
    await db.transaction((tx) =>
      updateReputation(tx, { wallet: AGENT, cause: "outcome", now: new Date() }),
    );
  });

  const read = async (query = "") => {
    const url = `${service.base}/ledger${query}`;
    const answer = await fetch(url);
    const text = await answer.text();
    return {
      answer,
      text,
      lines: text
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    };
  };

  test("returns every record with its position on chain, one per line, in order of seq", async () => {
    const { answer, lines } = await read();
    expect(answer.headers.get("content-type")).toBe("application/jsonl");
    expect(lines.map(({ seq }) => seq)).toEqual(RECORDS.map((_, index) => index + 1));
    expect(new Set(lines.slice(0, 5).map(({ type }) => type)).size).toBe(5);
    for (const line of lines) expect(ledgerEntry.parse(line)).toEqual(line);
    for (const [index, line] of lines.entries()) expect(line).toMatchObject(RECORDS[index] ?? {});
  });

  test("starts at the requested seq, also at a page's end and beyond the last record", async () => {
    for (const from of [1, 2, 500, 501, 1_000, 1_001, RECORDS.length]) {
      const { lines } = await read(`?fromSeq=${from}`);
      expect([lines[0].seq, lines.length]).toEqual([from, RECORDS.length - from + 1]);
    }
    expect((await read(`?fromSeq=${RECORDS.length + 1}`)).text).toBe("");
  });

  test("never returns a record before its predecessor, whatever order they are settled in", async () => {
    const { db } = service.database;
    const next = RECORDS.length + 1;
    await db.transaction(async (tx) => {
      await insertLedger(tx, [createPaidOutcome(next)], next);
      await insertLedger(db, [createPaidOutcome(next + 1)], next + 1);
      for (const from of [RECORDS.length, next]) {
        const seen = (await read(`?fromSeq=${from}`)).lines.map(({ seq }) => seq);
        expect(seen).toEqual(from < next ? [from] : []);
      }
    });
    expect((await read(`?fromSeq=${next}`)).lines.map(({ seq }) => seq)).toEqual([next, next + 1]);
    await db.delete(ledgerRecords).where(gte(ledgerRecords.seq, next));
  });

  test.each(["0", "-1", "1.5", "x", "", "1e300", "9007199254740993", "1&fromSeq=2"])(
    "refuses fromSeq=%s",
    async (from) => {
      const { status, body } = await service.call("GET", `/ledger?fromSeq=${from}`);
      expect([status, body.errors[0].pointer]).toEqual([400, "#/query/fromSeq"]);
    },
  );

  test("saved as a file is valid input for recomputing the score", async () => {
    const folder = mkdtempSync(join(tmpdir(), "standing-ledger-"));
    const file = join(folder, "ledger.jsonl");
    const { text } = await read();
    expect(parseLedger(text)).toHaveLength(RECORDS.length);
    writeFileSync(file, text);
    const { body } = await service.call("GET", `/reputation/${AGENT}`);
    const { code, stdout } = await runCommand("score", [file, AGENT, body.scoreDay]);
    rmSync(folder, { recursive: true });
    expect(code).toBe(0);
    const { lastUpdated, scoreDay, assessedSuccessRate, ...published } = body;
    expect(JSON.parse(stdout)).toMatchObject(published);
    expect(published.score).toBeGreaterThan(0);
  }, 60_000);

  test("is rejected by a transport that cannot stream", async () => {
    const answer = await fetch(`${service.trpc}/ledger.get?input=%7B%7D`);
    expect(answer.status).toBe(415);
  });
});

test("GET /anchors lists what is recorded, latest first, with the agent's name", async () => {
  const agent = await service.agent({ proven: true });
  const hash = (digit: string) => `0x${digit.repeat(64)}`;
  const from = new Date("2026-11-01T09:00:00Z");
  expect((await service.call("GET", "/anchors")).body).toMatchObject({
    content: [],
    totalElements: 0,
  });
  await service.database.db.insert(anchors).values([
    { wallet: agent.wallet, from, reason: "Known", seq: 3, txHash: hash("a") },
    {
      wallet: createWallet(9),
      from,
      until: new Date("2026-12-01T00:00:00Z"),
      seq: 7,
      txHash: hash("b"),
      revokeAskedAt: new Date(),
      revokedSeq: 8,
      revokedTxHash: hash("c"),
    },
    { wallet: createWallet(10), from },
  ]);
  const { status, body } = await service.call("GET", "/anchors?size=1&page=1");
  expect(status).toBe(200);
  expect(body).toEqual({
    content: [
      {
        walletAddress: agent.wallet,
        name: "An agent",
        from: "2026-11-01T09:00:00.000Z",
        until: null,
        reason: "Known",
        revoked: false,
        seq: 3,
        onChainTx: hash("a"),
        revokedSeq: null,
        revokedTx: null,
      },
    ],
    totalElements: 2,
    totalPages: 2,
    page: 1,
    size: 1,
  });
  const first = await service.call("GET", "/anchors");
  expect(first.body.content[0]).toMatchObject({
    name: null,
    until: "2026-12-01T00:00:00.000Z",
    revoked: true,
    revokedSeq: 8,
  });
});
