import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { linkIdentity } from "@/server/agents/account";
import { authenticate } from "@/server/agents/authenticate";
import { agents } from "@/server/agents/tables";
import { startTestChain, type TestChain } from "@/server/testing/chain/chain";
import { callIdentity, registerIdentity, transferIdentity } from "@/server/testing/chain/erc8004";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase, deleteAllRows, type TestDatabase } from "@/server/testing/database";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { indexRegistrations } from "./index-registrations";
import { findLinkedIdentity, readOwnIdentity } from "./queries";
import { readDueFiles } from "./read-due-files";
import { recheckLinks } from "./recheck-links";
import { identityLinks } from "./tables";

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

const core = () => createTestCore(database, { chain: local.chain });

async function createAgent(): Promise<TestAgent> {
  const agent = await createTestAgent(database);
  const walletVerifiedAt = new Date();
  await database.db.update(agents).set({ walletVerifiedAt }).where(eq(agents.id, agent.id));
  return agent;
}

async function link(agent: TestAgent, agentId: string | null) {
  const caller = await authenticate(database.db, agent.apiKey);
  if (!caller) throw new Error("the key is not valid");
  return linkIdentity(core(), caller, agentId);
}

const linkedId = async ({ wallet }: TestAgent) =>
  (await findLinkedIdentity(core(), wallet))?.agentId ?? null;
const change = (from: TestAgent, functionName: string, args: unknown[]) =>
  callIdentity(local.chain, from.account, functionName, args);

/** Sets the agent's wallet, with the signature of that wallet. */
async function setAgentWallet(owner: TestAgent, agentId: string, to: TestAgent) {
  const { timestamp } = await local.chain.client.getBlock();
  const message = {
    agentId: BigInt(agentId),
    newWallet: to.wallet,
    owner: owner.wallet,
    deadline: timestamp + 200n,
  };
  const signature = await to.account.signTypedData({
    domain: {
      name: "ERC8004IdentityRegistry",
      version: "1",
      chainId: local.chain.id,
      verifyingContract: local.chain.erc8004?.identityAddress,
    },
    types: {
      AgentWalletSet: [
        { name: "agentId", type: "uint256" },
        { name: "newWallet", type: "address" },
        { name: "owner", type: "address" },
        { name: "deadline", type: "uint256" },
      ],
    },
    primaryType: "AgentWalletSet",
    message,
  });
  const { status } = await change(owner, "setAgentWallet", [
    ...[BigInt(agentId), to.wallet, message.deadline, signature],
  ]);
  expect(status).toBe("success");
}

describe("a link", () => {
  test("is accepted for the owner, the agent wallet and an operator, and says which", async () => {
    const [owner, worker, operator] = [
      await createAgent(),
      await createAgent(),
      await createAgent(),
    ];
    const agentId = await registerIdentity(local.chain, owner.account);
    const linked = await link(owner, agentId);
    const latest = Number(await local.chain.client.getBlockNumber({ cacheTime: 0 }));
    expect(linked).toMatchObject({
      agentId,
      registry: `eip155:31337:${local.chain.erc8004?.identityAddress}`,
      proof: "owner",
      checkedBlock: latest,
      explorerUrl: null,
    });
    expect(await link(owner, null)).toBeNull();
    await setAgentWallet(owner, agentId, worker);
    expect(await link(worker, agentId)).toMatchObject({ proof: "agent-wallet" });
    await link(worker, null);
    await change(owner, "approve", [operator.wallet, BigInt(agentId)]);
    expect(await link(operator, agentId)).toMatchObject({ proof: "operator" });
  });

  test("is refused for a stranger, an unknown identity and an unverified wallet", async () => {
    const [owner, stranger] = [await createAgent(), await createAgent()];
    const agentId = await registerIdentity(local.chain, owner.account);
    await expect(link(stranger, agentId)).rejects.toMatchObject({
      code: "identity-not-held",
      message: expect.stringContaining(`it belongs to ${owner.wallet}`),
    });
    await expect(link(stranger, "999999")).rejects.toMatchObject({ code: "identity-not-held" });
    const unverified = await createTestAgent(database);
    const own = await registerIdentity(local.chain, unverified.account);
    await expect(link(unverified, own)).rejects.toMatchObject({ code: "forbidden" });
    expect(await database.db.select().from(identityLinks)).toEqual([]);
  });

  test("is refused while another agent holds it, and replaces one that no longer holds", async () => {
    const [first, second] = [await createAgent(), await createAgent()];
    const agentId = await registerIdentity(local.chain, first.account);
    await change(first, "approve", [second.wallet, BigInt(agentId)]);
    await link(first, agentId);
    await expect(link(second, agentId)).rejects.toMatchObject({ code: "conflict" });
    await transferIdentity(local.chain, first.account, agentId, second.wallet);
    expect(await link(second, agentId)).toMatchObject({ proof: "owner" });
    expect(await readOwnIdentity(core(), first.wallet)).toMatchObject({
      linked: null,
      lost: { agentId, reason: expect.stringContaining(`belonged to ${second.wallet}`) },
    });
  });

  test("is one a wallet, and goes to one of several agents that hold it", async () => {
    const [owner, operator] = [await createAgent(), await createAgent()];
    const agentId = await registerIdentity(local.chain, owner.account);
    await change(owner, "approve", [operator.wallet, BigInt(agentId)]);
    const results = await Promise.allSettled([link(owner, agentId), link(operator, agentId)]);
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused).toEqual([
      { status: "rejected", reason: expect.objectContaining({ code: "conflict" }) },
    ]);
    const other = await registerIdentity(local.chain, owner.account);
    await link(owner, other);
    expect(await linkedId(owner)).toBe(other);
    expect(await database.db.select().from(identityLinks)).toHaveLength(
      results[0]?.status === "fulfilled" ? 1 : 2,
    );
  });
});

