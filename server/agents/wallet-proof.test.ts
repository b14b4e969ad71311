import {
  type Address,
  createPublicClient,
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  http,
  type LocalAccount,
  zeroHash,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { serializeErc6492Signature } from "viem/utils";
import { afterAll, describe, expect, it } from "vitest";
import OwnedWallet from "@/contracts/testing/OwnedWallet.json";
import WalletFactory from "@/contracts/testing/WalletFactory.json";
import { startAnvil } from "@/server/local/anvil";
import { waitForReceipt } from "@/server/local/contracts";
import { createProofMessage, signProof } from "@/server/testing/chain/wallet-proofs";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { createNonce } from "./nonce";
import { verifyProof } from "./wallet-proof";

const database = await createTestDatabase();
const anvil = await startAnvil();
afterAll(async () => {
  await anvil.stop();
  await database.close();
});

const transport = http(anvil.rpcUrl);
const client = createPublicClient({ chain: foundry, transport, pollingInterval: 20 });
const offline = createTestCore(database);
const core = createTestCore(database, {
  chain: { ...offline.chain, id: anvil.chainId, client },
});
const { context } = createTestContext(core);
const owner = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());

async function deploy(data: Hex): Promise<Address> {
  const wallet = createWalletClient({
    account: privateKeyToAccount(anvil.stakeKey),
    chain: foundry,
    transport,
  });
  const hash = await wallet.sendTransaction({ data });
  const { contractAddress } = await waitForReceipt(client, hash);
  if (!contractAddress) throw new Error("nothing was deployed");
  return contractAddress;
}

const walletCode = (of: Address) =>
  encodeDeployData({
    abi: OwnedWallet.abi,
    bytecode: OwnedWallet.bytecode as Hex,
    args: [of],
  });

/** Signs with `signer` for the contract wallet at `wallet`, and returns whether it is accepted. */
async function proveFor(
  wallet: Address,
  signer: LocalAccount,
  wrap = (signature: Hex): Hex => signature,
) {
  const message = createProofMessage(wallet, await createNonce(context));
  const signature = wrap(await signer.signMessage({ message }));
  return verifyProof(context, { wallet, proof: { message, signature }, purpose: "register" });
}

const REFUSED = { code: "wallet-proof-invalid", detail: expect.stringContaining("signature") };

describe("a plain account's proof", () => {
  it("is valid without a chain", async () => {
    const { context } = createTestContext(offline);
    const nonce = await createNonce(context);
    const proof = await signProof(owner, nonce);
    const claim = { wallet: owner.address, proof, purpose: "register" } as const;
    expect(await verifyProof(context, claim)).toBe(nonce.nonce);
  });

  it("is invalid if another account signed it", async () => {
    await expect(proveFor(owner.address, stranger)).rejects.toMatchObject(REFUSED);
  });

  it("is invalid for another purpose", async () => {
    const proof = await signProof(owner, await createNonce(context));
    await expect(
      verifyProof(context, { wallet: owner.address, proof, purpose: "signIn" }),
    ).rejects.toMatchObject({ code: "wallet-proof-invalid" });
  });

  it("is invalid with a nonce that was not issued", async () => {
    const nonce = { ...(await createNonce(context)), nonce: "0".repeat(32) };
    const proof = await signProof(owner, nonce);
    await expect(
      verifyProof(context, { wallet: owner.address, proof, purpose: "register" }),
    ).rejects.toMatchObject({
      code: "wallet-proof-invalid",
      detail: expect.stringContaining("nonce"),
    });
  });

  it("is invalid with a malformed signature", async () => {
    for (const signature of ["0x00", `0x${"00".repeat(65)}`, `0x${"ff".repeat(96)}`] as const) {
      await expect(proveFor(owner.address, owner, () => signature)).rejects.toMatchObject(REFUSED);
    }
  });
});

describe("a contract wallet's proof", () => {
  it("is valid if and only if the wallet accepts it (ERC-1271)", async () => {
    const wallet = await deploy(walletCode(owner.address));
    expect(await proveFor(wallet, owner)).toEqual(expect.any(String));
    await expect(proveFor(wallet, stranger)).rejects.toMatchObject(REFUSED);
    await expect(proveFor(wallet, owner, () => "0x1234")).rejects.toMatchObject(REFUSED);
  });

  it("says that the wallet has no code on this chain, whatever it signed with", async () => {
    const { address } = privateKeyToAccount(generatePrivateKey());
    const explanation = `${address}, and this address has no code on chain 31337: a contract wallet has to be`;
    for (const wrap of [undefined, () => `0x${"1".repeat(400)}` as const]) {
      await expect(proveFor(address, owner, wrap)).rejects.toMatchObject({
        code: "wallet-proof-invalid",
        detail: expect.stringContaining(explanation),
      });
    }
    const wallet = await deploy(walletCode(owner.address));
    await expect(proveFor(wallet, stranger)).rejects.toMatchObject({
      detail: `The signature is not ${wallet}'s signature of this message.`,
    });
  });

  it("is valid for a wallet that is not deployed yet (ERC-6492), and only for its owner", async () => {
    const factory = await deploy(WalletFactory.bytecode as Hex);
    const wallet = getContractAddress({
      opcode: "CREATE2",
      from: factory,
      salt: zeroHash,
      bytecode: walletCode(owner.address),
    });
    const wrap = (signature: Hex) =>
      serializeErc6492Signature({
        address: factory,
        data: encodeFunctionData({
          abi: WalletFactory.abi,
          functionName: "deploy",
          args: [owner.address],
        }),
        signature,
      });
    expect(await proveFor(wallet, owner, wrap)).toEqual(expect.any(String));
    await expect(proveFor(wallet, stranger, wrap)).rejects.toMatchObject(REFUSED);
    await expect(proveFor(wallet, owner)).rejects.toMatchObject(REFUSED);
  });

  it("is unavailable if the chain does not respond", async () => {
    const { context } = createTestContext(offline);
    const message = createProofMessage(stranger.address, await createNonce(context));
    const signature = await owner.signMessage({ message });
    const claim = {
      wallet: stranger.address,
      proof: { message, signature },
      purpose: "register",
    } as const;
    await expect(verifyProof(context, claim)).rejects.toMatchObject({
      code: "unavailable",
      headers: { "Retry-After": expect.any(String) },
    });
  });
});
