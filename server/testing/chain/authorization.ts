import { type Hex, parseSignature } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { encodeUsdcCall, type LocalPayments } from "./payments";

export const AUTHORIZATION_TYPES = {
  TransferWithAuthorization: [
    ...["from", "to"].map((name) => ({ name, type: "address" })),
    ...["value", "validAfter", "validBefore"].map((name) => ({ name, type: "uint256" })),
    { name: "nonce", type: "bytes32" },
  ],
};

interface Authorization {
  to: Hex;
  amountMicro: bigint;
  nonce: Hex;
  /** A contract wallet whose owner signs; the signer's own wallet by default. */
  from?: Hex;
}

/** Builds the call by which any account relays a transfer that `signer` authorizes (EIP-3009). */
export async function authorizeTransfer(
  local: LocalPayments,
  signer: PrivateKeyAccount,
  { to, amountMicro, nonce, from }: Authorization,
) {
  const message = {
    from: from ?? signer.address,
    to,
    value: amountMicro,
    validAfter: 0n,
    validBefore: 2n ** 40n,
    nonce,
  };
  const { id: chainId, usdcAddress: verifyingContract } = local.chain;
  const signature = await signer.signTypedData({
    domain: { name: "USD Coin", version: "1", chainId, verifyingContract },
    types: AUTHORIZATION_TYPES,
    primaryType: "TransferWithAuthorization",
    message,
  });
  const { r, s, yParity } = parseSignature(signature);
  return encodeUsdcCall(local, "transferWithAuthorization", [
    ...Object.values(message),
    ...(from ? [signature] : [yParity + 27, r, s]),
  ]);
}
