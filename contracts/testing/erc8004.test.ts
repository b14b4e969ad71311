import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestChain, type TestChain } from "@/server/testing/chain/chain";
import {
  callIdentity,
  callReputation,
  registerIdentity,
  transferIdentity,
} from "@/server/testing/chain/erc8004";
import identityRegistry from "./IdentityRegistry.json";
import reputationRegistry from "./ReputationRegistry.json";

let local: TestChain;
beforeAll(async () => {
  local = await startTestChain();
});
afterAll(() => local.close());

const [owner, other, client] = [1, 2, 3].map(() => privateKeyToAccount(generatePrivateKey())) as [
  PrivateKeyAccount,
  PrivateKeyAccount,
  PrivateKeyAccount,
];
const ZERO = "0x0000000000000000000000000000000000000000";
const HASH = `0x${"12".repeat(32)}` as const;

const readIdentity = (functionName: string, ...args: unknown[]) =>
  local.chain.client.readContract({
    abi: identityRegistry.abi,
    address: local.chain.erc8004?.identityAddress ?? ZERO,
    functionName,
    args,
  });
const readReputation = (functionName: string, ...args: unknown[]) =>
  local.chain.client.readContract({
    abi: reputationRegistry.abi,
    address: local.chain.erc8004?.reputationAddress ?? ZERO,
    functionName,
    args,
  });
const register = (account = owner) => registerIdentity(local.chain, account, "https://a.example/");
const change = async (from: PrivateKeyAccount, name: string, ...args: unknown[]) =>
  (await callIdentity(local.chain, from, name, args)).status;
const give = async (from: PrivateKeyAccount, agentId: string, value: bigint, tag = "uptime") =>
  (
    await callReputation(local.chain, from, "giveFeedback", [
      ...[BigInt(agentId), value, 0, tag, "", "", "https://f.example/", HASH],
    ])
  ).status;

test("a registered agent belongs to its owner, who is its wallet until the next transfer", async () => {
  const agentId = await register();
  expect(await readIdentity("ownerOf", agentId)).toBe(owner.address);
  expect(await readIdentity("getAgentWallet", agentId)).toBe(owner.address);
  expect(await readIdentity("tokenURI", agentId)).toBe("https://a.example/");
  expect(await readIdentity("isAuthorizedOrOwner", owner.address, agentId)).toBe(true);
  expect(await readIdentity("isAuthorizedOrOwner", other.address, agentId)).toBe(false);
  await transferIdentity(local.chain, owner, agentId, other.address);
  expect(await readIdentity("ownerOf", agentId)).toBe(other.address);
  expect(await readIdentity("getAgentWallet", agentId)).toBe(ZERO);
  expect(await change(owner, "setAgentURI", agentId, "https://b.example/")).toBe("reverted");
  expect(await change(other, "setAgentURI", agentId, "https://b.example/")).toBe("success");
});

test("another wallet acts for an agent only with its signature of at most five minutes", async () => {
  const agentId = await register();
  const { timestamp } = await local.chain.client.getBlock();
  const setWallet = async (deadline: bigint, signer = other) => {
    const signature = await signer.signTypedData({
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
      message: {
        agentId: BigInt(agentId),
        newWallet: other.address,
        owner: owner.address,
        deadline,
      },
    });
    return change(owner, "setAgentWallet", agentId, other.address, deadline, signature);
  };
  expect(await setWallet(timestamp + 3_600n)).toBe("reverted");
  expect(await setWallet(timestamp - 3_600n)).toBe("reverted");
  expect(await setWallet(timestamp + 240n, owner)).toBe("reverted");
  expect(await change(owner, "setMetadata", agentId, "agentWallet", "0x")).toBe("reverted");
  expect(await setWallet(timestamp + 240n)).toBe("success");
  expect(await readIdentity("getAgentWallet", agentId)).toBe(other.address);
  expect(await change(owner, "unsetAgentWallet", agentId)).toBe("success");
  expect(await readIdentity("getAgentWallet", agentId)).toBe(ZERO);
});

test("all but owner and operators give feedback, count their own from 1, and revoke it", async () => {
  const agentId = await register();
  await change(owner, "setApprovalForAll", other.address, true);
  expect(await give(owner, agentId, 100n)).toBe("reverted");
  expect(await give(other, agentId, 100n)).toBe("reverted");
  expect(await give(client, agentId, 100n)).toBe("success");
  expect(await give(client, agentId, 0n)).toBe("success");
  expect(await give(local.chain.recorder, agentId, 50n, "quality")).toBe("success");
  const clients = [client.address, local.chain.recorder.address];
  expect(await readReputation("getClients", agentId)).toEqual(clients);
  expect(await readReputation("getLastIndex", agentId, client.address)).toBe(2n);
  expect(await readReputation("getSummary", agentId, clients, "", "")).toEqual([3n, 50n, 0]);
  expect(await readReputation("getSummary", agentId, clients, "quality", "")).toEqual([1n, 50n, 0]);
  const revoke = async (from: PrivateKeyAccount, index: bigint) =>
    (await callReputation(local.chain, from, "revokeFeedback", [BigInt(agentId), index])).status;
  expect(await revoke(other, 1n)).toBe("reverted");
  expect(await revoke(client, 2n)).toBe("success");
  expect(await revoke(client, 2n)).toBe("reverted");
  expect(await readReputation("getSummary", agentId, [client.address], "", "")).toEqual([
    ...[1n, 100n, 0],
  ]);
  expect(await readReputation("readAllFeedback", agentId, [], "uptime", "", true)).toEqual([
    [client.address, client.address],
    [1n, 2n],
    [100n, 0n],
    [0, 0],
    ["uptime", "uptime"],
    ["", ""],
    [false, true],
  ]);
});
