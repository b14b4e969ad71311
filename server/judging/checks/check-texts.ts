import {
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
}

/** Requirements by whether their checks have run. */
export interface TextResults {
  checked: CheckedRequirement[];
  /** Requirements whose checks need an observation first. */
  toObserve: Requirement[];
  faults: CheckFault[];
  /** Whether no check ran, because that exceeds `maxWork`. */
  isTooMuch?: true;
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
 * Finds the requirements of the task and runs every check that needs only the texts. Requirements
 * beyond the maximum number count as over the limit. Runs no check if requirements × characters of
 * the deliverable exceed `maxWork`. Pure; may be slow for hostile texts.
 */
export function checkTexts(input: CheckInput, maxWork = Number.POSITIVE_INFINITY): TextResults {
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
  const { kept, skipped } = selectRequirements(found);
  if (kept.length * input.text.length > maxWork) return { ...results, isTooMuch: true };
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
      const { outcome, ...result } = check.run(input, parsed.data);
      return { ...requirement, result: { outcome, ...result } };
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
function selectRequirements(found: readonly Requirement[]) {
  const kept: Requirement[] = [];
  const skipped = new Set<string>();
  let stated = 0;
  for (const requirement of found) {
    if (kept.some((other) => isSameRequirement(other, requirement))) continue;
    if (!isGeneralRequirement(requirement) && ++stated > MAX_REQUIREMENTS) {
      skipped.add(requirement.check);
    } else kept.push(requirement);
  }
  return { kept, skipped: [...skipped] };
}
