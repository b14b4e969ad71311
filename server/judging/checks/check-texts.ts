import {
  type CheckInput,
  type CheckResult,
  createGeneralRequirement,
  isObserved,
  type Requirement,
  UNFINISHED,
} from "./check";
import { CHECKS, findCheck } from "./check-list";

/** A requirement with its public description. */
export interface DescribedRequirement extends Requirement {
  text: string;
}

/** A requirement with the result of its check. */
export interface CheckedRequirement extends DescribedRequirement {
  result: CheckResult;
}

/** Requirements by whether their checks have run. */
export interface TextResults {
  checked: CheckedRequirement[];
  /** Requirements whose checks need an observation first. */
  toObserve: DescribedRequirement[];
  faults: CheckFault[];
}

/** A fault in the code of a check, without any text of a user. */
export interface CheckFault {
  check: string;
  /** Name of the error and the line that threw it. */
  error: string;
}

/**
 * Finds the requirements of the task and runs every check that needs only the texts. A check that
 * throws is unfinished, and the others run. Pure; may be slow for hostile texts.
 */
export function checkTexts(input: CheckInput): TextResults {
  const task = omitComments(input.task);
  const results: TextResults = { checked: [], toObserve: [], faults: [] };
  for (const check of CHECKS) {
    try {
      for (const requirement of check.extract(task, input.category)) {
        const { parameters } = requirement;
        const described = { ...requirement, text: check.describe(parameters) };
        if (isObserved(check)) results.toObserve.push(described);
        else results.checked.push({ ...described, result: check.run(input, parameters) });
      }
    } catch (error) {
      // An exhausted stack is no fault of the check: the text exceeds the limits.
      if (!(error instanceof RangeError)) results.faults.push(describeFault(check.name, error));
      results.checked.push(createUnfinished(check.name));
    }
  }
  // As they are stored, since a dispute compares them: without undefined members.
  return JSON.parse(JSON.stringify(results));
}

export const createUnfinished = (check: string): CheckedRequirement => ({
  ...createGeneralRequirement(check),
  text: check.replaceAll("-", " "),
  result: UNFINISHED,
});

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
  return check.run(input, parameters, observation);
}
