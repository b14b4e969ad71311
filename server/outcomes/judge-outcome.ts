import { eq, sql } from "drizzle-orm";
import { getAgreedTerms } from "@/server/agreements/queries";
import { array } from "@/server/db/arrays";
import { createBatcher } from "@/server/db/batch";
import { isPermanentError } from "@/server/db/permanent-error";
import { pipeline } from "@/server/db/pipeline";
import { createPageStore } from "@/server/judging/documents/page-store";
import {
  DocumentUnavailable,
  readDeliverable,
  readDelivered,
  toDeliverable,
} from "@/server/judging/documents/read-deliverable";
import {
  type Judge,
  type JudgeInput,
  type JudgeOptions,
  JudgeUnavailable,
} from "@/server/judging/judge";
import { canJudge, judgeSubject } from "@/server/judging/judge-subject";
import { moveDocuments, type NewJudgement, storeJudgements } from "@/server/judging/queries";
import type { AgreedTerms } from "@/server/judging/requirements/agreed-terms";
import { judgements } from "@/server/judging/tables";
import type { Core } from "@/server/lib/context";
import { type Database, prepareOnce } from "@/server/lib/database";
import { isRateLimited } from "@/server/lib/errors";
import type { QueueKey } from "@/server/lib/process/fair-queue";
import { HOUR_MS, MINUTE_MS } from "@/server/lib/time";
import { askForSweep } from "@/server/lib/work";
import { FAULTY_MS } from "./pending-outcomes";
import { outcomes } from "./tables";
import { wakeRecorder } from "./wake-recorder";

/**
 * Judges an outcome, stores judgement and verdict, and wakes the recorder, all in one transaction,
 * which outcomes that are judged at the same time share. Idempotent.
 * If `lastFetch` is set, a deliverable that can't be fetched is judged as unavailable.
 * `lastAttempt` and `queue`: see `JudgeOptions`.
 *
 * An outcome that a fault of the service keeps from being judged for ten minutes is stored as not
 * assessed, unless a harmless text cannot be judged either. From then on, judging it again only shows
 * whether the fault is repaired: a stored verdict never changes, since it may be on chain.
 *
 * Throws `JudgeUnavailable`, `DocumentUnavailable`, `rate-limited` or the fault, which leave the outcome unjudged
 * and should be retried.
 */
export async function judgeAndStoreOutcome(
  core: Core,
  judge: Judge,
  outcomeId: string,
  {
    lastAttempt,
    lastFetch = lastAttempt,
    queue,
    decideRequirements,
  }: { lastAttempt: boolean; lastFetch?: boolean } & Pick<
    JudgeOptions,
    "queue" | "decideRequirements"
  >,
): Promise<void> {
  const outcome = await getSubjectLoader(core.db)(outcomeId);
  const wasFaulty = outcome?.faultedAt != null;
  if (!outcome || (outcome.judgedAt !== null && !wasFaulty)) return;
  const isUnjudged = outcome.judgedAt === null;
  const submitter = outcome[outcome.submittedBy];
  const options = { lastAttempt, queue, decideRequirements };
  const subject = await prepareSubject(core, outcome, options);
  const { agreed } = subject;
  const store = (judgement: NewJudgement | null) =>
    getVerdictStore(core.db)({ core, outcomeId, isAgreed: agreed !== undefined, judgement });
  let isJudging = true;
  try {
    const judgement =
      isUnjudged && outcome.isJudged
        ? null
        : await judgeSubject(judge, {
            ...subject,
            input: await buildJudgeInput(core, outcome, { lastFetch, submitter, agreed }),
          });
    isJudging = false;
    if (isUnjudged) await store(judgement);
    else core.log.info({ outcomeId, verdict: judgement?.verdict }, "judged again after a fault");
    if (wasFaulty) await updateFault(core.db, outcomeId, null);
  } catch (error) {
    const isUnavailable =
      error instanceof JudgeUnavailable ||
      error instanceof DocumentUnavailable ||
      isRateLimited(error);
    // A database that is down cannot store any verdict.
    const isFault = isJudging ? !isUnavailable : isPermanentError(error);
    if (!isFault && !(wasFaulty && isUnjudged)) throw error;
    const isOver = await updateFault(core.db, outcomeId, isFault ? String(error) : null);
    if (!isOver || !(await canJudge(judge))) throw error;
    if (isUnjudged) await store(await judgeSubject(judge, { ...subject, input: null }));
    core.log.error({ outcomeId }, "not assessed because of a fault");
  }
}

