import { z } from "zod";
import { publicProcedure, router } from "@/server/lib/trpc";
import { walletSchema } from "@/server/lib/wallet";
import { EXAMPLE_STATEMENT } from "./example";
import type { Statements } from "./issue-statement";
import { signedStatement } from "./schema";

/** Creates the public procedure for signed score statements. */
export function createStatementRouter(statements: Statements) {
  return router({
    get: publicProcedure
      .meta({
        rest: {
          operationId: "getStatement",
          method: "GET",
          path: "/reputation/{walletAddress}/statement",
          status: 200,
          summary: "Get a signed statement of a score",
          description:
            "The score of a wallet as EIP-712 typed data with the service's signature, which contracts verify with ScoreGate (docs/statements.md). `seq` and `head` name the state of the ledger that the score was computed from; it includes every outcome that was resolved before the request. A wallet without outcomes gets a statement of score 0 and tier 0. Requests within a minute may get the same statement.",
          tag: "Reputation",
          key: "none",
          example: { response: EXAMPLE_STATEMENT },
          errors: ["statements-unavailable", "unavailable"],
        },
      })
      .input(z.strictObject({ walletAddress: walletSchema }))
      .output(signedStatement)
      .query(({ input }) => statements.issue(input.walletAddress)),
  });
}
