import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import {
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  http,
  verifyTypedData,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import scoredEscrow from "@/contracts/examples/ScoredEscrow.json";
import { runCommand } from "@/scripts/testing/command";
import { outcomes } from "@/server/outcomes/tables";
import { addAnchor } from "@/server/reputation/anchors";
import { REPUTATION_CHANGED } from "@/server/reputation/events";
import type { SignedStatement } from "@/server/reputation/statement/schema";
import { toTypedData } from "@/server/reputation/statement/typed-data";
import { anchors, reputations } from "@/server/reputation/tables";
import { sendDirectly } from "@/server/testing/chain/chain";
import {
  createFundedAccount,
  encodeUsdcCall,
  fund,
  getServiceChain,
} from "@/server/testing/chain/payments";
import { waitFor } from "@/server/testing/engine/engine";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { insertAgreement } from "@/server/testing/fixtures/agreement";
import { ASSESSED_WORK } from "@/server/testing/fixtures/outcome";
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
  success = await submit(ASSESSED_WORK.deliverableContent, other);
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
      taskDescription: ASSESSED_WORK.taskDescription,
      taskCategory: "research",
      deliverableContent,
      valueUsdc: 12.5,
    },
  });
  return body.outcomeId;
}

const verify = (...args: string[]) =>
  runCommand("verify", ["--url", service.base.replace("/api/v1", ""), ...args]);

type OutcomeRow = typeof outcomes.$inferSelect;

/** Changes an outcome as an attacker with database access would, verifies, and changes it back. */
async function verifyTampered(
  outcomeId: string,
  change: (row: OutcomeRow) => Partial<OutcomeRow>,
  wallet: string,
) {
  const { db } = service.database;
  const [row] = await db.select().from(outcomes).where(eq(outcomes.id, outcomeId));
  if (!row) throw new Error(`there is no outcome ${outcomeId}`);
  await db.update(outcomes).set(change(row)).where(eq(outcomes.id, outcomeId));
  const result = await verify(wallet);
  await db.update(outcomes).set(row).where(eq(outcomes.id, outcomeId));
  return result;
}

/** Changes the contractor's score in the database, and returns what changes it back. */
async function tamperScore(fields: Partial<typeof reputations.$inferSelect>) {
  const { db } = service.database;
  const isIt = eq(reputations.wallet, contractor.wallet);
  const [before] = await db.select().from(reputations).where(isIt);
  await db.update(reputations).set(fields).where(isIt);
  return () =>
    db
      .update(reputations)
      .set({ ...before })
      .where(isIt);
}

const dropCachedScores = () =>
  service.database.db.sql`select pg_notify(${REPUTATION_CHANGED}, ${contractor.wallet})`;

describe("a service that agrees with the chain", () => {
  test("passes for all wallets, for one wallet, and with an explicit registry and node", async () => {
    const { registryAddress, rpcUrl } = (await service.call("GET", "/network")).body;
    const runs = await Promise.all([
      verify(),
      verify(contractor.wallet.toLowerCase()),
      verify("--registry", registryAddress, "--rpc", rpcUrl, other.wallet),
      verify("--without-anchors", contractor.wallet),
    ]);
    const withoutAnchors = new RegExp(`${contractor.wallet} +(\\d+\\.\\d\\d) +(\\d+\\.\\d\\d)`);
    const [, score, without] = withoutAnchors.exec(runs[3]?.stdout ?? "") ?? [];
    // So few jobs count the same for any client.
    expect([score, without]).toEqual([expect.any(String), score]);
    for (const { code, stdout, stderr } of runs) {
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(/3 records up to block \d+: none is missing/);
      expect(stdout).toContain("Everything agrees.");
      expect(stdout).toMatch(
        /can't prove that the verdicts are right, nor who the anchors are, .*\.\n$/,
      );
      expect(stdout).not.toContain("not covered");
    }
    expect(runs[1]?.stdout).toContain("1 score and 2 outcomes compared");
  });
});

