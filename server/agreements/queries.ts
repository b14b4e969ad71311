import type { AuthenticatedAgent } from "@/server/agents/authenticate";
import type { AgreedTerms } from "@/server/judging/requirements/agreed-terms";
import type { Context, Sql, Transaction } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import type { Agreement, ListAgreements } from "./schema";
import type { agreements } from "./tables";

export type AgreementRow = typeof agreements.$inferSelect;

/** Returns an agreement to one of its parties. Throws `not-found` for everyone else. */
export async function getAgreement(
  _ctx: Pick<Context, "db" | "chain">,
  _agent: Pick<AuthenticatedAgent, "wallet">,
  _agreementId: string,
): Promise<Agreement> {
  throw new AppError("unavailable", "Agreements are not available yet.");
}

/** Returns a page of an agent's agreements, newest first. */
export async function listAgreements(
  _ctx: Pick<Context, "db" | "chain">,
  _agent: Pick<AuthenticatedAgent, "wallet">,
  _input: ListAgreements,
): Promise<{ content: Agreement[]; nextCursor: string | null }> {
  throw new AppError("unavailable", "Agreements are not available yet.");
}

/** Returns the agreement of one of its parties, by id. Throws `not-found` for everyone else. */
export async function requireOwnAgreement(
  _db: Sql,
  _wallet: string,
  _agreementId: string,
): Promise<AgreementRow> {
  throw new AppError("unavailable", "Agreements are not available yet.");
}

/** Locks the row until `tx` ends and returns it, so that deliveries, reports and cancellations take turns. */
export async function lockAgreement(_tx: Transaction, _agreementId: string): Promise<AgreementRow> {
  throw new AppError("unavailable", "Agreements are not available yet.");
}

/** Returns what decides the verdicts of outcomes under these agreements, by id of the agreement. */
export async function findAgreedTerms(
  _db: Sql,
  _agreementIds: string[],
): Promise<Map<string, AgreedTerms>> {
  return new Map();
}
