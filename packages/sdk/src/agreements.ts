import {
  type Address,
  getAddress,
  type Hex,
  hashTypedData,
  type TypedDataDefinition,
  toHex,
} from "viem";
import { hashTerms } from "./canonical-json.js";
import type { StandingClient } from "./client.js";
import type { components } from "./openapi.js";
import { submitAndWait, type WaitOptions } from "./submit-and-wait.js";
import { summarize } from "./summarize.js";

export { summarize };

/** Terms, agreed or not, with the other party's signature. */
export type Agreement = components["schemas"]["Agreement"];
export type AgreementTerms = components["schemas"]["AgreementTerms"];
/** A job as its parties speak of it: value in USDC, without version, chain and nonce. */
export type AgreementJob = components["schemas"]["DraftAgreementRequest"];

/** Signs EIP-712 typed data with a wallet: a viem account, or anything else with this shape. */
export interface TypedDataSigner {
  address: Address;
  signTypedData(typedData: TypedDataDefinition): Promise<Hex>;
}

/** Why terms must not be signed. */
export class AgreementError extends Error {
  override readonly name = "AgreementError";
}

/** A deliverable, as text or behind a URL. */
export interface Deliverable {
  deliverableContent?: string;
  deliverableUrl?: string;
}

/** What a contractor delivers. */
export interface Delivery extends Deliverable {
  /** Names the job in public. Without it, the title of the terms stays private. */
  title?: string;
}

/** What one party signs: the terms, their hash, and the typed data that has it. */
export interface AgreementDraft {
  terms: AgreementTerms;
  termsHash: Hex;
  typedData: ReturnType<typeof toTypedData>;
}

/**
 * Returns the terms of a job with a new nonce, their hash and the typed data to sign. Made here, from
 * the chain and registry of `GET /network`, so that the service can't change what you sign.
 */
export async function draft(client: StandingClient, job: AgreementJob): Promise<AgreementDraft> {
  const { chainId, registryAddress } = await client.get("/network");
  const { valueUsdc, requester, contractor, startBy, deliverBy, ...rest } = job;
  const deadline = toWholeSeconds(deliverBy);
  const halfWay = (Date.now() + Date.parse(deadline)) / 2;
  const terms: AgreementTerms = {
    delivery: "content",
    criteria: [],
    ...rest,
    version: 2,
    chainId,
    requester: getAddress(requester),
    contractor: getAddress(contractor),
    valueMicro: String(Math.round(valueUsdc * 1e6)),
    startBy: toWholeSeconds(startBy ?? Math.min(Date.now() + 3_600_000, halfWay)),
    deliverBy: deadline,
    nonce: toHex(crypto.getRandomValues(new Uint8Array(32))),
  };
  return prepare(terms, registryAddress);
}

const toWholeSeconds = (time: string | number): string =>
  new Date(time).toISOString().replace(/\.\d+Z$/, "Z");

/** Drafts terms, signs them and proposes them to the other party. */
export async function propose(
  client: StandingClient,
  signer: TypedDataSigner,
  job: AgreementJob,
): Promise<Agreement> {
  const { terms, typedData } = await draft(client, job);
  const signature = await signer.signTypedData(typedData);
  return client.post("/agreements", { body: { terms, signature } });
}

/**
 * Signs an agreement that you have read (`GET /agreements/{agreementId}`) and accepts it. Signs the
 * hash of exactly these terms; throws `AgreementError` if the service names another hash.
 */
export async function accept(
  client: StandingClient,
  signer: TypedDataSigner,
  agreement: Agreement,
): Promise<Agreement> {
  const { agreementId } = agreement;
  const { registryAddress } = await client.get("/network");
  const signature = await signer.signTypedData(verify(agreement, registryAddress).typedData);
  return client.post("/agreements/{agreementId}/accept", {
    params: { path: { agreementId } },
    body: { signature },
  });
}

/**
 * Returns what signing upfront terms reserves of the contractor's limit until `startBy` and, once they are
 * paid, until the verdict; 0 for other terms.
 */
