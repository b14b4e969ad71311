import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { outcomes } from "@/server/outcomes/tables";
import { addAnchor } from "@/server/reputation/anchors";
import { REPUTATION_CHANGED } from "@/server/reputation/events";
import { anchors, reputations } from "@/server/reputation/tables";
import { waitFor } from "@/server/testing/engine/engine";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { RIVERS_TASK } from "@/server/testing/fixtures/outcome";
import { runCommand } from "@/server/testing/process/command";
import { startTestService, type TestService } from "@/server/testing/service";

// Each run starts a separate process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let service: TestService;
let contractor: TestAgent;
let other: TestAgent;
let success: string;
let failure: string;

beforeAll(async () => {
  service = await startTestService();
  contractor = await service.agent({ proven: true });
  other = await service.agent({ proven: true });
  const { core } = service.runtime;
  const { id } = await addAnchor(core, {
    wallet: other.wallet,
    until: null,
    reason: null,
    now: new Date(),
  });
  await waitFor(async () => {
    const [row] = await core.db.select().from(anchors).where(eq(anchors.id, id));
    return row?.seq;
  });
  success = await submit("The Rhine, the Loire and the Vistula.", other);
  await service.waitForResolved(success);
  failure = await submit("  ");
  await service.waitForResolved(failure);
});
afterAll(() => service.close());

async function submit(deliverableContent: string, by = contractor): Promise<string> {
  const { body } = await service.call("POST", "/outcome", {
    key: by.apiKey,
    body: {
      contractorAgentAddress: contractor.wallet,
      requesterAgentAddress: other.wallet,
      taskDescription: RIVERS_TASK,
      taskCategory: "research",
      deliverableContent,
      valueUsdc: 12.5,
    },
  });
  return body.outcomeId;
}

const verify = (...args: string[]) =>
  runCommand("verify", ["--url", service.base.replace("/api/v1", ""), ...args]);

/** Changes data as an attacker with database access would, and invalidates the caches. */
async function tamper(change: () => Promise<unknown>): Promise<void> {
  await change();
  await service.database.sql`select pg_notify(${REPUTATION_CHANGED}, ${contractor.wallet})`;
}

describe("a service that agrees with the chain", () => {
  test("passes for all wallets, for one wallet, and with an explicit registry and node", async () => {
    const { registryAddress, rpcUrl } = (await service.call("GET", "/network")).body;
    const runs = await Promise.all([
      verify(),
      verify(contractor.wallet.toLowerCase()),
      verify("--registry", registryAddress, "--rpc", rpcUrl, other.wallet),
    ]);
    for (const { code, stdout, stderr } of runs) {
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(/3 records up to block \d+: none is missing/);
      expect(stdout).toContain("Everything agrees.");
    }
    expect(runs[1]?.stdout).toContain("1 scores and 2 outcomes compared");
  });
});

describe("a service whose database was tampered with", () => {
  test("fails with each field that differs and the records that prove it", async () => {
    const { db } = service.database;
    const readReputation = async () =>
      (await db.select().from(reputations).where(eq(reputations.wallet, contractor.wallet)))[0];
    const before = await readReputation();
    await tamper(async () => {
      await db
        .update(reputations)
        .set({ scoreE4: 991_234, tier: "ELITE" })
        .where(eq(reputations.wallet, contractor.wallet));
      await db
        .update(outcomes)
        .set({ verdict: "SUCCESS", finalVerdict: "SUCCESS" })
        .where(eq(outcomes.id, failure));
    });
    const { code, stdout } = await verify();
    expect(code).toBe(1);
    const [scoreReport = "", outcomeReport = "", ...more] =
      stdout.split("differences:\n\n")[1]?.split("\n\n") ?? [];
    expect(more).toEqual([]);
    expect(scoreReport.split("\n")).toEqual([
      `score of ${contractor.wallet}`,
      expect.stringMatching(/^ {2}score: the service says 99.12, the ledger \d\.\d+$/),
      "  tier: the service says ELITE, the ledger NEWCOMER",
      expect.stringContaining(`record 1  anchor ${other.wallet}`),
      expect.stringContaining(`record 2  outcome ${success}, SUCCESS`),
      expect.stringContaining(`record 3  outcome ${failure}, FAILURE`),
    ]);
    expect(outcomeReport).toMatch(
      new RegExp(
        `^outcome ${failure}\n {2}verdict: the service says SUCCESS, the ledger FAILURE\n {2}finalVerdict: `,
      ),
    );
    const [row] = await db.select().from(outcomes).where(eq(outcomes.id, failure));
    expect(stdout).toMatch(
      new RegExp(`record \\d  outcome ${failure}, FAILURE  transaction ${row?.onChainTx}, log \\d`),
    );
    // An unrelated wallet still passes.
    expect((await verify(other.wallet)).code).toBe(0);

    await tamper(async () => {
      await db
        .update(reputations)
        .set({ scoreE4: before?.scoreE4, tier: before?.tier })
        .where(eq(reputations.wallet, contractor.wallet));
      await db
        .update(outcomes)
        .set({ verdict: "FAILURE", finalVerdict: "FAILURE" })
        .where(eq(outcomes.id, failure));
    });
    expect((await verify()).code).toBe(0);
  });

  test("fails for changed evidence and for a hidden outcome", async () => {
    const { db } = service.database;
    const [row] = await db.select().from(outcomes).where(eq(outcomes.id, success));
    const evidence = row?.evidence && { ...row.evidence, judgeVersion: "another/v9" };
    await db.update(outcomes).set({ evidence }).where(eq(outcomes.id, success));
    const changed = await verify();
    expect([changed.code, changed.stdout]).toEqual([
      1,
      expect.stringContaining(`outcome ${success}\n  hash of evidence: the service says 0x`),
    ]);
    await db
      .update(outcomes)
      .set({ evidence: row?.evidence, contractor: other.wallet })
      .where(eq(outcomes.id, success));
    const hidden = await verify(contractor.wallet);
    expect([hidden.code, hidden.stdout]).toEqual([
      1,
      expect.stringContaining(
        `outcome ${success}\n  the service says nothing, the ledger a record`,
      ),
    ]);
    await db
      .update(outcomes)
      .set({ contractor: contractor.wallet })
      .where(eq(outcomes.id, success));
    expect((await verify()).code).toBe(0);
  });
});

describe("a check that cannot run", () => {
  test("explains why in one sentence", async () => {
    const { usdcAddress } = (await service.call("GET", "/network")).body;
    const runs = await Promise.all([
      runCommand("verify", ["--url", "http://127.0.0.1:9"]),
      verify("--rpc", "http://127.0.0.1:9"),
      verify("--registry", usdcAddress),
      verify("--registry", contractor.wallet),
      verify("0x12"),
      verify("--rpx", "x"),
    ]);
    for (const { code, stderr } of runs) {
      expect(code, stderr).toBe(2);
      expect(stderr).toMatch(
        /^(No service responds|No node responds|The ledger of|0x12 is not|Unknown option '--rpx')/,
      );
    }
  });
});
