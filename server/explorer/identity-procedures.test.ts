import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { indexRegistrations } from "@/server/identities/index-registrations";
import { readDueFiles } from "@/server/identities/read-due-files";
import { identityLinks } from "@/server/identities/tables";
import { registerIdentity } from "@/server/testing/chain/erc8004";
import { signProof } from "@/server/testing/chain/wallet-proofs";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { startTestService, type TestService } from "@/server/testing/service";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const register = ({ account }: TestAgent) => registerIdentity(service.runtime.core.chain, account);
const link = ({ apiKey: key }: TestAgent, erc8004AgentId: unknown) =>
  service.call("PATCH", "/agents/me", { key, body: { erc8004AgentId } });

async function createLinked() {
  const agent = await service.agent({ proven: true });
  const agentId = await register(agent);
  expect(await link(agent, agentId)).toMatchObject({ status: 200 });
  return { agent, agentId };
}

test("a linked identity is on the profile, and finds the agent", async () => {
  const { agent, agentId } = await createLinked();
  const { body: own } = await service.call("GET", `/agents/${agent.wallet}`);
  expect(own.erc8004).toMatchObject({ agentId, proof: "owner", explorerUrl: null });
  const { body: found } = await service.call("GET", `/agents/by-erc8004/${agentId}`);
  expect(found).toMatchObject({ walletAddress: agent.wallet, erc8004: { agentId } });
  const { body: check } = await service.call("GET", `/agents/erc8004:${agentId}/check`);
  expect(check.walletAddress).toBe(agent.wallet);
  for (const q of [agentId, `erc8004:${agentId}`]) {
    const { body: searched } = await service.call("GET", `/explore/search?q=${q}`);
    expect(searched.content).toMatchObject([{ walletAddress: agent.wallet }]);
    expect(searched.totalElements).toBe(1);
  }
  expect(await link(agent, null)).toMatchObject({ status: 200, body: { erc8004: null } });
  expect((await service.call("GET", `/agents/by-erc8004/${agentId}`)).status).toBe(404);
  expect((await service.call("GET", `/agents/${agent.wallet}`)).body.erc8004).toBeNull();
});

test("a profile has what the agent says of itself, once the file was read", async () => {
  const agent = await service.agent({ proven: true });
  const says = { name: "Reader", services: [{ name: "mcp", endpoint: "https://a.example/mcp" }] };
  const uri = `data:application/json;base64,${Buffer.from(JSON.stringify(says)).toString("base64")}`;
  const { chain } = service.runtime.core;
  const linked = await link(agent, await registerIdentity(chain, agent.account, uri));
  expect(linked.body.erc8004).toMatchObject({ file: null });
  await readDueFiles(service.runtime.core);
  const { body } = await service.call("GET", `/agents/${agent.wallet}`);
  expect(body.erc8004.file).toEqual({
    ...{ uri: null, problem: null, name: "Reader", description: null },
    services: [{ kind: "MCP", name: "mcp", endpoint: "https://a.example/mcp", version: null }],
    readAt: expect.stringMatching(/Z$/),
  });
});

test("the registration file says which kind the agent's endpoint has", async () => {
  const agent = await service.agent();
  const endpoint = "https://agent.example/card.json";
  const read = async () => (await service.call("GET", `/agents/${agent.wallet}/erc8004.json`)).body;
  const { db } = service.database;
  for (const [links, name] of [
    [{ endpoint, endpointKind: "A2A" }, "A2A"],
    [{ endpoint }, "web"],
  ] as const) {
    await db.update(agents).set({ links }).where(eq(agents.wallet, agent.wallet));
    expect((await read()).services[0]).toEqual({ name, endpoint });
  }
});

test("an identity that no agent has linked is a 404 that says who owns it", async () => {
  const agent = await service.agent();
  const agentId = await register(agent);
  const path = `/agents/by-erc8004/${agentId}`;
  const early = await service.call("GET", path);
  expect(early.body).toMatchObject({ status: 404, detail: expect.stringContaining("index") });
  await indexRegistrations(service.runtime.core);
  const { body } = await service.call("GET", path);
  expect(body.detail).toContain(`which ${agent.wallet} owns`);
  expect((await service.call("GET", `/agents/erc8004:${agentId}/check`)).status).toBe(404);
});

test("links need a verified wallet that holds the identity, and an id", async () => {
  const { agent, agentId } = await createLinked();
  const stranger = await service.agent({ proven: true });
  expect(await link(stranger, agentId)).toMatchObject({
    status: 422,
    body: { code: "identity-not-held" },
  });
  const squatter = await service.agent();
  const own = await register(squatter);
  expect(await link(squatter, own)).toMatchObject({ status: 403, body: { code: "forbidden" } });
  for (const wrong of ["01", "-1", "0x1", "1e3", "9".repeat(16), 7, undefined]) {
    expect((await link(agent, wrong)).status).toBe(400);
  }
  const anonymous = await service.call("PATCH", "/agents/me", { body: { erc8004AgentId: null } });
  expect(anonymous.status).toBe(401);
  const { body } = await service.call("GET", `/agents/${agent.wallet}`);
  expect(body.erc8004.agentId).toBe(agentId);
});

test("the registration file names profile, identity and service", async () => {
  const { agent, agentId } = await createLinked();
  const { body } = await service.call("GET", `/agents/${agent.wallet}/erc8004.json`);
  const { erc8004 } = service.runtime.core.chain;
  const origin = service.base.replace("/api/v1", "");
  expect(body).toEqual({
    type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
    name: "An agent",
    description: "",
    image: `${origin}/agents/${agent.wallet}/badge.svg`,
    services: [
      { name: "Standing", endpoint: `${service.base}/agents/${agent.wallet}`, version: "1" },
    ],
    active: true,
    registrations: [
      { agentId: Number(agentId), agentRegistry: `eip155:31337:${erc8004?.identityAddress}` },
    ],
    supportedTrust: ["reputation"],
  });
  const nobody = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
  expect((await service.call("GET", `/agents/${nobody}/erc8004.json`)).status).toBe(404);
});

test("a takeover of the registration removes its link", async () => {
  const squatter = await service.agent();
  const agentId = await register(squatter);
  const { db } = service.database;
  await db.insert(identityLinks).values({
    ...{ wallet: squatter.wallet, erc8004AgentId: agentId, proof: "owner" },
    ...{ checkedBlock: 1n, checkedAt: new Date() },
  });
  const { body: nonce } = await service.call("POST", "/auth/nonce");
  const walletProof = await signProof(squatter.account, nonce);
  const { body } = await service.call("POST", "/agents/register", {
    body: { agentAddress: squatter.wallet, name: "The owner", walletProof },
  });
  expect(body.takeover).toBe(true);
  expect((await service.call("GET", `/agents/${squatter.wallet}`)).body.erc8004).toBeNull();
});

test("without registries the API says which variable is missing", async () => {
  const off = await startTestService({
    sharedWith: service,
    env: { ERC8004_IDENTITY_ADDRESS: "off" },
  });
  const path = "/agents/by-erc8004/1";
  expect(await off.call("GET", path)).toMatchObject({
    status: 503,
    body: {
      code: "identities-unavailable",
      help: expect.stringContaining("ERC8004_IDENTITY_ADDRESS"),
    },
  });
  const { agent } = await createLinked();
  const { body: network } = await off.call("GET", "/network");
  expect(network).toMatchObject({ erc8004: null, erc8004Note: "ERC8004_IDENTITY_ADDRESS is off." });
  expect((await off.call("GET", `/agents/${agent.wallet}`)).body.erc8004).toBeNull();
  await off.close();
});
