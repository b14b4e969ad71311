import type { Category, Verdict } from "@/server/lib/schema";
import type { Reviewer } from "./review";
import type { CallRecord, Criterion, Escalation, Flag, KeptVote, Met } from "./schema";

/**
 * What is judged. Names, addresses and reputation are not in it: no judge may see them. Every text
 * was written by a party with money at stake.
 */
export interface JudgeInput {
  task: string;
  category: Category;
  deliverable: Deliverable;
  /** Asks for more votes. Neither this nor the value behind it ever enters a prompt. */
  highValue?: boolean;
  /** What was noticed in the texts before they were made canonical. */
  flags?: Flag[];
}

/**
 * `missing`: neither content nor URL. `unfetchable`: the URL could not be read after retries.
 * `unchecked`: a document arrived that the service cannot turn into text, such as a picture, or reading
 * the text went over the limits of time, memory or length.
 * `documentHash`: SHA-256 of the kept copy, where `text` was reduced from a fetched document.
 */
export type Deliverable =
  | { kind: "text"; text: string; source: "content" | "url"; documentHash?: string }
  | { kind: "missing" }
  | { kind: "unfetchable"; reason: string }
  | { kind: "unchecked"; reason: string };

/** One named observation a verdict rests on. `quote` stands in the deliverable, and is never public. */
export interface Finding {
  id: string;
  text: string;
  met: Met;
  quote?: string;
  /** Of a rubric's criterion only. */
  kind?: Criterion["kind"];
  /** What the votes observed, in the model's words; may repeat private text. */
  note?: string;
  /** How many votes said what. */
  votes?: Record<Met, number>;
  /** What of it everybody may read; null where the words repeat a private text. Set when stored. */
  shown?: { text: string | null; note: string | null };
}

/** What is kept beside the verdict, for audit. Later judges add members, none is removed. */
export interface JudgementDetail {
  /** Of the judge: method, prompts and guides. */
  version: string;
  findings: Finding[];
  hashes: Record<string, string>;
  rubric?: Criterion[];
  /** Who wrote it: the model for this judgement or an earlier one; or the category's guide. */
  rubricSource?: "model" | "cache" | "guide";
  votes?: KeptVote[];
  /** Every other call: the rubric's, unless it was cached, control prompts, answers that were none. */
  calls?: CallRecord[];
  flags?: Flag[];
  escalation?: Escalation;
  /** Version of the table that turned vote shares into the confidence. */
  calibration?: string;
  /** Characters of the canonical deliverable that the votes saw, where that was not all of it. */
  shortened?: { shown: number; of: number };
  raw?: unknown;
}

export interface Judgement {
  /** `gate`: decided in code before any judge was asked. */
  judge: { kind: "heuristic" | "llm" | "gate"; id: string };
  verdict: Verdict;
  /** Millionths, 0 to 1,000,000. */
  confidencePpm: number;
  /** Public: quotes nothing from task or deliverable. */
  reasoning: string;
  detail: JudgementDetail;
}

export interface JudgeOptions {
  signal?: AbortSignal;
  /**
   * Earlier tries at this text ended without a usable answer. If the model answers a control prompt
   * and still not this text, its criteria then count as unverified, so that no deliverable can keep
   * its verdict off by spoiling answers.
   */
  lastAttempt?: boolean;
}

/** A judge that can be asked. Throws `JudgeUnavailable` when it cannot decide by its own fault. */
export interface Judge extends Reviewer {
  readonly kind: "heuristic" | "llm";
  readonly id: string;
  /** As in `JudgementDetail.version`. */
  readonly version: string;
  /** As in `JudgementDetail.calibration`. */
  readonly calibration?: string;
  judge(input: JudgeInput, options?: JudgeOptions): Promise<Judgement>;
}

/** The judge is down, slow or answers garbage: the outcome stays as it is and is tried again. */
export class JudgeUnavailable extends Error {
  override name = "JudgeUnavailable";
  readonly retryAfterSeconds: number | undefined;

  /** `message` is plain English without anything an endpoint said: pages show it. */
  constructor(message: string, retryAfterSeconds?: number) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
