import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { bytes, createdAt, hash32, id, timestamptz, wallet } from "@/server/db/columns";
import type { Verdict } from "@/server/lib/schema";
import type { Evidence } from "./evidence";
import type { JudgementDetail } from "./judge";

/** Everything stored about a judgement; one row per judged subject (an outcome's id). */
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

/** A deliverable, cited page or evidence: fetched once for a subject and judged from this copy. */
export const documents = pgTable(
  "documents",
  {
    id: id(),
    subjectId: uuid().notNull(),
    url: text().notNull(),
    /** Null if it could not be fetched; `failure` says why. */
    content: text(),
    /** Null if no document was received. */
    mediaType: text(),
    /** Hash of the bytes as received, before decoding or reduction; of a cited page, of `content`. */
    sha256: hash32(),
    /** The bytes as received, if `content` was extracted from them (PDF). */
    body: bytes(),
    failure: text(),
    fetchedAt: timestamptz().notNull(),
    /** After redirects. */
    finalUrl: text(),
    status: integer(),
    /** Set for a cited page, whose `content` is its visible text: as in `CitedPage`. */
    isPartial: boolean(),
    /** Wallet whose limit `keptBytes` count against until the copy is deleted; null if it is kept. */
    submitter: wallet(),
    keptBytes: integer(),
  },
  (t) => [
    unique("documents_subject_url").on(t.subjectId, t.url),
    index("documents_kept").on(t.submitter, t.subjectId, t.keptBytes),
    index("documents_to_prune").on(t.fetchedAt).where(sql`submitter is not null`),
  ],
);

/** Whether each model responds, as last recorded; shared by all processes. */
export const modelStates = pgTable(
  "model_states",
  {
    /** Base URL, without credentials. */
    endpoint: text().notNull(),
    model: text().notNull(),
    /** Start of the failures; null while the model responds. */
    failingSince: timestamptz(),
    /** Plain English, fit for a page. */
    reason: text(),
    /** When the next harmless question may be asked while it fails. */
    probeAt: timestamptz(),
    pauseSeconds: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.endpoint, t.model] })],
);
