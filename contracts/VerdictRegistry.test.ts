import {
  decodeErrorResult,
  encodeFunctionData,
  type Hex,
  maxUint64,
  parseEther,
  parseEventLogs,
  zeroHash,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeRecords } from "@/server/chain/registry/encode-records";
import type { OutcomeRecord } from "@/server/chain/registry/ledger";
import { registryAbi } from "@/server/chain/registry/record-encodings";
import {
  recordDirectly,
  sendDirectly,
  startTestChain,
  type TestChain,
} from "@/server/testing/chain/chain";
import { sampleOutcomes } from "@/server/testing/fixtures/random-records";
import registry from "./VerdictRegistry.json";

/** The owner on local chains: the deployer, anvil's tenth account. */
const owner = privateKeyToAccount(
  "0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6",
);
const stranger = privateKeyToAccount(generatePrivateKey());

let local: TestChain;
beforeAll(async () => {
  local = await startTestChain();
  await local.node.setBalance({ address: stranger.address, value: parseEther("1") });
});
afterAll(() => local.close());

let seed = 100;
const someOutcome = () => sampleOutcomes(1, seed++)[0] as OutcomeRecord;

/** Returns the name of the error with which a call by `from` reverts, or null. */
async function getCallError(data: Hex, from = local.chain.recorder): Promise<string | null> {
  const to = local.chain.registryAddress;
  const receipt = await sendDirectly(local.chain, from, { to, data });
  if (receipt.status === "success") return null;
  const raw = await local.chain.client
    .call({ account: from.address, to, data })
    .then(() => undefined)
    .catch((error: { walk(): { data?: Hex | { data: Hex } } }) => error.walk().data);
  const bytes = typeof raw === "object" ? raw.data : raw;
  return bytes ? decodeErrorResult({ abi: registry.abi, data: bytes }).errorName : "unknown";
}

const getRecordError = (record: Parameters<typeof encodeRecords>[0][number]) =>
  getCallError(encodeRecords([record]).data);

const call = (functionName: string, args: unknown[]) =>
  encodeFunctionData({ abi: registry.abi, functionName, args });

const read = (functionName: string, args: unknown[] = []) =>
  local.chain.client.readContract({
    abi: registry.abi,
    address: local.chain.registryAddress,
    functionName,
    args,
  });

describe("records only once", () => {
  test("an outcome, alone or in a batch", async () => {
    const outcome = someOutcome();
    expect(await getRecordError(outcome)).toBeNull();
    const [head, seq] = [await read("head"), await read("seq")];
    expect(await getRecordError(outcome)).toBe("AlreadyRecorded");
    expect(await getRecordError({ ...outcome, verdict: "FAILURE", confPpm: 1 })).toBe(
      "AlreadyRecorded",
    );
    expect(await getCallError(encodeRecords([someOutcome(), outcome]).data)).toBe(
      "AlreadyRecorded",
    );
    const repeated = someOutcome();
    expect(await getCallError(encodeRecords([repeated, repeated]).data)).toBe("AlreadyRecorded");
    expect([await read("head"), await read("seq")]).toEqual([head, seq]);
    expect(await getRecordError(repeated)).toBeNull();
  });

  test("a dispute, only of a recorded outcome", async () => {
    const outcome = someOutcome();
    const dispute = {
      type: "dispute" as const,
      outcomeId: outcome.id,
      verdict: "REQUESTER_WINS" as const,
      assessed: false,
      resolvedAt: 5,
    };
    expect(await getRecordError(dispute)).toBe("OutcomeNotRecorded");
    expect(await getRecordError(outcome)).toBeNull();
    expect(await getRecordError(dispute)).toBeNull();
    expect(await getRecordError({ ...dispute, verdict: "CONTRACTOR_WINS" })).toBe(
      "AlreadyRecorded",
    );
  });

  test("a refund, only of a recorded outcome", async () => {
    const outcome = someOutcome();
    const paymentTx = `0x${"7".repeat(64)}`;
    const refund = { type: "refund" as const, outcomeId: outcome.id, at: 5, paymentTx };
    expect(await getRecordError(refund)).toBe("OutcomeNotRecorded");
    expect(await getRecordError(outcome)).toBeNull();
    expect(await getRecordError(refund)).toBeNull();
    const [head, seq] = [await read("head"), await read("seq")];
    expect(await getRecordError(refund)).toBe("AlreadyRecorded");
    expect(await getRecordError({ ...refund, at: 6, paymentTx: `0x${"8".repeat(64)}` })).toBe(
      "AlreadyRecorded",
    );
    expect([await read("head"), await read("seq")]).toEqual([head, seq]);
  });

  test("a superseded outcome, once both outcomes are recorded", async () => {
    const [claim, own] = [someOutcome(), someOutcome()];
    const mark = { type: "superseded" as const, outcomeId: claim.id, by: own.id };
    expect(await getRecordError(claim)).toBeNull();
    expect(await getRecordError(mark)).toBe("OutcomeNotRecorded");
    expect(await getRecordError(own)).toBeNull();
    expect(await getRecordError({ ...mark, by: claim.id })).toBe("Malformed");
    expect(await getRecordError(mark)).toBeNull();
    expect(await getRecordError(mark)).toBe("AlreadyRecorded");
  });

  test("an anchor and its revocation, only of a recorded anchor", async () => {
    const anchor = { type: "anchor" as const, wallet: stranger.address, from: 10, until: 20 };
    expect(await getRecordError(anchor)).toBeNull();
    const anchorSeq = Number(await read("seq"));
    expect(await getRecordError(anchor)).toBe("AlreadyRecorded");
    expect(await getRecordError({ type: "anchor-revoked", anchorSeq: anchorSeq + 1 })).toBe(
      "AnchorNotStanding",
    );
    expect(await getRecordError({ type: "anchor-revoked", anchorSeq })).toBeNull();
    expect(await getRecordError({ type: "anchor-revoked", anchorSeq })).toBe("AnchorNotStanding");
    // The same wallet can become an anchor again, from another time.
    expect(await getRecordError({ ...anchor, from: 11 })).toBeNull();
  });

  test("a takeover", async () => {
    const takeover = { type: "takeover" as const, wallet: stranger.address, at: 10 };
    expect(await getRecordError(takeover)).toBeNull();
    expect(await getRecordError(takeover)).toBe("AlreadyRecorded");
    expect(await getRecordError({ ...takeover, at: 11 })).toBeNull();
  });
});

