import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { type Hex, parseAbi } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { expect, test } from "vitest";
import { startTestChain } from "@/server/testing/chain/chain";

test("the manual's commands mint and pay test USDC", async () => {
  const [, manual = ""] = readFileSync("docs/chain.md", "utf8").split("## Test USDC");
  const [, commands = ""] = /```sh\n([^`]+)```/.exec(manual) ?? [];
  const { chain, rpcUrl, close } = await startTestChain();
  const [WALLET, PAYEE] = [generatePrivateKey(), generatePrivateKey()].map(privateKeyToAddress);
  const env = { ...process.env, RPC_URL: rpcUrl, USDC: chain.usdcAddress, WALLET, PAYEE };
  const { stdout } = await promisify(execFile)("sh", ["-c", commands], { env });
  expect(stdout).toMatch(/"result":"0x[0-9a-f]{64}"\}$/);
  const balanceOf = (wallet?: Hex) =>
    chain.client.readContract({
      address: chain.usdcAddress,
      abi: parseAbi(["function balanceOf(address) view returns (uint256)"]),
      functionName: "balanceOf",
      args: [wallet as Hex],
    });
  await expect.poll(() => balanceOf(PAYEE)).toBe(12_500_000n);
  expect(await balanceOf(WALLET)).toBe(87_500_000n);
  await close();
});
