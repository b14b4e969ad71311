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
import { isPassedByFiller } from "./filler";
import { CHECKS, findCheck } from "./registry";

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
}

/** Maximum number of requirements of a task, beside those that every deliverable is held to. */
const MAX_REQUIREMENTS = 30;

/**
 * Finds the requirements of the task, adds `further`, and runs every check that needs only the
 * texts. Those of the task beyond the maximum number count as over the limit. Returns null, without
 * running any check, if requirements × characters of the deliverable exceed `maxWork`. Pure; may be
 * slow for hostile texts.
 */
export function checkTexts(
  input: CheckInput,
  further: readonly Requirement[] = [],
  maxWork = Number.POSITIVE_INFINITY,
): TextResults | null {
  const task = omitComments(input.task);
  const found = CHECKS.flatMap(({ extract }) => extract(task, input.category));
  const { kept, skipped } = selectRequirements(found, further);
  if (kept.length * input.text.length > maxWork) return null;
  const results: TextResults = {
    checked: skipped.map((name) => ({ ...createGeneralRequirement(name), result: OVER_LIMIT })),
    toObserve: [],
  };
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
    const result = check.run(input, parsed.data);
    const isEasy = result.outcome === "pass" && isPassedByFiller(check, input, parsed.data);
    results.checked.push({ ...requirement, result, ...(isEasy && { isEasy }) });
  }
  return results;
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
  return check.run(input, check.parameters.parse(parameters), observation);
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