test("rejects malformed records", async () => {
  const outcome = someOutcome();
  expect(await getRecordError({ ...outcome, confPpm: 1_000_001 })).toBe("Malformed");
  const anchor = { type: "anchor" as const, wallet: stranger.address, from: 20 };
  expect(await getRecordError({ ...anchor, until: 20 })).toBe("Malformed");
  const verdict = (category: number, flags: number) =>
    call("record", [
      {
        outcomeId: `0x${outcome.id.replaceAll("-", "")}`,
        contractor: outcome.contractor,
        requester: outcome.requester,
        category,
        flags,
        policy: 1,
        confPpm: 1,
        valueMicro: 1n,
        paidMicro: 1n,
        resolvedAt: maxUint64,
        evidenceHash: `0x${"0".repeat(64)}`,
      },
    ]);
  expect(await getCallError(verdict(9, 0))).toBe("Malformed");
  expect(await getCallError(verdict(0, 16))).toBe("Malformed");
  expect(await getCallError(verdict(8, 15))).toBeNull();
  const id = `0x${outcome.id.replaceAll("-", "")}`;
  const dispute = (flags: number) => call("recordDispute", [id, flags, 1n, zeroHash]);
  expect(await getCallError(dispute(4))).toBe("Malformed");
  expect(await getCallError(dispute(3))).toBeNull();
});

describe("permissions", () => {
  const allCalls = () => [
    encodeRecords([someOutcome()]).data,
    encodeRecords([someOutcome(), someOutcome()]).data,
    call("recordDispute", [`0x${"1".repeat(32)}`, 1, 1n, `0x${"0".repeat(64)}`]),
    call("recordRefund", [`0x${"1".repeat(32)}`, 1n, `0x${"0".repeat(64)}`]),
    call("recordSuperseded", [`0x${"1".repeat(32)}`, `0x${"2".repeat(32)}`]),
    call("recordAnchor", [stranger.address, 1n, 2n]),
    call("recordAnchorRevoked", [1n]),
    call("recordTakeover", [stranger.address, 1n]),
  ];

  test("only a recorder can record, not even the owner", async () => {
    for (const account of [stranger, owner]) {
      for (const data of allCalls()) expect(await getCallError(data, account)).toBe("NotRecorder");
    }
  });

  test("only the owner sets recorders, and a removed one cannot record", async () => {
    const allow = call("setRecorder", [stranger.address, true]);
    for (const account of [stranger, local.chain.recorder]) {
      expect(await getCallError(allow, account)).toBe("OwnableUnauthorizedAccount");
    }
    expect(await getCallError(allow, owner)).toBeNull();
    expect((await recordDirectly(local.chain, [someOutcome()], stranger)).status).toBe("success");
    expect(await getCallError(call("setRecorder", [stranger.address, false]), owner)).toBeNull();
    expect(await getCallError(encodeRecords([someOutcome()]).data, stranger)).toBe("NotRecorder");
  });

  test("ownership is transferred in two steps", async () => {
    expect(await getCallError(call("transferOwnership", [stranger.address]), stranger)).toBe(
      "OwnableUnauthorizedAccount",
    );
    expect(await getCallError(call("transferOwnership", [stranger.address]), owner)).toBeNull();
    expect(await read("owner")).toBe(owner.address);
    expect(await getCallError(call("acceptOwnership", []), local.chain.recorder)).toBe(
      "OwnableUnauthorizedAccount",
    );
    expect(await getCallError(call("acceptOwnership", []), stranger)).toBeNull();
    expect(await read("owner")).toBe(stranger.address);
    expect(await getCallError(call("transferOwnership", [owner.address]), stranger)).toBeNull();
    expect(await getCallError(call("acceptOwnership", []), owner)).toBeNull();
  });
});

test("returns the sequence numbers of an outcome's records", async () => {
  const outcome = someOutcome();
  const { logs } = await recordDirectly(local.chain, [outcome]);
  const [event] = parseEventLogs({ abi: registryAbi, logs });
  const seq = event?.args && "seq" in event.args ? event.args.seq : 0n;
  const numbers = () => read("recorded", [`0x${outcome.id.replaceAll("-", "")}`]);
  expect(await numbers()).toEqual([seq, 0n, 0n, 0n]);
  await recordDirectly(local.chain, [{ type: "refund", outcomeId: outcome.id, at: 7 }]);
  expect(await numbers()).toEqual([seq, 0n, seq + 1n, 0n]);
  await recordDirectly(local.chain, [
    {
      type: "dispute",
      outcomeId: outcome.id,
      verdict: "CONTRACTOR_WINS",
      assessed: true,
      resolvedAt: 8,
    },
  ]);
  expect(await numbers()).toEqual([seq, seq + 2n, seq + 1n, 0n]);
});
