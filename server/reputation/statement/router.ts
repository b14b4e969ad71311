import { z } from "zod";
import { createParser, publicProcedure, router } from "@/server/lib/trpc";
import { walletSchema } from "@/server/lib/wallet";
import type { Statements } from "./issue-statement";
import { type SignedStatement, signedStatement } from "./schema";
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
    "0x810037010e82c2404f22c651cb060b1f42dc598eb96428007f97b77a86b6c17870ee245ad2b19266f0aa794bc86f3366d1bf8a0240d45c9bc66b9ca58a750de11c",
  signer: "0xe1fAE9b4fAB2F5726677ECfA912d96b0B683e6a9",
};

/** Creates the public procedure for signed score statements. */
export function createStatementRouter(statements: Statements) {
  return router({
    get: publicProcedure
      .meta({
        rest: {
          operationId: "getStatement",
          method: "GET",
          path: "/reputation/{walletAddress}/statement",
          summary: "Get a signed statement of a score",
          description:
            "The score of a wallet as EIP-712 typed data with the service's signature, which contracts verify with ScoreGate (docs/chain.md). `seq` and `head` name the state of the ledger that the score was computed from; it includes every outcome that was resolved before the request. A wallet without outcomes gets a statement of score 0 and tier 0. Requests within a minute may get the same statement.",
          tag: "Reputation",
          example: { response: EXAMPLE_STATEMENT },
          errors: ["statements-unavailable", "unavailable"],
        },
      })
      .input(createParser(z.strictObject({ walletAddress: walletSchema })))
      .output(signedStatement)
      .query(({ input }) => statements.issue(input.walletAddress)),
  });
}
