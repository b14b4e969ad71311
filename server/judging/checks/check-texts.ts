import {
  type CheckInput,
  type CheckResult,
  isObserved,
  isSameRequirement,
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

/**
 * Finds the requirements of the task, adds `further`, and runs every check that needs only the
 * texts. Considers only the checks named in `names`, or all. Pure; may be slow for hostile texts.
 */
export function checkTexts(
  input: CheckInput,
  further: readonly Requirement[] = [],
  names: readonly string[] | null = null,
): TextResults {
  const isWanted = ({ name }: { name: string }) => names === null || names.includes(name);
  const task = omitComments(input.task);
  const found = CHECKS.filter(isWanted).flatMap(({ extract }) => extract(task, input.category));
  const results: TextResults = { checked: [], toObserve: [] };
  for (const requirement of removeDuplicates([...found, ...further])) {
    const check = findCheck(requirement.check);
    if (!check || !isWanted(check)) continue;
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

/** Keeps the first of several equal requirements. */
function removeDuplicates(requirements: readonly Requirement[]): Requirement[] {
  return requirements.filter(
    (requirement, index) =>
      requirements.findIndex((other) => isSameRequirement(other, requirement)) === index,
  );
}
