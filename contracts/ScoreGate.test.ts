import {
  BaseError,
  ContractFunctionRevertedError,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  parseAbi,
  parseEventLogs,
  zeroAddress,
} from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ScoreStatement } from "@/server/reputation/statement/schema";
import { buildDomain, POLICY_HASH, toTypedData } from "@/server/reputation/statement/typed-data";
import {
  deployContract,
  sendDirectly,
  startTestChain,
  type TestChain,
} from "@/server/testing/chain/chain";
import { createFundedAccount } from "@/server/testing/chain/payments";
import escrow from "./examples/ScoredEscrow.json";
import gate from "./ScoreGate.json";
import usdc from "./TestUsdc.json";

const gateAbi = parseAbi([
  "struct ScoreStatement { address wallet; uint32 scoreCenti; uint8 tier; uint32 outcomes; bytes32 policy; uint64 seq; bytes32 head; uint64 issuedAt; uint64 expiresAt; }",
  "error StatementExpired(uint64 expiresAt)",
  "error ScoreTooLow(uint32 scoreCenti, uint32 minimumCenti)",
  "error InvalidStatementSignature()",
  "function requireScore(ScoreStatement statement, bytes signature, uint32 minimumCenti) view",
]);

/** The registry's owner on local chains: the deployer, anvil's tenth account. */
const owner = privateKeyToAccount(
  "0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6",
);
const HOUR = 3_600;
const now = Math.floor(Date.now() / 1000);

let local: TestChain;
let contractor: PrivateKeyAccount;
let client: PrivateKeyAccount;
beforeAll(async () => {
  local = await startTestChain();
  [contractor, client] = [await createFundedAccount(local), await createFundedAccount(local)];
});
afterAll(() => local.close());

const gateAddress = () => local.chain.scoreGate?.address ?? zeroAddress;
const signer = () => local.chain.statementSigner as PrivateKeyAccount;

const buildStatement = (change: Partial<ScoreStatement> = {}): ScoreStatement => ({
  wallet: contractor.address,
  scoreCenti: 7_621,
  tier: 2,
  outcomes: 12,
  policy: POLICY_HASH,
  seq: 15,
  head: `0x${"ab".repeat(32)}`,
  issuedAt: now,
  expiresAt: now + HOUR,
  ...change,
});

const sign = (
  statement: ScoreStatement,
  account = signer(),
  domain = buildDomain(local.chain.id, gateAddress()),
) => account.signTypedData(toTypedData(domain, statement));

/** Returns the error with which the gate rejects a statement, or null if it accepts it. */
async function getGateError(
  statement: ScoreStatement,
  signature: Hex,
  minimumCenti = 7_000,
): Promise<string | null> {
  const { message } = toTypedData(buildDomain(1, zeroAddress), statement);
  try {
    await local.chain.client.readContract({
      address: gateAddress(),
      abi: gateAbi,
      functionName: "requireScore",
      args: [message, signature, minimumCenti],
    });
    return null;
  } catch (error) {
    const reverted =
      error instanceof BaseError &&
      error.walk((cause) => cause instanceof ContractFunctionRevertedError);
    if (reverted instanceof ContractFunctionRevertedError) return reverted.data?.errorName ?? "";
    throw error;
  }
}

describe("the gate", () => {
  test("accepts a statement that the signer signed, up to its exact score", async () => {
    const statement = buildStatement();
    const signature = await sign(statement);
    expect(await getGateError(statement, signature, 7_621)).toBeNull();
    expect(await getGateError(statement, signature, 0)).toBeNull();
    expect(await getGateError(statement, signature, 7_622)).toBe("ScoreTooLow");
  });

  test("rejects a statement with any field changed after signing", async () => {
    const statement = buildStatement();
    const signature = await sign(statement);
    const changes: Required<ScoreStatement> = {
      wallet: client.address,
      scoreCenti: 9_900,
      tier: 4,
      outcomes: 13,
      policy: `0x${"12".repeat(32)}`,
      seq: 16,
      head: `0x${"cd".repeat(32)}`,
      issuedAt: now + 1,
      expiresAt: now + 2 * HOUR,
    };
    expect(Object.keys(changes)).toEqual(Object.keys(statement));
    for (const [field, value] of Object.entries(changes)) {
      const changed = { ...statement, [field]: value };
      expect(await getGateError(changed, signature), field).toBe("InvalidStatementSignature");
    }
  });

  test("rejects a statement from its expiry on", async () => {
    const { timestamp } = await local.chain.client.getBlock();
    const expired = buildStatement({ expiresAt: Number(timestamp) });
    expect(await getGateError(expired, await sign(expired))).toBe("StatementExpired");
    const current = buildStatement({ expiresAt: Number(timestamp) + HOUR });
    expect(await getGateError(current, await sign(current))).toBeNull();
  });

  test.each([
    ["another chain", () => buildDomain(8453, gateAddress())],
    ["another gate", () => buildDomain(local.chain.id, local.chain.registryAddress)],
    ["another version", () => ({ ...buildDomain(local.chain.id, gateAddress()), version: "2" })],
    [
      "another application",
      () => ({ ...buildDomain(local.chain.id, gateAddress()), name: "Other" }),
    ],
  ])("rejects a statement that was signed for %s", async (_, createDomain) => {
    const statement = buildStatement();
    const domain = createDomain() as ReturnType<typeof buildDomain>;
    const signature = await sign(statement, signer(), domain);
    expect(await getGateError(statement, signature)).toBe("InvalidStatementSignature");
  });

  test("rejects every other signer, and broken signatures", async () => {
    const statement = buildStatement();
    const others = [contractor, local.chain.recorder, owner];
    const signatures = await Promise.all([...others.map((other) => sign(statement, other))]);
    for (const signature of [...signatures, "0x", `0x${"00".repeat(65)}`] as Hex[]) {
      expect(await getGateError(statement, signature)).toBe("InvalidStatementSignature");
    }
  });
});