/** Returns what the judge gets about an outcome, apart from its input. */
async function prepareSubject(
  core: Core,
  outcome: Subject,
  { lastAttempt, ...options }: Pick<JudgeOptions, "lastAttempt" | "queue" | "decideRequirements">,
) {
  const { id: subjectId, agreementId, x402Receipt } = outcome;
  const submitter = outcome[outcome.submittedBy];
  const agreed = await findTerms(core, outcome);
  if (agreed?.passedCheck) await moveDocuments(core.db, agreed.passedCheck.subjectId, subjectId);
  return {
    ...options,
    subjectId,
    commitments: outcome,
    x402Receipt,
    lastAttempt: lastAttempt || isUnansweredForLong(outcome),
    mayReplaceModel: isPatienceOver(outcome),
    pages: createPageStore(core.db, { subjectId, submitter, agreementId }),
    queueKey: getQueueKey(outcome),
    agreed,
  };
}

/** How long a missing model is waited for before the other one examines twice. */
const PATIENCE_MS = { withAgreement: HOUR_MS, withoutAgreement: 10 * MINUTE_MS };

const isPatienceOver = ({
  submittedAt,
  agreementId,
}: Pick<Subject, "submittedAt" | "agreementId">) =>
  Date.now() - submittedAt.getTime() >=
  (agreementId ? PATIENCE_MS.withAgreement : PATIENCE_MS.withoutAgreement);

/**
 * How long after the usual attempts the slow queue tries a text that gets no answer: with those, at most
 * ten minutes.
 */
const UNANSWERED_MS = 5 * MINUTE_MS;

const isUnansweredForLong = ({ unansweredAt }: Pick<Subject, "unansweredAt">) =>
  unansweredAt !== null && Date.now() - unansweredAt.getTime() >= UNANSWERED_MS;

/**
 * Stores the fault that prevented a judgement; null if the last attempt met none. Returns whether
 * faults have lasted for `FAULTY_MS`.
 */
async function updateFault(db: Database, id: string, message: string | null): Promise<boolean> {
  const [updated] = await db
    .update(outcomes)
    .set({
      faultedAt: message === null ? null : sql`coalesce(${outcomes.faultedAt}, now())`,
      // A message may quote a text: neither the database nor a terminal takes every character.
      fault: message?.replace(/\p{C}/gu, " ").slice(0, 300) ?? null,
    })
    .where(eq(outcomes.id, id))
    .returning({
      isOver: sql<boolean>`${outcomes.faultedAt} <= now() - ${FAULTY_MS / 1_000} * interval '1 second'`,
    });
  return updated?.isOver ?? false;
}

/** The columns of an outcome that its judgement needs. */
const SUBJECT_COLUMNS = {
  id: outcomes.id,
  taskDescription: outcomes.taskDescription,
  taskCategory: outcomes.taskCategory,
  deliverableContent: outcomes.deliverableContent,
  deliverableUrl: outcomes.deliverableUrl,
  contractor: outcomes.contractor,
  requester: outcomes.requester,
  submittedBy: outcomes.submittedBy,
  salt: outcomes.salt,
  taskHash: outcomes.taskHash,
  deliverableHash: outcomes.deliverableHash,
  judgedAt: outcomes.judgedAt,
  submitterClient: outcomes.submitterClient,
  submitterAgentId: outcomes.submitterAgentId,
  faultedAt: outcomes.faultedAt,
  unansweredAt: outcomes.unansweredAt,
  agreementId: outcomes.agreementId,
  submittedAt: outcomes.submittedAt,
  x402Receipt: outcomes.x402Receipt,
};

type Subject = Pick<typeof outcomes.$inferSelect, keyof typeof SUBJECT_COLUMNS>;

