import type { QueueKey } from "@/server/lib/process/fair-queue";
import type { Category, JudgeSetup, Verdict } from "@/server/lib/schema";
import type { CanonicalText } from "./canonicalise";
import type { PageStore } from "./checks/check";
import type { CheckedFact } from "./checks/run-checks";
import type { QueueName } from "./model-client/call-queues";
import type { AgreedTerms } from "./requirements/agreed-terms";
import type { Delivered, RequirementDecider } from "./requirements/requirement-decider";
import type { RequirementResult } from "./requirements/schema";
import type { CallRecord, Flag, Met, StoredExamination } from "./schema";

/**
 * The submitted case. Leaves out names, addresses and reputation, which no judge may see. Every
 * text was written by a party with money at stake.
 */
export interface JudgeInput {
  task: string;
  category: Category;
  deliverable: Deliverable;
  /** What both parties signed before the work. It alone then decides; the task adds nothing. */
  agreed?: AgreedTerms;
  /** Under an agreement: what its requirements are decided on; null if nothing was delivered. */
  delivered?: Delivered | null;
}

/** A case under an agreement. */
export type AgreedCase = JudgeInput & Required<Pick<JudgeInput, "agreed" | "delivered">>;

/** A case as judges receive it: a text, in canonical form. See `canonicaliseCase`. */
export type Canonical<Input extends JudgeInput = JudgeInput> = Input & {
  task: CanonicalText;
  deliverable: TextDeliverable & { text: CanonicalText };
  /** Raised by the conversion to canonical form. */
  flags: Flag[];
};

/**
 * `missing`: neither content nor URL. `unfetchable`: the URL could not be read after retries.
 * `unchecked`: the document cannot be turned into text (such as a picture), or reading it exceeded
 * the limits on time, memory or length. `documentHash`: SHA-256 of the stored copy, if `text` was
 * reduced from a fetched document.
 */
export type Deliverable =
  | TextDeliverable
  | { kind: "missing" }
  | { kind: "unfetchable"; reason: string }
  | { kind: "unchecked"; reason: string };

export interface TextDeliverable {
  kind: "text";
  text: string;
  source: "content" | "url";
  documentHash?: string;
}

/** One observation behind a verdict. `quote` is copied from the deliverable and never public. */
export interface Finding {
  id: string;
  text: string;
  met: Met;
  quote?: string;
  /** What was observed, in the model's words; may repeat private text. */
  note?: string;
  /** The public wording; null for words that repeat a private text. */
  shown: { text: string | null; note: string | null };
}

/** Audit details stored with the verdict. Later judges add members; none is removed. */
export interface JudgementDetail {
  /** Version of the judge: method, prompts and guides. */
  version: string;
  findings: Finding[];
  /** What code checked, with private parts. */
  checks?: CheckedFact[];
  /** How each requirement of the agreement came out, with private parts. */
  requirements?: RequirementResult[];
  hashes: Record<string, string>;
  /** Two, or three if the first two do not agree. */
  examinations?: StoredExamination[];
  /** All calls except those of `examinations`: probes, and answers that were asked for once more. */
  calls?: CallRecord[];
  flags?: Flag[];
  /** Version of the table that maps stated confidences to confidence. */
  calibration?: string;
  /** What the table was applied to: the mean confidence that the agreeing examinations stated. */
  stated?: number;
  /** Characters of the canonical deliverable, shown to a model and in total, if shortened. */
  shortened?: { shown: number; of: number };
}

export interface Judgement {
  /** `gate`: decided in code without looking at the work. */
  judge: { kind: "heuristic" | "llm" | "gate"; id: string };
  verdict: Verdict;
  /** Millionths, 0 to 1,000,000. */
  confidencePpm: number;
  /** Public: quotes nothing from task or deliverable. */
  reasoning: string;
  detail: JudgementDetail;
}