describe("the signer", () => {
  const setSigner = (to: Hex, from: PrivateKeyAccount) =>
    sendDirectly(local.chain, from, {
      to: gateAddress(),
      data: encodeFunctionData({ abi: gate.abi, functionName: "setSigner", args: [to] }),
    });

  test("can be replaced only by the registry's owner, which ends its statements", async () => {
    const statement = buildStatement();
    const signature = await sign(statement);
    const next = privateKeyToAccount(generatePrivateKey());
    for (const stranger of [contractor, local.chain.recorder]) {
      expect((await setSigner(stranger.address, stranger)).status).toBe("reverted");
    }
    const { status, logs } = await setSigner(next.address, owner);
    expect(status).toBe("success");
    expect(parseEventLogs({ abi: gate.abi, logs })).toMatchObject([
      { eventName: "SignerSet", args: { signer: next.address } },
    ]);
    expect(await getGateError(statement, signature)).toBe("InvalidStatementSignature");
    expect(await getGateError(statement, await sign(statement, next))).toBeNull();
    // Without a signer, not even a signature that recovers to the zero address is valid.
    await setSigner(zeroAddress, owner);
    expect(await getGateError(statement, `0x${"00".repeat(65)}`)).toBe("InvalidStatementSignature");
    await setSigner(signer().address, owner);
    expect(await getGateError(statement, signature)).toBeNull();
  });

  test("can be a contract that approves statements (ERC-1271)", async () => {
    const statement = buildStatement();
    const domain = buildDomain(local.chain.id, gateAddress());
    // Approves the one digest in its storage, as a Safe does with approved hashes.
    const contract = privateKeyToAccount(generatePrivateKey()).address;
    const approveStoredDigest = "0x60043560005414631626ba7e0260e01b60005260206000f3";
    await local.node.setCode({ address: contract, bytecode: approveStoredDigest });
    const digest = hashTypedData(toTypedData(domain, statement));
    await local.node.setStorageAt({ address: contract, index: 0, value: digest });
    await setSigner(contract, owner);
    expect(await getGateError(statement, "0x")).toBeNull();
    const other = buildStatement({ scoreCenti: 9_900 });
    expect(await getGateError(other, "0x")).toBe("InvalidStatementSignature");
    // The key of an account that became a contract no longer counts.
    expect(await getGateError(other, await sign(other))).toBe("InvalidStatementSignature");
    await setSigner(signer().address, owner);
  });
});

describe("the escrow of docs/chain.md", () => {
  let address: Hex;
  beforeAll(async () => {
    address = await deployContract(local.chain, escrow, [gateAddress(), local.chain.usdcAddress]);
    await call(client, local.chain.usdcAddress, usdc.abi, "approve", [address, 100_000_000n]);
  });

  async function call(
    from: PrivateKeyAccount,
    to: Hex,
    abi: readonly unknown[],
    functionName: string,
    args: readonly unknown[],
  ): Promise<"success" | "reverted"> {
    const data = encodeFunctionData({ abi, functionName, args } as never);
    return (await sendDirectly(local.chain, from, { to, data })).status;
  }
  const callEscrow = (from: PrivateKeyAccount, name: string, args: readonly unknown[]) =>
    call(from, address, escrow.abi, name, args);
  const accept = async (from: PrivateKeyAccount, jobId: bigint, statement: ScoreStatement) =>
    callEscrow(from, "accept", [
      jobId,
      toTypedData(buildDomain(1, zeroAddress), statement).message,
      await sign(statement),
    ]);
  const getBalance = (of: Hex) =>
    local.chain.client.readContract({
      address: local.chain.usdcAddress,
      abi: usdc.abi,
      functionName: "balanceOf",
      args: [of],
    });

  test("lets only a contractor with its own, sufficient statement take a job", async () => {
    const deadline = BigInt(now + HOUR);
    expect(await callEscrow(client, "post", [20_000_000n, 7_000, deadline])).toBe("success");
    expect(await accept(contractor, 1n, buildStatement({ scoreCenti: 6_999 }))).toBe("reverted");
    // Another agent presents the contractor's statement.
    const other = await createFundedAccount(local);
    expect(await accept(other, 1n, buildStatement())).toBe("reverted");
    expect(await accept(contractor, 2n, buildStatement())).toBe("reverted");
    expect(await accept(contractor, 1n, buildStatement())).toBe("success");
    expect(await accept(contractor, 1n, buildStatement())).toBe("reverted");

    const before = (await getBalance(contractor.address)) as bigint;
    expect(await callEscrow(contractor, "release", [1n])).toBe("reverted");
    expect(await callEscrow(client, "refund", [1n])).toBe("reverted");
    expect(await callEscrow(client, "release", [1n])).toBe("success");
    expect(await getBalance(contractor.address)).toBe(before + 20_000_000n);
    expect(await callEscrow(client, "release", [1n])).toBe("reverted");
  });

  test("returns the deposit of a job that no contractor took", async () => {
    const before = await getBalance(client.address);
    await callEscrow(client, "post", [20_000_000n, 9_500, BigInt(now - HOUR)]);
    // A contractor that sees the refund coming can't take the job first.
    expect(await accept(contractor, 2n, buildStatement({ scoreCenti: 9_500 }))).toBe("reverted");
    expect(await callEscrow(contractor, "refund", [2n])).toBe("reverted");
    expect(await callEscrow(client, "refund", [2n])).toBe("success");
    expect(await getBalance(client.address)).toBe(before);
  });
});
