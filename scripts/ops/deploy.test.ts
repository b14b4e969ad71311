import { parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readRegistry } from "@/server/chain/registry/read-registry";
import { registryAbi } from "@/server/chain/registry/record-encodings";
import { readGateRegistry, readGateSigner } from "@/server/chain/score-gate";
import { startTestChain, type TestChain } from "@/server/testing/chain/chain";
import { createFundedAccount } from "@/server/testing/chain/payments";
import { type Deployment, deploy } from "./deploy";

let testChain: TestChain;
beforeAll(async () => {
  testChain = await startTestChain();
  vi.spyOn(console, "log").mockImplementation(() => {});
});
afterAll(() => testChain.close());

test("deploys an empty registry that only its recorder can write to", async () => {
  const key = generatePrivateKey();
  await testChain.node.setBalance({
    address: privateKeyToAccount(key).address,
    value: parseEther("1"),
  });
  const [owner, recorder] = [
    await createFundedAccount(testChain),
    await createFundedAccount(testChain),
  ];
  const args = [owner.address, recorder.address];
  const address = await deploy({ verb: "deploy", rpc: testChain.rpcUrl, args }, key);
  const { client } = testChain.chain;
  expect(await readRegistry({ client, address })).toMatchObject({ records: [], faults: [] });
  const isRecorder = (account: `0x${string}`) =>
    client.readContract({ address, abi: registryAbi, functionName: "isRecorder", args: [account] });
  expect([await isRecorder(recorder.address), await isRecorder(owner.address)]).toEqual([
    true,
    false,
  ]);
});

test("deploys the gate of a registry with its signer", async () => {
  const key = generatePrivateKey();
  const [deployer, signer] = [
    privateKeyToAccount(key).address,
    await createFundedAccount(testChain),
  ];
  await testChain.node.setBalance({ address: deployer, value: parseEther("1") });
  const { client, registryAddress: registry } = testChain.chain;
  const args = [registry, signer.address];
  const address = await deploy({ verb: "deploy-gate", rpc: testChain.rpcUrl, args }, key);
  expect(await readGateRegistry(client, address)).toBe(registry);
  expect(await readGateSigner(client, address)).toBe(signer.address);
});

test("explains in one sentence that the key or the node is missing", async () => {
  const { address } = testChain.chain.recorder;
  const rpc = "http://127.0.0.1:9";
  const deployment: Deployment = { verb: "deploy", rpc, args: [address, address] };
  await expect(deploy(deployment, undefined)).rejects.toThrow(/^DEPLOYER_KEY must be set/);
  await expect(deploy(deployment, generatePrivateKey())).rejects.toThrow(
    /^No node responds at 127/,
  );
});
