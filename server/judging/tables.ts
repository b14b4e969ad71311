import { index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, hash32, id, moment } from "@/server/db/columns";
import type { Category, Verdict } from "@/server/lib/schema";
import type { Evidence } from "./evidence";
import type { JudgementDetail } from "./judge";
import type { CallRecord, Criterion } from "./schema";

/** Everything kept of one judgement; one for each judged subject (an outcome's id). */
export const judgements = pgTable("judgements", {
  id: id(),
  subjectId: uuid().notNull().unique(),
  judgeKind: text().$type<"heuristic" | "llm" | "gate">().notNull(),
  judgeId: text().notNull(),
  verdict: text().$type<Verdict>().notNull(),
  confidencePpm: integer().notNull(),
  reasoning: text().notNull(),
  evidence: jsonb().$type<Evidence>().notNull(),
  evidenceHash: hash32().notNull(),
  detail: jsonb().$type<JudgementDetail>().notNull(),
  durationMs: integer().notNull(),
  createdAt: createdAt(),
});

/** A document behind a URL, fetched once for a subject and judged from this copy. */
export const documents = pgTable(
  "documents",
  {
    id: id(),
    subjectId: uuid().notNull(),
    url: text().notNull(),
    /** Null where it could not be fetched; `failure` says why. */
    content: text(),
    /** Null where no document arrived. */
    mediaType: text(),
    /** Of the bytes as they came, before they were decoded or reduced. */
    sha256: hash32(),
    /** Those bytes, where `content` is not just their text (PDF). */
    body: bytes(),
    failure: text(),
    fetchedAt: moment().notNull(),
  },
  (t) => [unique("documents_subject_url").on(t.subjectId, t.url)],
);

/** Rubrics that models wrote, each once for a task, category, model and prompt version. */
export const rubrics = pgTable(
  "rubrics",
  {
    /** SHA-256 of the canonical JSON of what the rubric was written for. */
    key: hash32().primaryKey(),
    category: text().$type<Category>().notNull(),
    criteria: jsonb().$type<Criterion[]>().notNull(),
    call: jsonb().$type<CallRecord>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("rubrics_created").on(t.createdAt)],
);

/** Whether a judge answers, as the last one that asked it saw it; shared by all processes. */
export const judgeStates = pgTable("judge_states", {
  judgeId: text().primaryKey(),
  lastAnswerAt: moment(),
  /** Since when every try failed; null while it answers. */
  failingSince: moment(),
  /** Plain English, fit for a page; nothing that an endpoint said. */
  reason: text(),
});