export async function readReservation(client: StandingClient, terms: AgreementTerms) {
  const { limit } = await client.get("/agents/{walletAddress}/check", {
    params: { path: { walletAddress: terms.contractor } },
  });
  const reservedUsdc = terms.payment === "upfront" ? Number(terms.valueMicro) / 1e6 : 0;
  return { reservedUsdc, limitUsdc: limit.limitUsdc, until: terms.startBy };
}

/**
 * Tries a deliverable on an agreement's requirements, as its verdict will decide them. The contractor's work
 * that passes has passed, if it is delivered within 24 hours.
 */
export const check = (client: StandingClient, agreementId: string, deliverable: Deliverable) =>
  client.post("/agreements/{agreementId}/check", {
    params: { path: { agreementId } },
    body: deliverable,
  });

/** Code decides most agreements, so the verdict follows within a second or two. */
const SOON = { pollMs: 500 };

/** Delivers as the contractor, and resolves to the outcome once its verdict is recorded. */
export const deliver = (
  client: StandingClient,
  agreementId: string,
  delivery: Delivery,
  options: WaitOptions = {},
) => submitAndWait(client, { agreementId, ...delivery }, { ...SOON, ...options });

/**
 * Reports as the requester, from a minute after the deadline, that nothing was delivered. Resolves to the
 * failed outcome once it is recorded.
 */
export const report = (client: StandingClient, agreementId: string, options: WaitOptions = {}) =>
  submitAndWait(client, { agreementId }, { ...SOON, ...options, allowEmpty: true });

/** A payment that its payer signed and that anyone may send (EIP-3009); integers as decimal text. */
export interface SignedPayment {
  from: Address;
  to: Address;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: Hex;
  signature: Hex;
}

/** EIP-712 name and version of a chain's USDC. */
interface UsdcDomain {
  name: string;
  version: string;
}

/**
 * Signs the payment of upfront terms as their requester, which signs the terms too: the nonce is the
 * agreement's digest, and the payment is valid until `startBy`. Send it with
 * `transferWithAuthorization` of the USDC contract; the service finds it on the chain. Work under `on-delivery`
 * terms is paid once it is delivered, by any transfer of the value, or on the agreement's page.
 * @param options.domain By default that of `GET /network`; throws `AgreementError` if it has none. Throws it also
 * for terms that are not upfront or that the contractor has not signed, and for those that ended, were paid or are
 * being cancelled.
 * @param options.atOwnRisk Pays even if the check of the contractor, without what this agreement reserves of its
 * limit, doesn't recommend to hire it at this value. By default throws `AgreementError` then.
 */
export async function signPayment(
  client: StandingClient,
  signer: TypedDataSigner,
  agreement: Agreement,
  { domain, atOwnRisk }: { domain?: UsdcDomain; atOwnRisk?: boolean } = {},
): Promise<SignedPayment> {
  const { agreementId, terms, status, signatures, paidAt, cancellationRequestedBy } = agreement;
  if (terms.payment !== "upfront") refusePayment(`their payment is ${terms.payment}, not upfront`);
  if (!signatures.contractor) refusePayment("the contractor has not signed these terms");
  if (paidAt !== null) refusePayment("they have been paid");
  if (status !== "PROPOSED" && status !== "AGREED") refusePayment(`they are ${status}`);
  if (cancellationRequestedBy !== null) refusePayment("one party has signed their cancellation");
  if (!atOwnRisk) {
    const path = { walletAddress: terms.contractor };
    const query = { valueUsdc: Number(terms.valueMicro) / 1e6, agreementId };
    const check = await client.get("/agents/{walletAddress}/check", { params: { path, query } });
    const { action, summary } = check.recommendation;
    if (action !== "hire") refusePayment(`the service recommends "${summary}"`);
  }
  return signTransfer(client, signer, agreement, domain);
}

function refusePayment(reason: string): never {
  throw new AgreementError(`Don't pay these terms: ${reason}.`);
}

/**
 * Signs the contractor's refund of the payment of an agreement, which ends a paid agreement without an outcome.
 * Valid for an hour. Send it like the payment; if there is an outcome, name the transaction in
 * `POST /outcome/{outcomeId}/refund`.
 * @param valueMicro The payment, if it was more than the agreed value. Throws `AgreementError` if it is less, and
 * for terms that are not paid: the nonce can be used once, so a wrong refund would leave none for the right one.
 */
