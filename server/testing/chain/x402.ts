import { randomBytes } from "node:crypto";
import { type Hex, parseSignature } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { type Listening, serveHandler } from "@/server/testing/http/listen";
import { AUTHORIZATION_TYPES } from "./authorization";
import { sendDirectly } from "./chain";
import { encodeUsdcCall, fund, type LocalPayments } from "./payments";

/** `PaymentRequirements` of x402 v2, scheme `exact`, on an EVM chain. */
interface Requirements {
  scheme: "exact";
  network: string;
  amount: string;
  asset: Hex;
  payTo: Hex;
  maxTimeoutSeconds: number;
  extra: { name: string; version: string };
}

/** The signed message of EIP-3009; integers as decimal text. */
interface Authorization {
  from: Hex;
  to: Hex;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: Hex;
}

interface PaymentPayload {
  x402Version: 2;
  accepted: Requirements;
  payload: { signature: Hex; authorization: Authorization };
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64");
const decode = <T>(header: string): T => JSON.parse(Buffer.from(header, "base64").toString());

/**
 * Serves a text for `amountMicro` USDC by x402 v2 over HTTP. Settles as a facilitator does: relays
 * the buyer's signed EIP-3009 transfer in a transaction of its own.
 */
export async function startX402Seller(
  local: LocalPayments,
  { payTo, amountMicro, text }: { payTo: Hex; amountMicro: bigint; text: string },
): Promise<Listening> {
  const relayer = privateKeyToAccount(generatePrivateKey());
  await fund(local, relayer.address);
  const network = `eip155:${local.chain.id}`;
  const requirements: Requirements = {
    scheme: "exact",
    network,
    amount: String(amountMicro),
    asset: local.chain.usdcAddress,
    payTo,
    maxTimeoutSeconds: 60,
    extra: { name: "USD Coin", version: "1" },
  };
  return serveHandler(async ({ headers }) => {
    const signed = headers.get("payment-signature");
    if (signed === null) {
      const required = { x402Version: 2, accepts: [requirements] };
      return new Response("{}", { status: 402, headers: { "payment-required": encode(required) } });
    }
    const { payload } = decode<PaymentPayload>(signed);
    const { r, s, yParity } = parseSignature(payload.signature);
    const { from, to, value, validAfter, validBefore, nonce } = payload.authorization;
    const amounts = [value, validAfter, validBefore].map(BigInt);
    const args = [from, to, ...amounts, nonce, yParity + 27, r, s];
    const call = encodeUsdcCall(local, "transferWithAuthorization", args);
    const { status, transactionHash } = await sendDirectly(local.chain, relayer, call);
    const success = status === "success";
    const settlement = success
      ? { success, transaction: transactionHash, network, payer: from }
      : { success, errorReason: "invalid_transaction_state", transaction: "", network };
    const body = success ? text : "{}";
    const sent = { "payment-response": encode(settlement) };
    return new Response(body, { status: success ? 200 : 402, headers: sent });
  });
}

/** Returns a `fetch` that pays what a 402 response asks for from `account`, by x402 v2. */
export function createPayingFetch(local: LocalPayments, account: PrivateKeyAccount): typeof fetch {
  return async (url, init) => {
    const offer = await fetch(url, init);
    const required = offer.headers.get("payment-required");
    if (offer.status !== 402 || required === null) return offer;
    const [accepted] = decode<{ accepts: [Requirements] }>(required).accepts;
    const authorization: Authorization = {
      from: account.address,
      to: accepted.payTo,
      value: accepted.amount,
      validAfter: "0",
      validBefore: String(2 ** 40),
      nonce: `0x${randomBytes(32).toString("hex")}`,
    };
    const signature = await account.signTypedData({
      domain: {
        ...accepted.extra,
        chainId: local.chain.id,
        verifyingContract: accepted.asset,
      },
      types: AUTHORIZATION_TYPES,
      primaryType: "TransferWithAuthorization",
      message: { ...authorization },
    });
    const payment: PaymentPayload = {
      x402Version: 2,
      accepted,
      payload: { signature, authorization },
    };
    const headers = { ...init?.headers, "payment-signature": encode(payment) };
    return fetch(url, { ...init, headers });
  };
}
