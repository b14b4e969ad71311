import { inWorker } from "@/server/lib/process/worker-pool";
import {
  type CheckInput,
  type CheckIo,
  type CheckResult,
  createGeneralRequirement,
  isObserved,
  type Requirement,
} from "./check";
import {
  type CheckedRequirement,
  type CheckFault,
  type checkObservation,
  type checkTexts,
  describeFault,
  FAULTY,
  type TextResults,
} from "./check-texts";
import { CHECKS, findCheck } from "./registry";
import type { PageStore } from "./sources/cited-page";

/** The result of checking one requirement; stored with the judgement. */
export interface CheckedFact extends CheckedRequirement {
  /** Unique within the judgement: `k1`, `k2` and so on. */
  id: string;
  /** Public description of the requirement. */
  text: string;
}

/**
 * Checks a deliverable against the requirements of its task and `further` ones, such as those of a
 * rubric. Never throws because of a text: a check that exceeds its limits or throws is not
 * applicable.
 */
export type CheckRunner = (
  input: CheckInput,
  options?: {
    further?: readonly Requirement[] | undefined;
    signal?: AbortSignal | undefined;
    pages?: PageStore | undefined;
  },
) => Promise<CheckedFact[]>;

/** The first call in a thread takes about a second of CPU time: it compiles the patterns of all checks. */
const WARM_UP: Parameters<typeof checkTexts> = [
  {
    task: "Write about rivers in at most 50 words.",
    category: "content",
    text: "Rivers carry water to the sea.",
  },
];
/** A single check gets less time, so that one text delays others by seconds at most. */
const SINGLE_CHECK_LIMITS = { timeMs: 1_000 };
/** After this time, the checks of a text that did not run yet count as over the limit. */
const MAX_SEPARATE_MS = 10_000;
const checkTextsInWorker = inWorker<Parameters<typeof checkTexts>, TextResults>(
  "server/judging/checks/check-texts.ts",
  "checkTexts",
  { warmUp: WARM_UP },
);
const runSingleCheckInWorker = inWorker<Parameters<typeof checkTexts>, TextResults>(
  "server/judging/checks/check-texts.ts",
  "checkTexts",
  { ...SINGLE_CHECK_LIMITS, warmUp: WARM_UP },
);
const checkObservationInWorker = inWorker<Parameters<typeof checkObservation>, CheckResult>(
  "server/judging/checks/check-texts.ts",
  "checkObservation",
  SINGLE_CHECK_LIMITS,
);

const OVER_LIMIT: CheckResult = {
  outcome: "not-applicable",
  observed: "not checked: it takes too much time or memory",
  isOverLimit: true,
};

/** Returns whether a check did not end: it exceeded its limit on time or memory, or it is faulty. */
export const isUnfinished = ({ result }: CheckedFact): boolean =>
  result.isOverLimit === true || result.isFaulty === true;

const fetchWithoutStore: PageStore = (_url, fetchPage) => fetchPage();

/** Creates the runner of all checks. Calls `onFault` for each fault in a check, which is contained. */
export function createCheckRunner(
  { fetchCitedPage, runCode }: CheckIo,
  onFault: (fault: CheckFault) => void = () => {},
): CheckRunner {
  return async (input, { further = [], signal, pages = fetchWithoutStore } = {}) => {
    const io: CheckIo = {
      runCode,
      fetchCitedPage: (url, limit) => pages(url, () => fetchCitedPage(url, limit)),
    };
    const { checked, toObserve, faults } = await checkAllTexts(input, further);
    faults.forEach(onFault);
    const report = ({ check }: Requirement, error: unknown) => onFault(describeFault(check, error));
    const observed = await Promise.all(
      toObserve.map(async (requirement): Promise<CheckedRequirement> => {
        const result = await observeAndCheck(input, requirement, io, signal).catch((error) => {
          signal?.throwIfAborted();
          report(requirement, error);
          return FAULTY;
        });
        return { ...requirement, result };
      }),
    );
    return sortByRegistry([...checked, ...observed]).map((requirement, index) => {
      let text = requirement.check.replaceAll("-", " ");
      try {
        text = describeRequirement(requirement) ?? text;
      } catch (error) {
        report(requirement, error);
      }
      return { ...requirement, id: `k${index + 1}`, text };
    });
  };
}

/** Returns null for a check that did not end, which has no parameters. */
function describeRequirement({ check: name, parameters }: Requirement): string | null {
  const check = findCheck(name);
  const parsed = check?.parameters.safeParse(parameters);
  return check && parsed?.success ? check.describe(parsed.data) : null;
}

/**
 * Runs all text checks together; if they exceed the limits, runs each separately, to skip only the
 * slow ones, as long as the total time is within its limit.
 */
async function checkAllTexts(
  input: CheckInput,
  further: readonly Requirement[],
): Promise<TextResults> {
  const all = await checkTextsInWorker(input, further, null);
  if (all.ok) return all.value;
  const results: TextResults = { checked: [], toObserve: [], faults: [] };
  const deadline = performance.now() + MAX_SEPARATE_MS;
  for (const { name } of CHECKS) {
    const own = further.filter(({ check }) => check === name);
    const isLate = performance.now() > deadline;
    const single = isLate ? null : await runSingleCheckInWorker(input, own, [name]);
    if (single?.ok) {
      results.checked.push(...single.value.checked);
      results.toObserve.push(...single.value.toObserve);
      results.faults.push(...single.value.faults);
    } else {
      results.checked.push({ ...createGeneralRequirement(name), result: OVER_LIMIT });
    }
  }
  return results;
}

async function observeAndCheck(
  input: CheckInput,
  requirement: Requirement,
  io: CheckIo,
  signal?: AbortSignal,
): Promise<CheckResult> {
  const check = findCheck(requirement.check);
  if (!check || !isObserved(check))
    throw new Error(`${requirement.check} is not an observed check`);
  const parameters: unknown = check.parameters.parse(requirement.parameters);
  const observation: unknown = await check.observe(input, parameters, io, signal);
  if (observation === null) {
    return { outcome: "not-applicable", observed: "nothing to check" };
  }
  const result = await checkObservationInWorker(input, requirement, observation);
  return result.ok ? result.value : OVER_LIMIT;
}

const ORDER = new Map(CHECKS.map(({ name }, index) => [name, index]));

function sortByRegistry(requirements: CheckedRequirement[]): CheckedRequirement[] {
  const position = ({ check }: Requirement) => ORDER.get(check) ?? CHECKS.length;
  return requirements.toSorted((a, b) => position(a) - position(b));
}