describe("a service whose database was tampered with", () => {
  // Whatever a test changed, it changed back.
  afterAll(async () => expect((await verify()).code).toBe(0));

  test("fails with each field that differs and the records that prove it", async () => {
    const { db } = service.database;
    const restore = await tamperScore({ scoreE4: 991_234, tier: "ELITE" });
    await dropCachedScores();
    const { code, stdout } = await verifyTampered(
      failure,
      () => ({ verdict: "SUCCESS", finalVerdict: "SUCCESS" }),
      contractor.wallet,
    );
    expect(code).toBe(1);
    const [scoreReport = "", checkReport = "", outcomeReport = "", ...more] =
      stdout.split("differences:\n\n")[1]?.split("\n\n") ?? [];
    expect(more).toEqual([expect.stringContaining("can't prove")]);
    const [subject, ...fields] = scoreReport.split("\n");
    expect(subject).toBe(`score of ${contractor.wallet}`);
    expect(fields).toEqual([
      expect.stringMatching(/^ {2}score: the service says 99.12, the ledger \d\.\d+$/),
      "  tier: the service says ELITE, the ledger NEWCOMER",
      expect.stringContaining(`record 1  anchor ${other.wallet}`),
      expect.stringContaining(`record 2  outcome ${success}, SUCCESS`),
      expect.stringContaining(`record 3  outcome ${failure}, FAILURE`),
    ]);
    expect(checkReport.split("\n")).toEqual([`check of ${contractor.wallet}`, ...fields]);
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
    await restore();
    await dropCachedScores();
  });

  test("fails for a stored score that a cache still hides", async () => {
    const path = `/reputation/${contractor.wallet}`;
    // The service hears a little later that the score was changed back.
    const cached = await waitFor(async () => {
      const { body } = await service.call("GET", path);
      return body.tier === "NEWCOMER" && body;
    });
    const restore = await tamperScore({ scoreE4: 991_234 });
    const { code, stdout } = await verify(contractor.wallet);
    expect((await service.call("GET", path)).body).toEqual(cached);
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining(`check of ${contractor.wallet}\n  score: the service says 99.12, `),
    ]);
    expect(stdout).not.toContain(`score of ${contractor.wallet}`);
    await restore();
  });

  test.each<[string, (row: OutcomeRow) => Partial<OutcomeRow>, string]>([
    [
      "a changed reasoning",
      () => ({ reasoning: "It is perfect." }),
      "hash of reasoning: the service says 0x",
    ],
    [
      "changed evidence",
      ({ evidence }) => ({ evidence: evidence && { ...evidence, judgeVersion: "another/v9" } }),
      "hash of evidence: the service says 0x",
    ],
    [
      "a hidden outcome",
      () => ({ contractor: other.wallet }),
      "the service says nothing, the ledger a record",
    ],
  ])("fails for %s", async (_, change, difference) => {
    const { code, stdout } = await verifyTampered(success, change, contractor.wallet);
    expect(stdout).toContain(`outcome ${success}\n  ${difference}`);
    expect(code).toBe(1);
  });

  test("fails for an agreement that a party did not sign", async () => {
    const { core } = service.runtime;
    const worker = await service.agent({ proven: true });
    const agreement = await insertAgreement(core, { contractor: worker, requester: other });
    const { body } = await service.call("POST", "/outcome", {
      key: worker.apiKey,
      body: { agreementId: agreement.id, deliverableContent: "The Rhine." },
    });
    await service.waitForResolved(body.outcomeId);
    const honest = await verify(worker.wallet);
    expect([honest.code, honest.stdout]).toEqual([
      0,
      expect.stringContaining("the signatures of 1 agreement checked"),
    ]);
    const forge = ({ evidence }: OutcomeRow) => {
      if (!evidence?.agreement) throw new Error("the outcome has no agreement");
      const requesterSignature = evidence.agreement.contractorSignature;
      return {
        evidence: { ...evidence, agreement: { ...evidence.agreement, requesterSignature } },
      };
    };
    const { code, stdout } = await verifyTampered(body.outcomeId, forge, worker.wallet);
    expect(code).toBe(1);
    expect(stdout).toContain(
      `agreement of outcome ${body.outcomeId}\n  requester signature: the service says another or none, the ledger ${other.wallet}`,
    );
  });
});

