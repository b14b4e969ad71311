import { and, eq, getTableColumns, inArray, or, sql } from "drizzle-orm";
import { agreements } from "@/server/agreements/tables";
import type { Database, Sql, Transaction } from "@/server/lib/context";
import { prepareOnce } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import { type OutcomeRow, type RefundRow, toPublicOutcome } from "./public-outcome";
import type { PublicOutcome } from "./schema";
import { outcomes, refunds } from "./tables";

const selectOutcome = (db: Sql) =>
  db
    .select({ outcome: getTableColumns(outcomes), refund: getTableColumns(refunds) })
    .from(outcomes)
    .leftJoin(refunds, eq(refunds.outcomeId, outcomes.id));

const toOutcomeRow = ([row]: Awaited<ReturnType<typeof selectOutcome>>): OutcomeRow | null =>
  row ? { ...row.outcome, refund: row.refund } : null;

export async function findOutcome(db: Sql, outcomeId: string): Promise<OutcomeRow | null> {
  return toOutcomeRow(await selectOutcome(db).where(eq(outcomes.id, outcomeId)));
}

const getLookup = prepareOnce((db: Database) =>
  selectOutcome(db)
    .where(eq(outcomes.id, sql.placeholder("outcomeId")))
    .prepare("outcome"),
);

/**
 * Returns an outcome, which agents poll until it has a verdict. Throws `not-found` if there is none
 * with this id.
 */
export async function requireOutcome(db: Database, outcomeId: string): Promise<OutcomeRow> {
  const outcome = toOutcomeRow(await getLookup(db).execute({ outcomeId }));
  if (!outcome) throw new AppError("not-found", "There is no outcome with this id.");
  return outcome;
}

/**
 * Locks an outcome until `tx` ends: concurrent disputes and refunds of it, and submissions that supersede
 * it, run one after another.
 */
export async function lockOutcome(tx: Transaction, outcomeId: string): Promise<void> {
  const isIt = eq(outcomes.id, outcomeId);
  await tx.select({ id: outcomes.id }).from(outcomes).where(isIt).for("no key update");
}

export async function findRefund(db: Sql, outcomeId: string): Promise<RefundRow | null> {
  const [row] = await db.select().from(refunds).where(eq(refunds.outcomeId, outcomeId));
  return row ?? null;
}

/** Seconds between two polls of an outcome that is being evaluated. */
export const POLL_SECONDS = 5;

/** Returns the error for an outcome whose verdict is not recorded yet. */
export function createNotResolvedError(): AppError {
  const detail = `The outcome has no verdict yet. Try again in ${POLL_SECONDS} s.`;
  const headers = { "Retry-After": String(POLL_SECONDS) };
  return new AppError("outcome-not-resolved", detail, { headers });
}

/** Returns the error for a dispute or refund of an outcome that the payer's outcome `by` superseded. */
export function createSupersededError(by: string): AppError {
  const detail = `The payer submitted its own outcome for this payment, ${by}, so this one no longer counts.`;
  return new AppError("superseded", detail, { extra: { supersededBy: by } });
}

/**
 * Returns the public views of outcomes, in no particular order. Deliverables can have half a million
 * characters each, so private columns are not read.
 */
export async function getPublicOutcomes(db: Sql, outcomeIds: string[]): Promise<PublicOutcome[]> {
  const { taskDescription, deliverableContent, deliverableUrl, salt, storedAnswer, ...columns } =
    getTableColumns(outcomes);
  const rows = await db
    .select({ outcome: columns, refund: getTableColumns(refunds) })
    .from(outcomes)
    .leftJoin(refunds, eq(refunds.outcomeId, outcomes.id))
    .where(inArray(outcomes.id, outcomeIds));
  return rows.map(({ outcome, refund }) => toPublicOutcome({ ...outcome, refund }));
}

const MAX_JOB_NAME = 80;

/**
 * Returns what the jobs of these outcomes are called between their parties: the title, or else the
 * first words of the task. Only those of which `wallet` is a party.
 */
export async function readJobNames(
  db: Sql,
  wallet: string,
  outcomeIds: string[],
): Promise<Record<string, string>> {
  const { id, title, taskDescription, contractor, requester } = outcomes;
  const text = sql<string>`coalesce(${title}, ${agreements.terms}->>'title', left(${taskDescription}, 500))`;
  const rows = await db
    .select({ id, text })
    .from(outcomes)
    .leftJoin(agreements, eq(agreements.id, outcomes.agreementId))
    .where(and(inArray(id, outcomeIds), or(eq(contractor, wallet), eq(requester, wallet))));
  const names = rows.map((row) => [row.id, takeFirstWords(row.text)] as const);
  // The task of an outcome that was restored from the chain is unknown.
  return Object.fromEntries(names.filter(([, name]) => name !== ""));
}

/** Returns the text in one line, cut after its last whole word if it is longer than a title. */
function takeFirstWords(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  const characters = [...line];
  if (characters.length <= MAX_JOB_NAME) return line;
  const cut = characters.slice(0, MAX_JOB_NAME - 1).join("");
  return `${cut.replace(/\s+\S*$/u, "")}…`;
}
