import { isDeepStrictEqual } from "node:util";
import type { QueueKey } from "@/server/lib/process/fair-queue";
import type { Category } from "@/server/lib/schema";
import type { CodeJob, CodeRun } from "./code/code-run";

/** What a check reads. Both texts are canonical and untrusted. */
export interface CheckInput {
  task: string;
  category: Category;
  /** The deliverable. */
  text: string;
}

/** What a task requires of its deliverable, in a form that a check can decide. */
export interface Requirement<Parameters = unknown> {
  /** Name of the check. */
  check: string;
  /** JSON. */
  parameters: Parameters;
  /**
   * The words of the task that state it. Empty if every deliverable is held to it, or if no single
   * sentence states it. Private.
   */
  statement: string;
}

/** A part of the deliverable, as UTF-16 offsets; `to` is exclusive. Private. */
export type Passage = { from: number; to: number };

/**
 * `not-applicable`: nothing in the deliverable could be checked, or it could not be read safely. It
 * counts neither for nor against the deliverable.
 */
export type CheckOutcome = "pass" | "fail" | "not-applicable";

export interface CheckResult {
  outcome: CheckOutcome;
  /**
   * What was observed, in a few plain words such as "214 words". Public: contains our own words and
   * counts, and nothing from the task or the deliverable.
   */
  observed: string;
  /** The same with names and figures from the texts, such as "12 × 3 is 36, not 38". Private. */
  detail?: string;
  /** The parts of the deliverable that it concerns: at most ten, most important first. */
  passages?: Passage[];
  /** Whether the check did not end: it exceeded its limit on time or memory, or threw. */
  isUnfinished?: true;
}

export const UNFINISHED: CheckResult = {
  outcome: "not-applicable",
  observed: "the check could not be completed",
  isUnfinished: true,
};

interface CheckBasics<Parameters> {
  /** In kebab case; stored, so it never changes its meaning. */
  name: string;
  /**
   * Finds the requirements of this kind that a task states. Returns none if the task is unclear, so
   * that an unclear task never counts against a deliverable. A check that every deliverable is held
   * to returns one requirement with an empty statement.
   */
  extract(task: string, category: Category): Requirement<Parameters>[];
  /** Describes the requirement in public, such as "At most 200 words". Quotes no private text. */
  describe(parameters: Parameters): string;
  /** Whether no text without work passes it, so that a pass supports a `SUCCESS`. */
  isProofOfWork?: true;
}

/** A check that needs only the texts. `run` is pure; it may be slow for hostile texts. */
export interface TextCheck<Parameters> extends CheckBasics<Parameters> {
  run(input: CheckInput, parameters: Parameters): CheckResult;
}

/** A check of something that must first be observed: a fetched page, the run of a program. */
export interface ObservedCheck<Parameters, Observation> extends CheckBasics<Parameters> {
  /** Returns null if there is nothing to observe; the check is then not applicable. */
  observe(
    input: CheckInput,
    parameters: Parameters,
    io: CheckIo,
    options?: ObserveOptions,
  ): Promise<Observation | null>;
  /** Pure. */
  run(input: CheckInput, parameters: Parameters, observation: Observation): CheckResult;
}

/** Until when something is observed, and for which submitter: queues alternate between submitters. */
export interface ObserveOptions {
  signal?: AbortSignal | undefined;
  queueKey?: QueueKey | undefined;
}

export interface FetchOptions extends ObserveOptions {
  /** Whether only the response counts: then the page has no text, and little of it is read. */
  isTextless?: boolean | undefined;
  /** Whether nothing is decided by it, so that it may be refused in favour of a delivery. */
  isTrial?: boolean | undefined;
}

/** The IO that checks may use. */
export interface CheckIo {
  /** Fetches a page that a deliverable cites. Throws only `rate-limited`, if its server must wait. */
  fetchCitedPage(url: string, options?: FetchOptions): Promise<CitedPage>;
  /** Executes code in a sandbox. Never throws. */
  runCode(job: CodeJob, options?: ObserveOptions): Promise<CodeRun>;
}

// biome-ignore lint/suspicious/noExplicitAny: the list holds checks of any parameters, each of which reads its own.
export type AnyTextCheck = TextCheck<any>;
// biome-ignore lint/suspicious/noExplicitAny: see above.
export type AnyObservedCheck = ObservedCheck<any, any>;
export type AnyCheck = AnyTextCheck | AnyObservedCheck;

export const isObserved = (check: AnyCheck): check is AnyObservedCheck => "observe" in check;

/** Returns whether two requirements demand the same. */
export const isSameRequirement = (
  one: Pick<Requirement, "check" | "parameters">,
  other: Pick<Requirement, "check" | "parameters">,
): boolean => one.check === other.check && isDeepStrictEqual(one.parameters, other.parameters);

/** Creates the requirement of a check that every deliverable is held to. */
export const createGeneralRequirement = (check: string): Requirement<Record<string, never>> => ({
  check,
  parameters: {},
  statement: "",
});

/** Say that a page does not exist. */
export const MISSING_STATUSES = [404, 410];

/**
 * A page as fetched from a URL that a deliverable cites. `missing`: its server says that it does not
 * exist (404 or 410), or its host does not exist (no status). `unreachable`: nothing can be said about it.
 */
export type CitedPage =
  | {
      kind: "page";
      text: string;
      /**
       * Whether a reader may see more than `text`: the page is built by scripts, behind a login or a
       * payment, too long, or a PDF that cannot be read.
       */
      isPartial: boolean;
      /** Whether the order of words is uncertain, as in columns of a PDF. */
      isPdf?: boolean;
      status?: number;
      /** After redirects. */
      finalUrl?: string;
    }
  | { kind: "missing"; status: number | null; finalUrl?: string }
  | { kind: "unreachable"; reason: string };

/**
 * The pages of one judgement or review. Returns the stored copy of a page, else stores what
 * `fetchPage` returns; a review of a judgement only reads.
 */
export type PageStore = (url: string, fetchPage: () => Promise<CitedPage>) => Promise<CitedPage>;
