import { parseSiweMessage } from "viem/siwe";
import type { Context } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { MINUTE_MS } from "@/server/lib/time";

/** The statement that a wallet signs, by purpose, so that a proof for one purpose is invalid for the other. */
export const STATEMENTS = {
  register: "Register this wallet as an agent of Standing and receive its API key.",
  signIn: "Sign in to Standing with this wallet.",
} as const;

export type ProofPurpose = keyof typeof STATEMENTS;

/** Returns the domain and chain that a wallet proof is bound to. */
export function createProofTerms(ctx: Pick<Context, "env" | "chain" | "request">) {
  const uri = ctx.env.PUBLIC_URL ?? ctx.request.origin;
  return { domain: new URL(uri).host, uri, chainId: ctx.chain.id };
}

/** Required content of a signed message, besides its signer and time. */
interface ProofTerms {
  /** Host, with the port if it has one. */
  domain: string;
  uri: string;
  chainId: number;
  statement: string;
}

/** Maximum tolerated clock skew of a signer. */
const CLOCK_SKEW_MS = MINUTE_MS;

/** Matches the rest of an ERC-4361 message after `Issued At: `, to its end. */
const MESSAGE_END =
  /^\S+(\nExpiration Time: \S+)?(\nNot Before: \S+)?(\nRequest ID: .*)?(\nResources:(\n- .+)*)?$/;

/**
 * Parses an ERC-4361 (Sign-In with Ethereum) message and checks every field that needs no database
 * or chain. Returns its nonce. `wallet` is in EIP-55 form; `now` in milliseconds. Throws
 * `wallet-proof-invalid` with the first error.
 */
export function parseProofMessage(
  message: string,
  wallet: string,
  terms: ProofTerms,
  now: number,
): string {
  const fields = parseSiweMessage(message);
  const { address, domain, uri, version, chainId, nonce, statement, scheme, issuedAt } = fields;
  const { expirationTime, notBefore } = fields;
  if (!address || !uri || !nonce || !issuedAt || chainId === undefined) {
    throw createProofError("The message is not an ERC-4361 message with all required fields.");
  }
  const { protocol } = new URL(terms.uri);
  const scope = scheme ? `${scheme}://${domain}` : domain;
  const head = [
    `${scope} wants you to sign in with your Ethereum account:\n${address}\n\n`,
    statement ? `${statement}\n` : "",
    `\nURI: ${uri}\nVersion: ${version}\nChain ID: ${chainId}\nNonce: ${nonce}\nIssued At: `,
  ].join("");

  const rules: [holds: boolean, refusal: string][] = [
    [
      message.startsWith(head) && MESSAGE_END.test(message.slice(head.length)),
      "The message has lines that are not part of ERC-4361, or in the wrong order.",
    ],
    [
      address.toLowerCase() === wallet.toLowerCase(),
      `The message is for ${address}, not for ${wallet}.`,
    ],
    [
      domain?.toLowerCase() === terms.domain && (!scheme || `${scheme}:` === protocol),
      `The message's domain is ${scope}; it must be ${terms.domain}.`,
    ],
    [isSameUri(uri, terms.uri), `The message's URI is ${uri}; it must be ${terms.uri}.`],
    [(version as string) === "1", "The message's version must be 1."],
    [
      chainId === terms.chainId,
      `The message's chain id is ${chainId}; it must be ${terms.chainId}.`,
    ],
    [statement === terms.statement, `The message's statement must be: ${terms.statement}`],
    [isValidDate(issuedAt), "The message's Issued At is not an RFC 3339 time."],
    [issuedAt.getTime() <= now + CLOCK_SKEW_MS, "The message's Issued At is in the future."],
    [
      !expirationTime || isValidDate(expirationTime),
      "The message's Expiration Time is not an RFC 3339 time.",
    ],
    [!expirationTime || now < expirationTime.getTime(), "The message has expired."],
    [!notBefore || isValidDate(notBefore), "The message's Not Before is not an RFC 3339 time."],
    [!notBefore || notBefore.getTime() <= now, "The message is not valid yet."],
  ];
  const broken = rules.find(([holds]) => !holds);
  if (broken) throw createProofError(broken[1]);
  return nonce;
}

export const createProofError = (reason: string) => new AppError("wallet-proof-invalid", reason);

function isValidDate(time: Date): boolean {
  return !Number.isNaN(time.getTime());
}

function isSameUri(one: string, other: string): boolean {
  return one === other || (URL.canParse(one) && new URL(one).href === new URL(other).href);
}
