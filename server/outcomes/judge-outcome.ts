import { and, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import { readDeliverable } from "@/server/judging/documents/read-deliverable";
import type { Judge, JudgeInput, JudgeOptions } from "@/server/judging/judge";
import { judgeSubject } from "@/server/judging/judge-subject";
import { judgements } from "@/server/judging/tables";
import type { Core, Transaction } from "@/server/lib/context";
import { type Database, prepareOnce } from "@/server/lib/database";
import { fromMicro } from "@/server/lib/usdc";
import { outcomes } from "./tables";
import { wakeRecorder } from "./wake-recorder";

/**
 * Judges an outcome, stores judgement and verdict, and wakes the recorder, all in one transaction.
 * Idempotent.
 * If `lastFetch` is set, a deliverable that can't be fetched is judged as unavailable.
 * `lastAttempt` and `lane`: see `JudgeOptions`.
 *
 * Throws `JudgeUnavailable` or `DocumentUnavailable`, which leave the outcome unchanged and should
 * be retried.
 */
export async function judgeOutcome(
  core: Core,
  judge: Judge,
  outcomeId: string,
  {
    lastAttempt,
    lastFetch = lastAttempt,
    lane,
  }: { lastAttempt: boolean; lastFetch?: boolean } & Pick<JudgeOptions, "lane">,
): Promise<void> {
  const [found] = await getSubjectQuery(core.db).execute({ outcomeId });
  if (!found || found.outcome.judgedAt !== null) return;
  const { outcome, existing } = found;
  await judgeSubject(core, judge, {
    subjectId: outcomeId,
    input: await buildJudgeInput(core, outcome, lastFetch),
    commitments: outcome,
    existing,
    lastAttempt,
    lane,
    async inTransaction(tx) {
      await Promise.all([storeVerdict(tx, outcomeId), wakeRecorder(core, tx)]);
    },
  });
}

/** Copies the judgement of an outcome to the outcome, unless it has a verdict. */
function storeVerdict(tx: Transaction, outcomeId: string) {
  return tx
    .update(outcomes)
    .set({
      judgedAt: new Date(),
      verdict: sql`${judgements.verdict}`,
      confidencePpm: sql`${judgements.confidencePpm}`,
      reasoning: sql`${judgements.reasoning}`,
      judgeKind: sql`${judgements.judgeKind}`,
      judgeId: sql`${judgements.judgeId}`,
      evidence: sql`${judgements.evidence}`,
      evidenceHash: sql`${judgements.evidenceHash}`,
    })
    .from(judgements)
    .where(
      and(
        eq(outcomes.id, outcomeId),
        isNull(outcomes.judgedAt),
        eq(judgements.subjectId, outcomes.id),
      ),
    )
    .execute();
}

const getSubjectQuery = prepareOnce((db: Database) =>
  db
    .select({ outcome: getTableColumns(outcomes), existing: getTableColumns(judgements) })
    .from(outcomes)
    .leftJoin(judgements, eq(judgements.subjectId, outcomes.id))
    .where(eq(outcomes.id, sql.placeholder("outcomeId")))
    .prepare("outcome_to_judge"),
);

/**
 * Returns the judge's input for an outcome. Throws `DocumentUnavailable` if the deliverable can't
 * be fetched and this was not the last attempt.
 */
export async function buildJudgeInput(
  core: Pick<Core, "db" | "env">,
  outcome: typeof outcomes.$inferSelect,
  lastFetch: boolean,
): Promise<JudgeInput> {
  const deliverable = await readDeliverable(core, {
    subjectId: outcome.id,
    content: outcome.deliverableContent,
    url: outcome.deliverableUrl,
    lastAttempt: lastFetch,
  });
  return {
    task: outcome.taskDescription,
    category: outcome.taskCategory,
    deliverable,
    highValue: fromMicro(outcome.valueMicro) >= core.env.JUDGE_HIGH_VALUE_USDC,
  };
}
