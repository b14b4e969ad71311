import { type Address, encodeFunctionData, toEventSelector } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import usdc from "@/contracts/TestUsdc.json";
import { logCursors } from "@/server/chain/tables";
import { mineUntilFinal } from "@/server/chain/transactions/finality";
import { sendDirectly, startTestChain, type TestChain } from "@/server/testing/chain/chain";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase, deleteAllRows, type TestDatabase } from "@/server/testing/database";
import { readNewLogs } from "./read-new-logs";
import type { RawLog } from "./registry/read-logs";

const TO: Address = "0x000000000000000000000000000000000000dEaD";

let database: TestDatabase;
let local: TestChain;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  local = await startTestChain();
  await deleteAllRows(database);
});
afterEach(() => local.close());
afterAll(() => database.close());

/** Mints this many units, each time in a block and a log of its own. */
async function mint(...amounts: number[]) {
  for (const amount of amounts) {
    const data = encodeFunctionData({ abi: usdc.abi, functionName: "mint", args: [TO, amount] });
    const { chain } = local;
    const { status } = await sendDirectly(chain, chain.recorder, { to: chain.usdcAddress, data });
    expect(status).toBe("success");
  }
}

const amountOf = ({ data }: RawLog) => Number(data);

/** Reads what is new; `seen` gets the amounts whose transaction was committed. */
async function read(
  seen: number[],
  { isPublic = false, apply }: { isPublic?: boolean; apply?: () => Promise<void> } = {},
) {
  const chain = isPublic ? { ...local.chain, rpcUrl: null } : local.chain;
  const applied: number[] = [];
  const isDone = await readNewLogs(
    createTestCore(database, { chain }),
    {
      cursor: "transfers",
      filter: {
        address: chain.usdcAddress,
        topics: [toEventSelector("Transfer(address,address,uint256)")],
      },
      fromBlock: 0n,
    },
    async (_tx, logs) => {
      await apply?.();
      applied.push(...logs.map(amountOf));
    },
  );
  seen.push(...applied);
  return isDone;
}

test("reads each log once, in order, and continues where it ended", async () => {
  const seen: number[] = [];
  await mint(1, 2);
  expect(await read(seen)).toBe(true);
  expect(seen).toEqual([1, 2]);
  await mint(3);
  await read(seen);
  await read(seen);
  expect(seen).toEqual([1, 2, 3]);
});

test("a block that is not final is not read, so no reorg undoes what was read", async () => {
  const seen: number[] = [];
  await mint(1);
  await mineUntilFinal(local.chain);
  await mint(2);
  await read(seen, { isPublic: true });
  expect(seen).toEqual([1]);
  await local.node.request({ method: "anvil_rollback" as never, params: [1] as never });
  await mint(7);
  await mineUntilFinal(local.chain);
  await read(seen, { isPublic: true });
  expect(seen).toEqual([1, 7]);
});

test("several processes at a time read each log once", async () => {
  const seen: number[] = [];
  await mint(1, 2, 3);
  await mineUntilFinal(local.chain);
  await Promise.all(Array.from({ length: 5 }, () => read(seen, { isPublic: true })));
  expect(seen).toEqual([1, 2, 3]);
});

test("logs that could not be applied are read again", async () => {
  const seen: number[] = [];
  await mint(1);
  const fail = async () => {
    throw new Error("the disk is full");
  };
  await expect(read(seen, { apply: fail })).rejects.toThrow("the disk is full");
  await read(seen);
  expect(seen).toEqual([1]);
});

test("a local chain that lost its data is read from the start", async () => {
  await database.db.insert(logCursors).values({ name: "transfers", nextBlock: 5_000n });
  const seen: number[] = [];
  await mint(4);
  await read(seen);
  expect(seen).toEqual([4]);
});