describe("a stored link", () => {
  test("ends with a reason once the index sees a transfer", async () => {
    const [owner, buyer] = [await createAgent(), await createAgent()];
    const agentId = await registerIdentity(local.chain, owner.account);
    await link(owner, agentId);
    await indexRegistrations(core());
    expect(await recheckLinks(core())).toBe(0);
    await transferIdentity(local.chain, owner.account, agentId, buyer.wallet);
    await indexRegistrations(core());
    expect(await recheckLinks(core())).toBe(1);
    expect(await linkedId(owner)).toBeNull();
    const state = await readOwnIdentity(core(), owner.wallet);
    expect(state?.lost?.reason).toMatch(
      `identity ${agentId} belonged to ${buyer.wallet}, and your wallet was neither`,
    );
    expect(state?.held).toEqual([]);
    expect((await readOwnIdentity(core(), buyer.wallet))?.held).toEqual([agentId]);
  });

  test("stays with the owner when the agent wallet changes, and says what holds now", async () => {
    const [owner, worker] = [await createAgent(), await createAgent()];
    const agentId = await registerIdentity(local.chain, owner.account);
    await setAgentWallet(owner, agentId, worker);
    await link(worker, agentId);
    await change(owner, "approve", [worker.wallet, BigInt(agentId)]);
    await change(owner, "unsetAgentWallet", [BigInt(agentId)]);
    await indexRegistrations(core());
    expect(await recheckLinks(core())).toBe(0);
    expect(await findLinkedIdentity(core(), worker.wallet)).toMatchObject({ proof: "operator" });
  });

  test("of an operator ends within a day after the approval", async () => {
    const [owner, operator] = [await createAgent(), await createAgent()];
    const agentId = await registerIdentity(local.chain, owner.account);
    await change(owner, "setApprovalForAll", [operator.wallet, true]);
    await link(operator, agentId);
    await indexRegistrations(core());
    await recheckLinks(core());
    await change(owner, "setApprovalForAll", [operator.wallet, false]);
    expect(await recheckLinks(core())).toBe(0);
    const checkedAt = new Date(Date.now() - 25 * 3_600_000);
    await database.db.update(identityLinks).set({ checkedAt });
    expect(await recheckLinks(core())).toBe(1);
  });

  test("stays while the node is unreachable or behind what was seen", async () => {
    const owner = await createAgent();
    const agentId = await registerIdentity(local.chain, owner.account);
    await link(owner, agentId);
    const checkedAt = new Date(0);
    await database.db.update(identityLinks).set({ checkedAt, checkedBlock: 1_000_000n });
    const isBehind = createTestCore(database, { chain: { ...local.chain, rpcUrl: null } });
    expect(await recheckLinks(isBehind)).toBe(0);
    await expect(recheckLinks(createTestCore(database, { chain: unreachable() }))).rejects.toThrow(
      "unavailable",
    );
    expect(await linkedId(owner)).toBe(agentId);
  });
});

describe("the registration file of a linked identity", () => {
  const name = (text: string) => `data:application/json,{"name":"${text}"}`;
  const readFile = async ({ wallet }: TestAgent) =>
    (await findLinkedIdentity(core(), wallet))?.file ?? null;

  test("is read once after the link, after a change of its URI, and when it is linked again", async () => {
    const owner = await createAgent();
    const agentId = await registerIdentity(local.chain, owner.account, name("First"));
    await link(owner, agentId);
    expect(await readFile(owner)).toBeNull();
    await readDueFiles(core());
    const first = await readFile(owner);
    expect(first).toMatchObject({ uri: null, problem: null, name: "First", services: [] });
    await change(owner, "setAgentURI", [BigInt(agentId), name("Second")]);
    await readDueFiles(core());
    expect(await readFile(owner)).toEqual(first);
    await indexRegistrations(core());
    await recheckLinks(core());
    await readDueFiles(core());
    expect(await readFile(owner)).toMatchObject({ name: "Second" });
    await link(owner, agentId);
    expect(await readFile(owner)).toBeNull();
    await readDueFiles(core());
    expect(await readFile(owner)).toMatchObject({ name: "Second" });
  });

  test("stays as it was while the node is unreachable", async () => {
    const owner = await createAgent();
    await link(owner, await registerIdentity(local.chain, owner.account, name("First")));
    const isDown = createTestCore(database, { chain: unreachable() });
    await expect(readDueFiles(isDown)).rejects.toThrow();
    expect(await readFile(owner)).toBeNull();
  });
});

/** The registries on a chain whose node does not respond. */
const unreachable = () => ({ ...createTestCore(database).chain, erc8004: local.chain.erc8004 });
