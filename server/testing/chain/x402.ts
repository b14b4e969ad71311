import { x402Client } from "@x402/core/client";
import { x402Facilitator } from "@x402/core/facilitator";
import {
  type HTTPAdapter,
  HTTPFacilitatorClient,
  x402HTTPResourceServer,
  x402ResourceServer,
} from "@x402/core/server";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme as ExactEvmClient } from "@x402/evm/exact/client";
import { registerExactEvmScheme } from "@x402/evm/exact/facilitator";
import { ExactEvmScheme } from "@x402/evm/exact/server";
import {
  createEIP712OfferReceiptIssuer,
  createOfferReceiptExtension,
  declareOfferReceiptExtension,
} from "@x402/extensions/offer-receipt";
import { wrapFetchWithPayment } from "@x402/fetch";
import { createWalletClient, http, publicActions } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { type Listening, serveHandler } from "@/server/testing/http/listen";
import { fund, type LocalPayments } from "./payments";

/** Serves x402's own facilitator for USDC on the local chain. */
export async function startFacilitator(local: LocalPayments): Promise<Listening> {
  const account = privateKeyToAccount(generatePrivateKey());
  await fund(local, account.address);
  const transport = http(local.chain.client.chain?.rpcUrls.default.http[0]);
  const wallet = createWalletClient({ account, chain: foundry, transport }).extend(publicActions);
  const facilitator = registerExactEvmScheme(new x402Facilitator(), {
    signer: toFacilitatorEvmSigner({ ...wallet, address: account.address } as never),
    networks: `eip155:${local.chain.id}`,
  });
  return serveHandler(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/supported") return Response.json(facilitator.getSupported());
    const { paymentPayload, paymentRequirements } = await request.json();
    const call = pathname === "/verify" ? "verify" : "settle";
    return Response.json(await facilitator[call](paymentPayload, paymentRequirements));
  });
}

/** A text that its seller sells. */
interface Offer {
  /** Is paid, and signs the receipts. */
  account: PrivateKeyAccount;
  amountMicro: bigint;
  text: string;
}

/** Sells a text for USDC with x402's own packages; its signed receipts name the transaction. */
export async function startX402Seller(
  local: LocalPayments,
  offer: Offer,
  configure = (server: x402ResourceServer) => server,
): Promise<Listening> {
  const facilitator = await startFacilitator(local);
  const network = `eip155:${local.chain.id}` as const;
  const { account } = offer;
  const issuer = createEIP712OfferReceiptIssuer(`did:pkh:${network}:${account.address}`, (data) =>
    account.signTypedData(data as Parameters<typeof account.signTypedData>[0]),
  );
  const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitator.url }))
    .register(network, new ExactEvmScheme())
    // Signs no offers: @x402/core 2.27.0 replaces the declaration by them, and loses `includeTxHash`.
    .registerExtension({
      ...createOfferReceiptExtension(issuer),
      enrichPaymentRequiredResponse: async () => undefined,
    });
  const endpoint = await serveForPayment(local, configure(server), offer);
  return {
    ...endpoint,
    async close() {
      await endpoint.close();
      await facilitator.close();
    },
  };
}

/** Serves a text to those who pay, as the middleware of a framework does. */
export async function serveForPayment(
  { chain }: LocalPayments,
  server: x402ResourceServer,
  { account, amountMicro, text }: Offer,
): Promise<Listening> {
  const paid = new x402HTTPResourceServer(server, {
    accepts: {
      scheme: "exact",
      network: `eip155:${chain.id}`,
      payTo: account.address,
      price: {
        asset: chain.usdcAddress,
        amount: String(amountMicro),
        extra: { name: "USD Coin", version: "1" },
      },
    },
    extensions: declareOfferReceiptExtension({ includeTxHash: true }),
  });
  await paid.initialize();
  return serveHandler(async (request) => {
    const { pathname: path } = new URL(request.url);
    const adapter: HTTPAdapter = {
      getHeader: (name) => request.headers.get(name) ?? undefined,
      getMethod: () => request.method,
      getPath: () => path,
      getUrl: () => request.url,
      getAcceptHeader: () => request.headers.get("accept") ?? "",
      getUserAgent: () => request.headers.get("user-agent") ?? "",
    };
    const context = { adapter, path, method: request.method };
    const result = await paid.processHTTPRequest(context);
    if (result.type === "no-payment-required") return new Response(text);
    if (result.type === "payment-error") return toResponse(result.response);
    const { paymentPayload, paymentRequirements, declaredExtensions } = result;
    const settled = await paid.processSettlement(
      paymentPayload,
      paymentRequirements,
      declaredExtensions,
      { request: context },
    );
    return settled.success
      ? new Response(text, { headers: settled.headers })
      : toResponse(settled.response);
  });
}

type Instructions = Extract<
  Awaited<ReturnType<x402HTTPResourceServer["processHTTPRequest"]>>,
  { type: "payment-error" }
>["response"];

const toResponse = ({ status, headers, body }: Instructions) =>
  new Response(JSON.stringify(body ?? {}), { status, headers });

/** Returns a `fetch` that pays what a 402 response asks for from `account`, with x402's own client. */
export function createPayingFetch(
  { chain }: LocalPayments,
  account: PrivateKeyAccount,
  configure = (client: x402Client) => client,
): typeof fetch {
  const client = new x402Client()
    .register(`eip155:${chain.id}`, new ExactEvmClient(account))
    // By default it pays in known currencies only, which the test USDC is not.
    .setSpendControls(false);
  return wrapFetchWithPayment(fetch, configure(client)) as typeof fetch;
}
