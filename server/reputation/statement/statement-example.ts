import type { SignedStatement } from "./schema";
import { buildDomain, TYPES } from "./typed-data";

/** A statement with a valid signature, as an example for the OpenAPI document. */
export const STATEMENT_EXAMPLE: SignedStatement = {
  domain: buildDomain(8453, "0xde709f2102306220921060314715629080e2fb77"),
  types: { ScoreStatement: [...TYPES.ScoreStatement] },
  primaryType: "ScoreStatement",
  message: {
    wallet: "0x52908400098527886E0F7030069857D2E4169EE7",
    scoreCenti: 7621,
    tier: 2,
    outcomes: 12,
    policy: "0xe7d4096047683c6160ea701e66026516245ef9213b32307cbd675386c0651c98",
    seq: 214,
    head: "0x4d6e8f011f0d6f0d2f3a4e0f6b1a9c3e5d7f90b2c4e6a8d0f1b3c5d7e9fa0b2c",
    issuedAt: 1_795_262_400,
    expiresAt: 1_795_348_800,
  },
  signature:
    "0x7ab9d7e8155e70084f5cc87892dffc785ea7a39a430b2d49ce425f5cda261665005d5cc6ae0e67ca8c9a2d79bbd6c46c03d11c3162d50fa8228f47325e64a9df1c",
  signer: "0xe2e151b1f8DB21bB9f261268ca8465b6A9682FA0",
};