describe("a signed statement", () => {
  let folder: string;
  let signed: SignedStatement;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "standing-statement-"));
    signed = (await service.call("GET", `/reputation/${contractor.wallet}/statement`)).body;
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Runs the command on a statement; a string is the file's text. */
  async function verifyFile(name: string, statement: object | string, ...args: string[]) {
    const file = join(folder, `${name}.json`);
    await writeFile(file, typeof statement === "string" ? statement : JSON.stringify(statement));
    return verify("--statement", file, ...args);
  }

  /** Signs a statement with `changes`, by the service's key or another. */
  async function forge(
    changes: Partial<SignedStatement["message"]>,
    key: `0x${string}` = service.chain.statementKey,
  ): Promise<SignedStatement> {
    const account = privateKeyToAccount(key);
    const message = { ...signed.message, ...changes };
    const signature = await account.signTypedData(toTypedData(signed.domain, message));
    return { ...signed, message, signature, signer: account.address };
  }

  test("is valid offline and on the chain, with and without the service", async () => {
    const { rpcUrl, scoreGateAddress } = service.chain;
    const runs = await Promise.all([
      verifyFile("online", signed),
      verifyFile(
        "node",
        signed,
        "--url",
        "http://127.0.0.1:9",
        "--rpc",
        rpcUrl,
        "--gate",
        scoreGateAddress,
      ),
      verifyFile("signer", signed, "--offline", "--signer", signed.signer.toLowerCase()),
      verifyFile("offline", signed, "--offline", "--url", "http://127.0.0.1:9"),
    ]);
    for (const { code, stdout, stderr } of runs) {
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain(`Statement about ${contractor.wallet}: score `);
    }
    expect(runs.slice(0, 3).every(({ stdout }) => stdout.includes("The statement is valid."))).toBe(
      true,
    );
    expect(runs[3]?.stdout).toContain(`Check that you trust the signer ${signed.signer}.`);
  });

  test("is not valid if it was changed, or another account or a lying service signed it", async () => {
    const stranger = await forge({ scoreCenti: 9_900, tier: 4 }, `0x${"77".repeat(32)}`);
    const domain = { ...signed.domain, verifyingContract: contractor.wallet };
    const signature = await privateKeyToAccount(service.chain.statementKey).signTypedData(
      toTypedData(domain, signed.message),
    );
    const otherGate = { ...signed, domain, signature };
    const better = { ...signed, message: { ...signed.message, scoreCenti: 9_900, tier: 4 } };
    const runs = await Promise.all([
      verifyFile("changed", better),
      verifyFile("stranger", stranger),
      verifyFile("stranger-offline", stranger, "--offline", "--signer", signed.signer),
      verifyFile("lie", await forge({ outcomes: 99 })),
      verifyFile("head", await forge({ head: `0x${"ab".repeat(32)}` })),
      verifyFile("future", await forge({ seq: signed.message.seq + 1 })),
      verifyFile("gate", signed, "--gate", contractor.wallet),
      verifyFile("other-gate", otherGate),
    ]);
    const expected = [
      `The signature is not that of ${signed.signer} over these fields.`,
      `accepts only the signer ${signed.signer} now.`,
      `It is signed by ${stranger.signer}, not ${signed.signer}.`,
      `outcomes is 99; the ledger at record ${signed.message.seq} gives 2.`,
      `head is 0x${"ab".repeat(32)}; the ledger at record`,
      `but no record ${signed.message.seq + 1}.`,
      `It is for the gate ${signed.domain.verifyingContract}, not ${contractor.wallet}.`,
      `It is for the gate ${contractor.wallet}, not ${signed.domain.verifyingContract}.`,
    ];
    for (const [index, { code, stdout, stderr }] of runs.entries()) {
      expect([code, stderr]).toEqual([1, ""]);
      expect(stdout).toContain(expected[index]);
      expect(stdout).not.toContain("The statement is valid.");
    }
  });

  test("lets a contractor take a job as docs/chain.md shows", async () => {
    const local = getServiceChain(service);
    const { chain } = local;
    const [client] = [await createFundedAccount(local), await fund(local, contractor.wallet)];
    const escrow = getContractAddress({ from: client.address, nonce: 0n });
    const sendAsClient = (call: { to?: `0x${string}`; data: `0x${string}`; gas?: bigint }) =>
      sendDirectly(chain, client, call);
    const encode = (functionName: string, args: unknown[]) =>
      encodeFunctionData({ abi: scoredEscrow.abi, functionName, args } as never);
    const constructorArgs = [chain.scoreGate?.address, chain.usdcAddress];
    const { abi, bytecode } = scoredEscrow;
    await sendAsClient({
      data: encodeDeployData({ abi, bytecode, args: constructorArgs } as never),
      gas: 3_000_000n,
    });
    await sendAsClient(encodeUsdcCall(local, "approve", [escrow, 5_000_000n]));
    await sendAsClient({
      to: escrow,
      data: encode("post", [5_000_000n, signed.message.scoreCenti, 2n ** 63n]),
    });

    const documentation = readFileSync("docs/chain.md", "utf8");
    const listBlocks = (language: string) =>
      [...documentation.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map(
        ([, code = ""]) => code,
      );
    const given = {
      API: service.base,
      WALLET: contractor.wallet,
      ESCROW: escrow,
      JOB_ID: 1n,
      escrowAbi: abi,
      verifyTypedData,
      walletClient: createWalletClient({
        account: contractor.account,
        chain: foundry,
        transport: http(service.chain.rpcUrl),
      }),
    };
    const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
    const recipe = `${listBlocks("js").join("\n")}\nreturn { isValid, hash };`;
    const { isValid, hash } = await new AsyncFunction(...Object.keys(given), recipe)(
      ...Object.values(given),
    );
    expect(isValid).toBe(true);
    const { status } = await chain.client.waitForTransactionReceipt({ hash });
    expect(status).toBe("success");

    const source = readFileSync("contracts/examples/ScoredEscrow.sol", "utf8");
    for (const block of listBlocks("solidity")) expect(source).toContain(block);
  });

  test("cannot be checked if it is no statement", async () => {
    const runs = await Promise.all([
      verify("--statement", join(folder, "missing.json")),
      verifyFile("text", "not JSON"),
      verifyFile("huge", { ...signed, message: { ...signed.message, expiresAt: 1e15 } }),
      verifyFile("escape", { ...signed, "\u001b[2J\u001b[H valid": true }),
      verifyFile("wallet", signed, contractor.wallet),
      verify("--offline"),
    ]);
    for (const { code, stderr } of runs) {
      expect(code, stderr).toBe(2);
      expect(stderr).not.toContain("\u001b");
      expect(stderr).toMatch(
        /^(\S+ cannot be read \(ENOENT\)|\S+ is not a signed statement|Usage:)/,
      );
    }
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
