import type { SignedStatement } from "./schema";
import { buildDomain, POLICY_HASH, toTypedData } from "./typed-data";

const domain = buildDomain(8453, "0xde709f2102306220921060314715629080e2fb77");
const issuedAt = Date.parse("2026-11-21T12:00:00Z") / 1000;
const message = {
  wallet: "0x52908400098527886E0F7030069857D2E4169EE7",
  scoreCenti: 7_621,
  tier: 2,
  outcomes: 12,
  policy: POLICY_HASH,
  seq: 15,
  head: "0x1f0d6f0d2f3a4e0f6b1a9c3e5d7f90b2c4e6a8d0f1b3c5d7e9fa0b2c4d6e8f01",
  issuedAt,
  expiresAt: issuedAt + 86_400,
};
const { types, primaryType } = toTypedData(domain, message);

/** The documented response. Its signature is valid, by the key of 32 bytes `0x55`. */
export const EXAMPLE_STATEMENT: SignedStatement = {
  domain,
  types: { ScoreStatement: [...types.ScoreStatement] },
  primaryType,
  message,
  signature:
    "0x92dae6ee7fc31d4bc0324766fbd0b8183821cbb3fe767c95737848810a7cc9726c4cab3c1c708a145c122d9ae50b81e9440b471ddcdcf59a84385cddd70c77701b",
  signer: "0xe1fAE9b4fAB2F5726677ECfA912d96b0B683e6a9",
};
