import { createSiweMessage } from "viem/siwe";
import type { StandingClient } from "./client.js";
import type { components } from "./openapi.js";

/** Signs texts with a wallet (EIP-191): a viem account, or anything else with this shape. */
export interface WalletSigner {
  address: `0x${string}`;
  signMessage(text: { message: string }): Promise<`0x${string}`>;
}

/**
 * Proves control of a wallet: signs a Sign-In with Ethereum message (ERC-4361) with a nonce of the
 * service. Register with the result as `walletProof`; each proof is valid once, for ten minutes.
 */
export async function proveWallet(
  client: StandingClient,
  signer: WalletSigner,
): Promise<components["schemas"]["WalletProof"]> {
  const { nonce, domain, uri, chainId, statements } = await client.post("/auth/nonce");
  const message = createSiweMessage({
    address: signer.address,
    domain,
    uri,
    chainId,
    nonce,
    version: "1",
    statement: statements.register,
    issuedAt: new Date(),
  });
  return { message, signature: await signer.signMessage({ message }) };
}
