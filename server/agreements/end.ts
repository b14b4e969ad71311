import type { AuthenticatedAgent } from "@/server/agents/authenticate";
import type { Context, Transaction } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import type { Agreement, CancelInput } from "./schema";

/** Ends a proposal by the party that did not sign it. */
export async function declineAgreement(
  _ctx: Context,
  _agent: AuthenticatedAgent,
  _agreementId: string,
): Promise<Agreement> {
  throw new AppError("unavailable", "Agreements are not available yet.");
}

/** Ends a proposal by its author, or an agreement by both parties. */
export async function cancelAgreement(
  _ctx: Context,
  _agent: AuthenticatedAgent,
  _input: CancelInput,
): Promise<Agreement> {
  throw new AppError("unavailable", "Agreements are not available yet.");
}

/**
 * Ends an agreement, which the caller has locked by `lockAgreement`, by its outcome. The caller
 * publishes the returned event with those of the outcome.
 */
export async function endByOutcome(
  _tx: Transaction,
  _agreementId: string,
  _ending: { outcomeId: string; status: "DELIVERED" | "NOT_DELIVERED" },
): Promise<{ id: string; name: string; data: { agreementId: string } }> {
  throw new AppError("unavailable", "Agreements are not available yet.");
}