const getSubjectQuery = prepareOnce((db: Database) =>
  db
    .select({
      ...SUBJECT_COLUMNS,
      /** Whether it has a judgement, which its verdict may still lack. */
      isJudged: sql<boolean>`exists (
        select from ${judgements} where ${eq(judgements.subjectId, outcomes.id)}
      )`,
    })
    .from(outcomes)
    .where(sql`${outcomes.id} = any(${sql.placeholder("ids")}::uuid[])`)
    .prepare("outcomes_to_judge"),
);

/** Loads outcomes to judge, each undefined if it does not exist. */
const getSubjectLoader = prepareOnce((db: Database) =>
  createBatcher(async (ids: string[]) => {
    const rows = await getSubjectQuery(db).execute({ ids });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id));
  }),
);

/** Returns a key without addresses, which no judge may see. */
const getQueueKey = (outcome: Pick<Subject, "submitterClient" | "submitterAgentId">): QueueKey => [
  outcome.submitterClient ?? "",
  outcome.submitterAgentId ?? "",
];

interface Judged {
  core: Core;
  outcomeId: string;
  isAgreed: boolean;
  /** Null if it is stored already. */
  judgement: NewJudgement | null;
}

const getVerdictStore = prepareOnce((db: Database) =>
  createBatcher(async (judged: Judged[]) => {
    await db.transaction(async (tx) => {
      const ids = judged.map(({ outcomeId }) => outcomeId);
      const [one] = judged;
      const store = () =>
        storeJudgements(
          tx,
          judged.flatMap(({ judgement }) => judgement ?? []),
        );
      // Copies the judgements to outcomes without a verdict, locked in one order.
      const copy = () => tx.sql`
          update outcomes set judged_at = now(), verdict = j.verdict,
            confidence_ppm = j.confidence_ppm, reasoning = j.reasoning, judge_kind = j.judge_kind,
            judge_id = j.judge_id, evidence = j.evidence, evidence_hash = j.evidence_hash,
            submitter_client = null
          from (
            select id from outcomes where id = any(${array(tx.sql, "uuid", ids)}) and judged_at is null
            order by id for no key update
          ) as unjudged join judgements j on j.subject_id = unjudged.id
          where outcomes.id = unjudged.id`;
      await pipeline(tx, [store, copy, () => one && wakeRecorder(one.core, tx)]);
      // One event for all: the sweep looks at all of them.
      const agreed = judged.find(({ isAgreed, core }) => isAgreed && core.chain.escrows);
      if (agreed) {
        await agreed.core.publish(tx, [askForSweep("escrows", `judged:${agreed.outcomeId}`)]);
      }
    });
    return judged.map(() => undefined);
  }),
);

/**
 * Returns the judge's input for an outcome. `submitter`: see `DeliverableSource`. `agreed`: the terms of
 * its agreement. Throws `DocumentUnavailable` if the deliverable can't be fetched and this was not the
 * last attempt.
 */
export async function buildJudgeInput(
  core: Pick<Core, "db" | "env">,
  outcome: Omit<Subject, "judgedAt" | "faultedAt">,
  {
    lastFetch,
    submitter,
    agreed,
  }: { lastFetch: boolean; submitter: string | null; agreed: AgreedTerms | undefined },
): Promise<JudgeInput> {
  const source = {
    subjectId: outcome.id,
    content: outcome.deliverableContent,
    url: outcome.deliverableUrl,
    submitter,
    lastAttempt: lastFetch,
    queueKey: getQueueKey(outcome),
  };
  const input = {
    task: outcome.taskDescription,
    category: outcome.taskCategory,
  };
  if (!agreed) return { ...input, deliverable: await readDeliverable(core, source) };
  // The requester of an agreement submits only the report that nothing was delivered.
  const delivered = outcome.submittedBy === "requester" ? null : await readDelivered(core, source);
  return { ...input, agreed, delivered, deliverable: toDeliverable(delivered) };
}

/** Returns the terms of the outcome's agreement; undefined without one. */
export const findTerms = async (
  { db }: Pick<Core, "db">,
  {
    agreementId,
    deliverableContent: content,
    deliverableUrl: url,
    submittedAt,
  }: Pick<Subject, "agreementId" | "deliverableContent" | "deliverableUrl" | "submittedAt">,
): Promise<AgreedTerms | undefined> =>
  agreementId === null ? undefined : getAgreedTerms(db, agreementId, { content, url, submittedAt });
