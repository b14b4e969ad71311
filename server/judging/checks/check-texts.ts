import {
  type AnyTextCheck,
  type CheckInput,
  type CheckResult,
  createGeneralRequirement,
  isGeneralRequirement,
  isObserved,
  isSameRequirement,
  OVER_LIMIT,
  type Requirement,
} from "./check";
import { CHECKS, findCheck } from "./check-list";

/** A requirement with the result of its check. */
export interface CheckedRequirement extends Requirement {
  result: CheckResult;
  /** Whether texts without content pass it as well, so that passing it says nothing. */
  isEasy?: true;
}

/** Requirements by whether their checks have run. */
export interface TextResults {
  checked: CheckedRequirement[];
  /** Requirements whose checks need an observation first. */
  toObserve: Requirement[];
  faults: CheckFault[];
}

/** A fault in the code of a check, without any text of a user. */
export interface CheckFault {
  check: string;
  /** Name of the error and the line that threw it. */
  error: string;
}

export const FAULTY: CheckResult = {
  outcome: "not-applicable",
  observed: "not checked: the check failed",
  isFaulty: true,
};

/** Maximum number of requirements of a task, beside those that every deliverable is held to. */
const MAX_REQUIREMENTS = 30;

/**
 * Finds the requirements of the task, adds `further`, and runs every check that needs only the
 * texts. Those of the task beyond the maximum number count as over the limit. Returns null, without
 * running any check, if requirements × characters of the deliverable exceed `maxWork`. Pure; may be
 * slow for hostile texts.
 */
export function checkTexts(input: CheckInput, further?: readonly Requirement[]): TextResults;
export function checkTexts(
  input: CheckInput,
  further?: readonly Requirement[],
  maxWork?: number,
): TextResults | null;
export function checkTexts(
  input: CheckInput,
  further: readonly Requirement[] = [],
  maxWork = Number.POSITIVE_INFINITY,
): TextResults | null {
  const task = omitComments(input.task);
  const results: TextResults = { checked: [], toObserve: [], faults: [] };
  /** Contains a fault to the requirement that it concerns. */
  const attempt = <T>(requirement: Requirement, call: () => T): T | null => {
    try {
      return toJson(call());
    } catch (error) {
      // An exhausted stack is no fault of the check: the text exceeds the limits.
      const isFault = !(error instanceof RangeError);
      if (isFault) results.faults.push(describeFault(requirement.check, error));
      results.checked.push({ ...requirement, result: isFault ? FAULTY : OVER_LIMIT });
      return null;
    }
  };
  const found = CHECKS.flatMap(
    ({ name, extract }) =>
      attempt(createGeneralRequirement(name), () => extract(task, input.category)) ?? [],
  );
  const { kept, skipped } = selectRequirements(found, further);
  if (kept.length * input.text.length > maxWork) return null;
  for (const name of skipped) {
    results.checked.push({ ...createGeneralRequirement(name), result: OVER_LIMIT });
  }
  for (const requirement of kept) {
    const check = findCheck(requirement.check);
    if (!check) continue;
    // Skips invalid parameters, so that a hostile task cannot make the judgement throw.
    const parsed = check.parameters.safeParse(requirement.parameters);
    if (!parsed.success) continue;
    if (isObserved(check)) {
      results.toObserve.push(requirement);
      continue;
    }
    const checked = attempt(requirement, (): CheckedRequirement => {
      const result = check.run(input, parsed.data);
      const isEasy = result.outcome === "pass" && isPassedByFiller(check, input, parsed.data);
      return { ...requirement, result, ...(isEasy && { isEasy }) };
    });
    if (checked) results.checked.push(checked);
  }
  return results;
}

/** Returns a copy that is stored as it crosses a thread. Throws if JSON cannot hold `value`. */
const toJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** Omits the message, which may quote a text. */
export function describeFault(check: string, error: unknown): CheckFault {
  if (!(error instanceof Error)) return { check, error: `thrown ${typeof error}` };
  const place = /\n\s+(at .*)/.exec(error.stack ?? "")?.[1] ?? "";
  return { check, error: `${error.name} ${place}`.trim() };
}

/** Matches a comment in Markdown: a link definition without use, on a line of its own. */
const MARKDOWN_COMMENT = /^ {0,3}\[(?:\/\/|comment|#|_)\]: ?(?:#|<>).*$/gim;

/**
 * Returns a task without its HTML and Markdown comments: readers of the rendered task don't see
 * them, so a requirement there must not make good work fail.
 */
function omitComments(task: string): string {
  const [start = "", ...rest] = task.replace(MARKDOWN_COMMENT, "").split("<!--");
  const visible = rest.map((part) => {
    const end = part.indexOf("-->");
    return end < 0 ? `<!--${part}` : part.slice(end + 3);
  });
  return start + visible.join("");
}

/** Runs the check of a requirement on its observation. Pure. */
export function checkObservation(
  input: CheckInput,
  { check: name, parameters }: Requirement,
  observation: unknown,
): CheckResult {
  const check = findCheck(name);
  if (!check || !isObserved(check)) throw new Error(`${name} is not an observed check`);
  return toJson(check.run(input, check.parameters.parse(parameters), observation));
}

/**
 * Returns the requirements without duplicates, and the checks of those beyond the maximum. Compares
 * with the kept ones only, since a task may state thousands.
 */
function selectRequirements(found: readonly Requirement[], further: readonly Requirement[]) {
  const kept: Requirement[] = [];
  const skipped = new Set<string>();
  const isNew = (one: Requirement) => !kept.some((other) => isSameRequirement(other, one));
  let stated = 0;
  for (const requirement of found) {
    if (!isNew(requirement)) continue;
    if (!isGeneralRequirement(requirement) && ++stated > MAX_REQUIREMENTS) {
      skipped.add(requirement.check);
    } else kept.push(requirement);
  }
  for (const requirement of further) if (isNew(requirement)) kept.push(requirement);
  return { kept, skipped: [...skipped] };
}

/** Texts that do no work, of several lengths and forms. */
const FILLERS: readonly string[] = [
  "Done.",
  "Thank you for your request. The work is complete and ready for review.",
  "this is a short text about the topic it gives a general overview and nothing more",
  "Here is the text you asked for. It covers the topic in general terms.\n\nThere are many aspects to consider. Each of them matters in its own way.",
  "This subject is important for many people, and it has several sides. Some of them are well known, others less so. In general, it is worth looking at the whole picture before coming to a conclusion. There are good reasons for one view, and there are good reasons for the other. What matters in the end is the situation at hand, together with the aims that one has.\n\nOverall, the subject offers a lot to think about. Careful planning helps, and so does a clear idea of the goal. With these things in mind, a good result is possible in most cases.",
  "## Overview\n\n- A first point\n- A second point\n- A third point\n\nThese points give a general idea of the subject.",
];
/** From this many of them on, passing a check says nothing about the work. */
const MIN_PASSING = 3;

/**
 * Returns whether many texts without content pass a check as well, such as "no commas" or "at most
 * 200 words". Passing it then does not support a `SUCCESS`.
 */
export function isPassedByFiller(
  check: AnyTextCheck,
  input: CheckInput,
  parameters: unknown,
): boolean {
  let passing = 0;
  // The longest fillers take most of the time; often the first ones decide.
  for (const text of FILLERS) {
    if (check.run({ ...input, text }, parameters).outcome === "pass") passing += 1;
    if (passing >= MIN_PASSING) return true;
  }
  return false;
}