export interface JudgeOptions {
  /** Needed for outcomes under an agreement. */
  decideRequirements?: RequirementDecider | undefined;
  /** The pages that the deliverable cites. Without it, they are fetched and not stored. */
  pages?: PageStore | undefined;
  signal?: AbortSignal | undefined;
  /** Who submitted the texts: all queues alternate between submitters. No prompt contains it. */
  queueKey?: QueueKey | undefined;
  /** Queue of the model calls; `usual` by default. */
  queue?: QueueName | undefined;
  /**
   * Set if earlier attempts at this text ended without a usable answer. If the model then answers about
   * a harmless text under the same task, but still not about this one, it is not assessed: a text that
   * no model reads must not pass for delivered.
   */
  lastAttempt?: boolean | undefined;
  /** Set once a missing model was waited for long enough: the other one then examines twice. */
  mayReplaceModel?: boolean | undefined;
}

/** A judge of outcomes. Throws `JudgeUnavailable` if the judge itself fails. */
export interface Judge extends Reviewer {
  readonly kind: "heuristic" | "llm";
  readonly id: string;
  /** As in `JudgementDetail.version`. */
  readonly version: string;
  /** As in `JudgementDetail.calibration`. */
  readonly calibration?: string;
  readonly setup: JudgeSetup;
  /** The models that it asks. */
  readonly models: readonly string[];
  /** Base URL of these models; empty without any. */
  readonly endpoint: string;
  /**
   * Asks a model a harmless question and records how it went. With `onlyIfDue`, does so only for a model
   * that fails, in its turn. Throws `JudgeUnavailable`.
   */
  probe(model: string, options?: { onlyIfDue: boolean }): Promise<void>;
  judge(input: Canonical, options?: JudgeOptions): Promise<Judgement>;
}

/**
 * Thrown if the judge is down, slow or returns garbage: the outcome stays unjudged and is retried.
 */
export class JudgeUnavailable extends Error {
  override name = "JudgeUnavailable";
  readonly retryAfterSeconds: number | undefined;

  /**
   * `message` is shown on pages: plain English. It has words of an endpoint only in answer to a harmless
   * question, since an endpoint may repeat what it was sent.
   */
  constructor(message: string, retryAfterSeconds?: number) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Thrown if the judge answers other texts, but not this one. The judge is not down: this outcome
 * alone is retried, in the slow queue.
 */
export class TextUnanswered extends JudgeUnavailable {
  override name = "TextUnanswered";
}

export type DisputeParty = "contractor" | "requester";

/** One party's side of a dispute. Both texts are the party's own, and untrusted. */
export interface Brief {
  statement: string | null;
  /** Text of the fetched document; null if there is none or it could not be read. */
  evidence: string | null;
}

/** A judged case with both parties' briefs. */
export interface ReviewInput extends JudgeInput {
  recorded: {
    verdict: Verdict;
    /** Whether a language model gave the verdict. */
    isByModel: boolean;
    /** Absent if no checks were made, or if they were not stored yet. */
    checks?: CheckedFact[] | undefined;
  };
  /**
   * Whether the contractor supplied this deliverable in the dispute. The recorded verdict and its
   * checks then refer to a different one, submitted by the requester.
   */
  isSupplied?: boolean;
  contractor: Brief | null;
  requester: Brief | null;
}

export interface Review {
  judge: Judgement["judge"];
  /** As in `JudgementDetail.version`. */
  version: string;
  /** The recorded verdict, unless the review overturns it. */
  finalVerdict: Verdict;
  /**
   * Whether it examined the work and found something to decide by, or the contractor conceded its own
   * success. Otherwise a verdict that it overturns weighs nothing.
   */
  assessed: boolean;
  /** Public: quotes nothing from task, deliverable or fetched documents. */
  explanation: string;
  /** Everything stored about the review, for audit. */
  detail: Record<string, unknown> & Pick<JudgementDetail, "checks" | "requirements">;
}

/**
 * Reviews a disputed verdict: `reviewByExamination` with a model, `reviewByChecks` without one. Throws
 * `JudgeUnavailable` if the reviewer itself fails.
 */
export interface Reviewer {
  review(input: Canonical<ReviewInput>, options?: JudgeOptions): Promise<Review>;
}
