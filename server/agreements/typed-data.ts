import type { Address } from "viem";
import type { AgreementTypedData, Terms } from "./schema";

/** EIP-712 type of an agreement, in the order of its fields. */
const AGREEMENT_FIELDS = [
  { name: "requester", type: "address" },
  { name: "contractor", type: "address" },
  { name: "valueMicro", type: "uint64" },
  { name: "startBy", type: "uint64" },
  { name: "deliverBy", type: "uint64" },
  { name: "summary", type: "string" },
  { name: "termsHash", type: "bytes32" },
];

/** EIP-712 type with which both parties cancel an agreement that they have signed. */
const CANCELLATION_FIELDS = [
  { name: "summary", type: "string" },
  { name: "termsHash", type: "bytes32" },
];

/** The signing domain: a signature is worth nothing on another chain or for another registry. */
const toDomain = (chainId: number, registryAddress: string) =>
  ({
    name: "Standing",
    version: "2",
    chainId,
    verifyingContract: registryAddress as Address,
  }) as const;

type SignedFields = Pick<Terms, "requester" | "contractor" | "valueMicro" | "chainId"> & {
  /** Unix seconds. */
  startBy: number;
  deliverBy: number;
  /** Of `summarize`. */
  summary: string;
  termsHash: string;
};

/** Returns what both wallets sign. The wallet shows parties, amount, times and checks in clear. */
export function toTypedData(registryAddress: string, fields: SignedFields): AgreementTypedData {
  const { chainId, requester, contractor, valueMicro, startBy, deliverBy, summary, termsHash } =
    fields;
  return {
    domain: toDomain(chainId, registryAddress),
    types: { Agreement: AGREEMENT_FIELDS },
    primaryType: "Agreement",
    message: {
      requester,
      contractor,
      valueMicro,
      startBy: String(startBy),
      deliverBy: String(deliverBy),
      summary,
      termsHash,
    },
  };
}

/** Returns what a party signs to cancel an agreement that both have signed. */
export const toCancellationTypedData = (
  registryAddress: string,
  { chainId, summary, termsHash }: Pick<SignedFields, "chainId" | "summary" | "termsHash">,
) => ({
  domain: toDomain(chainId, registryAddress),
  types: { Cancellation: CANCELLATION_FIELDS },
  primaryType: "Cancellation" as const,
  message: { summary: `Cancel: ${summary}`, termsHash },
});

/** Returns a time of the terms in Unix seconds. */
export const toUnixSeconds = (time: string): number => Date.parse(time) / 1000;