export const signRefund = async (
  client: StandingClient,
  signer: TypedDataSigner,
  agreement: Agreement,
  { domain, valueMicro }: { domain?: UsdcDomain; valueMicro?: string } = {},
): Promise<SignedPayment> => {
  const { requester, contractor, valueMicro: agreed } = agreement.terms;
  const value = valueMicro ?? agreed;
  if (agreement.paidAt === null || BigInt(value) < BigInt(agreed)) {
    const reason = `it can be made once, after the payment, of at least ${agreed} millionths of a USDC`;
    throw new AgreementError(`Don't sign this refund: ${reason}.`);
  }
  const parties = { from: contractor as Address, to: requester as Address };
  const validBefore = String(Math.floor(Date.now() / 1_000) + 3_600);
  const changes = { ...parties, value, validBefore };
  return signTransfer(client, signer, agreement, domain, changes);
};

async function signTransfer(
  client: StandingClient,
  signer: TypedDataSigner,
  agreement: Agreement,
  domain: UsdcDomain | undefined,
  changes: Partial<SignedPayment> = {},
): Promise<SignedPayment> {
  const { registryAddress, usdc } = await client.get("/network");
  const { name, version } = domain ?? usdc;
  const { terms, typedData } = verify(agreement, registryAddress);
  if (name === null || version === null) {
    throw new AgreementError(
      `The service knows no EIP-712 name or version of ${usdc.address}. Pass both.`,
    );
  }
  const authorization = {
    from: terms.requester as Address,
    to: terms.contractor as Address,
    value: terms.valueMicro,
    validAfter: "0",
    validBefore: typedData.message.startBy,
    ...changes,
    nonce: hashTypedData(typedData),
  };
  const signature = await signer.signTypedData({
    domain: { name, version, chainId: terms.chainId, verifyingContract: usdc.address as Address },
    types: TRANSFER_TYPES,
    primaryType: "TransferWithAuthorization",
    message: authorization,
  });
  return { ...authorization, signature };
}

/** Returns what to sign for an agreement. Throws `AgreementError` if the service names another hash. */
function verify({ terms, termsHash }: Agreement, registryAddress: string): AgreementDraft {
  const draft = prepare(terms, registryAddress);
  if (draft.termsHash === termsHash) return draft;
  throw new AgreementError(`The terms have the hash ${draft.termsHash}, not ${termsHash}.`);
}

function prepare(terms: AgreementTerms, registryAddress: string): AgreementDraft {
  const termsHash = hashTerms(terms);
  return { terms, termsHash, typedData: toTypedData(terms, termsHash, registryAddress) };
}

const toTypedData = (terms: AgreementTerms, termsHash: Hex, registryAddress: string) => ({
  domain: {
    name: "Standing",
    version: "2",
    chainId: terms.chainId,
    verifyingContract: registryAddress as Address,
  },
  types: AGREEMENT_TYPES,
  primaryType: "Agreement" as const,
  message: {
    requester: terms.requester as Address,
    contractor: terms.contractor as Address,
    valueMicro: terms.valueMicro,
    startBy: String(Date.parse(terms.startBy) / 1_000),
    deliverBy: String(Date.parse(terms.deliverBy) / 1_000),
    summary: summarize(terms),
    termsHash,
  },
});

const AGREEMENT_TYPES = {
  Agreement: [
    { name: "requester", type: "address" },
    { name: "contractor", type: "address" },
    { name: "valueMicro", type: "uint64" },
    { name: "startBy", type: "uint64" },
    { name: "deliverBy", type: "uint64" },
    { name: "summary", type: "string" },
    { name: "termsHash", type: "bytes32" },
  ],
};

const TRANSFER_TYPES = {
  TransferWithAuthorization: [
    ...["from", "to"].map((name) => ({ name, type: "address" })),
    ...["value", "validAfter", "validBefore"].map((name) => ({ name, type: "uint256" })),
    { name: "nonce", type: "bytes32" },
  ],
};
