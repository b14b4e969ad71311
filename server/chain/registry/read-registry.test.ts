import { parseAbi } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { recordDirectly, startTestChain, type TestChain } from "@/server/testing/chain/chain";
import { sampleOutcomes } from "@/server/testing/fixtures/random-records";
import { type RegistryLedger, readRegistry, verifyLogs } from "./read-registry";

let it: TestChain;
let logs: Parameters<typeof verifyLogs>[0];
let state: Parameters<typeof verifyLogs>[2];
const HEAD = parseAbi(["function head() view returns (bytes32)"]);
const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";

beforeAll(async () => {
  it = await startTestChain();
  const { chain } = it;
  await recordDirectly(chain, sampleOutcomes(1, 1));
  await recordDirectly(chain, sampleOutcomes(4, 2));
  await it.node.mine({ blocks: 40 });
  await recordDirectly(chain, [{ type: "anchor", wallet: WALLET, from: 5, until: null }]);
  await recordDirectly(chain, [{ type: "anchor-revoked", anchorSeq: 6 }]);
  await recordDirectly(chain, [{ type: "takeover", wallet: WALLET, at: 9 }]);
  const outcomeId = sampleOutcomes(1, 1)[0]?.id ?? "";
  await recordDirectly(chain, [
    { type: "dispute", outcomeId, verdict: "CONTRACTOR_WINS", assessed: true, resolvedAt: 10 },
  ]);
  await recordDirectly(chain, [{ type: "refund", outcomeId, at: 11 }]);
  // Empty blocks contain no records.
  await it.node.mine({ blocks: 3 });
});
afterAll(() => it.close());

/** A range of blocks that a node is asked for. */
interface Asked {
  fromBlock: string;
  toBlock: string;
}

/** Reads through a node that calls `onLogs` before it returns logs. */
const read = (onLogs: (asked: Asked) => void = () => {}) => {
  const { client, registryAddress: address } = it.chain;
  const request = (async (call: never) => {
    const { method, params } = call as { method: string; params: [Asked] };
    if (method === "eth_getLogs") onLogs(params[0]);
    return client.request(call);
  }) as typeof client.request;
  return readRegistry({ client: { ...client, request } as typeof client, address });
};

/** Refuses long ranges, as public nodes do. */
const limitTo = (blocks: number) => (asked: Asked) => {
  if (Number(asked.toBlock) - Number(asked.fromBlock) >= blocks) {
    throw new Error("query exceeds max block range");
  }
};

function expectWhole({ records, faults }: RegistryLedger) {
  expect(faults).toEqual([]);
  expect(records.map(({ place }) => place.seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(records.map(({ place }) => place.logIndex)).toEqual([0, 0, 1, 2, 3, 0, 0, 0, 0, 0]);
  expect(records.map(({ record }) => record)).toMatchObject([
    ...[...sampleOutcomes(1, 1), ...sampleOutcomes(4, 2)].map(({ id }) => ({
      type: "outcome",
      id,
    })),
    { type: "anchor", wallet: WALLET, from: 5, until: null },
    { type: "anchor-revoked", anchorSeq: 6 },
    { type: "takeover", wallet: WALLET, at: 9 },
    { type: "dispute", verdict: "CONTRACTOR_WINS", assessed: true },
    { type: "refund", at: 11 },
  ]);
}

describe("the ledger read from the chain", () => {
  test("is complete and in order, each record with its position", async () => {
    expectWhole(await read());
  });

  test.each([1, 2, 7])(
    "is the same from a node that limits ranges to %i blocks",
    async (blocks) => {
      expectWhole(await read(limitTo(blocks)));
    },
  );

  test("is not read if the node does not respond or there is no contract", async () => {
    await expect(read(limitTo(0))).rejects.toThrow("max block range");
    const nowhere = { client: it.chain.client, address: WALLET } as const;
    await expect(readRegistry(nowhere)).rejects.toThrow();
  });

  test("is read from the contract's deployment block", async () => {
    const asked: number[] = [];
    expectWhole(await read(({ fromBlock }) => asked.push(Number(fromBlock))));
    expect(Math.min(...asked)).toBe(1);
  });
});

describe("logs that do not match the contract", () => {
  beforeEach(async () => {
    const { client, registryAddress: address } = it.chain;
    logs = (await client.request({
      method: "eth_getLogs",
      params: [{ address, fromBlock: "0x0", toBlock: "latest" }],
    })) as unknown as typeof logs;
    state = {
      head: await client.readContract({ address, abi: HEAD, functionName: "head" }),
      seq: 10,
    };
  });
  const faults = () => verifyLogs(logs, it.chain.registryAddress, state).faults;

  test("are reported if a record is missing, moved or changed", () => {
    expect(faults()).toEqual([]);
    // Logs of ownership and recorder changes come first.
    const records = logs.slice(-10);
    const without = (seqs: number[]) =>
      verifyLogs(
        records.filter((_, index) => !seqs.includes(index + 1)),
        it.chain.registryAddress,
        state,
      ).faults;
    expect(records).toHaveLength(10);
    expect(without([])).toEqual([]);
    expect(without([3])).toEqual(["Record 3 is missing."]);
    expect(without([3, 4])).toEqual(["Records 3 to 4 are missing."]);
    expect(without([1])).toEqual(["Record 1 is missing."]);
    expect(without([10])).toEqual(["The contract counts 10 records; the last one found is 9."]);
    const [first, second, ...rest] = records as [never, never, ...never[]];
    expect(
      verifyLogs([second, first, ...rest], it.chain.registryAddress, state).faults,
    ).not.toEqual([]);
    const changed = records.map((log, index) =>
      index === 4
        ? {
            ...log,
            data: log.data.replace(/.$/, (c) => (c === "0" ? "1" : "0")) as typeof log.data,
          }
        : log,
    );
    expect(verifyLogs(changed, it.chain.registryAddress, state).faults).toEqual([
      "The hash chain over the records does not end in the contract's head.",
    ]);
  });
});
