import { asc, sql } from "drizzle-orm";
import { type Address, stringToHex, zeroAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { logCursors } from "@/server/chain/tables";
import { startTestChain, type TestChain } from "@/server/testing/chain/chain";
import { callIdentity, registerIdentity, transferIdentity } from "@/server/testing/chain/erc8004";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase, deleteAllRows, type TestDatabase } from "@/server/testing/database";
import { indexRegistrations } from "./index-registrations";
import { identityAbi } from "./registry";
import { identities } from "./tables";

let database: TestDatabase;
let local: TestChain;
beforeAll(async () => {
  [database, local] = await Promise.all([createTestDatabase(), startTestChain()]);
});
beforeEach(() => deleteAllRows(database));
afterAll(async () => {
  await local.close();
  await database.close();
});

const [first, second] = [1, 2].map(() => privateKeyToAccount(generatePrivateKey())) as [
  ReturnType<typeof privateKeyToAccount>,
  ReturnType<typeof privateKeyToAccount>,
];

const index = (chain = local.chain) => indexRegistrations(createTestCore(database, { chain }));
const readIndex = () =>
  database.db.select().from(identities).orderBy(asc(sql`erc8004_agent_id::numeric`));

/** Returns what the contract says about an identity. */
async function readContract(agentId: string) {
  const { client, erc8004 } = local.chain;
  const call = { address: erc8004?.identityAddress ?? zeroAddress, abi: identityAbi } as const;
  const args = [BigInt(agentId)] as const;
  const wallet: Address = await client.readContract({
    ...call,
    functionName: "getAgentWallet",
    args,
  });
  return {
    erc8004AgentId: agentId,
    owner: await client.readContract({ ...call, functionName: "ownerOf", args }),
    agentWallet: wallet === zeroAddress ? null : wallet,
  };
}

test("has what the contract says, however the changes are spread over reads", async () => {
  const [a, b, c] = [
    await registerIdentity(local.chain, first, "https://a.example/"),
    await registerIdentity(local.chain, first, "https://b.example/"),
    await registerIdentity(local.chain, second),
  ] as const;
  await transferIdentity(local.chain, first, b, second.address);
  await index();
  expect(await readIndex()).toMatchObject(await Promise.all([a, b, c].map(readContract)));
  await callIdentity(local.chain, second, "unsetAgentWallet", [BigInt(c)]);
  await callIdentity(local.chain, second, "setAgentURI", [BigInt(b), "https://new.example/"]);
  const [key, value] = ["agentWallet2", stringToHex("not a wallet")];
  await callIdentity(local.chain, first, "setMetadata", [BigInt(a), key, value]);
  const d = await registerIdentity(local.chain, second);
  await transferIdentity(local.chain, second, c, first.address);
  await index();
  await index();
  const rows = await readIndex();
  expect(rows).toMatchObject(await Promise.all([a, b, c, d].map(readContract)));
  expect(rows.map(({ registrationUri }) => registrationUri)).toEqual([
    ...["https://a.example/", "https://new.example/", "", ""],
  ]);
  expect(rows.every((row) => row.changedBlock >= row.registeredBlock)).toBe(true);
});

test("keeps no URI that the database or a page could not hold", async () => {
  const ids = [
    await registerIdentity(local.chain, first, "https://a.example/\0"),
    await registerIdentity(local.chain, first, `data:,${"x".repeat(3_000)}`),
  ];
  await index();
  const own = (await readIndex()).filter(({ erc8004AgentId }) => ids.includes(erc8004AgentId));
  expect(own.map(({ registrationUri }) => registrationUri)).toEqual(["", ""]);
});

test("forgets the identities of a registry that was replaced", async () => {
  await registerIdentity(local.chain, first);
  await index();
  expect(await readIndex()).not.toEqual([]);
  const { erc8004 } = local.chain;
  if (!erc8004) throw new Error("the chain has no registries");
  const replaced = { ...erc8004, identityAddress: erc8004.reputationAddress };
  await index({ ...local.chain, erc8004: replaced });
  expect(await readIndex()).toEqual([]);
  expect(await database.db.select().from(logCursors)).toHaveLength(1);
  await index();
  expect(await readIndex()).not.toEqual([]);
});

test("does nothing without a registry", async () => {
  expect(await index({ ...local.chain, erc8004: null })).toBe(false);
  expect(await database.db.select().from(logCursors)).toEqual([]);
});
