import { underlyingConnection } from "@/server/db/underlying-connection";
import type { Transaction } from "@/server/lib/context";
import type { judgements } from "./tables";

/** A judgement before the database adds its id and time. */
export type NewJudgement = Omit<typeof judgements.$inferSelect, "id" | "createdAt">;

/**
 * Stores judgements with one statement. A subject that has one keeps it. In one order in every
 * process, so that two that store the same subjects do not wait for each other.
 */
export async function storeJudgements(tx: Transaction, judged: NewJudgement[]): Promise<void> {
  if (judged.length === 0) return;
  const rows = judged.toSorted((a, b) => (a.subjectId < b.subjectId ? -1 : 1));
  await underlyingConnection(tx)`
    insert into judgements (
      subject_id, judge_kind, judge_id, verdict, confidence_ppm, reasoning, evidence, evidence_hash,
      detail, duration_ms
    )
    select * from unnest(
      ${rows.map(({ subjectId }) => subjectId)}::text[]::uuid[],
      ${rows.map(({ judgeKind }) => judgeKind)}::text[],
      ${rows.map(({ judgeId }) => judgeId)}::text[],
      ${rows.map(({ verdict }) => verdict)}::text[],
      ${rows.map(({ confidencePpm }) => String(confidencePpm))}::text[]::integer[],
      ${rows.map(({ reasoning }) => reasoning)}::text[],
      ${rows.map(({ evidence }) => JSON.stringify(evidence))}::text[]::jsonb[],
      ${rows.map(({ evidenceHash }) => evidenceHash)}::text[],
      ${rows.map(({ detail }) => JSON.stringify(detail))}::text[]::jsonb[],
      ${rows.map(({ durationMs }) => String(durationMs))}::text[]::integer[]
    )
    on conflict (subject_id) do nothing`;
}
