import { inWorker, QUICK_CHARACTERS } from "@/server/lib/process/worker-pool";
import {
  type CheckInput,
  type CheckIo,
  type CheckResult,
  createGeneralRequirement,
  isObserved,
  type ObserveOptions,
  OVER_LIMIT,
  type PageStore,
  type Requirement,
} from "./check";
import { CHECKS, findCheck } from "./check-list";
import {
  type CheckedRequirement,
  type CheckFault,
  type checkObservation,
  type checkTexts,
  describeFault,
  FAULTY,
  type TextResults,
} from "./check-texts";
import { executeCode } from "./code/sandbox/execute-code";
import { createCitedPageFetch } from "./sources/fetch-cited-page";

/** The result of checking one requirement; stored with the judgement. */
export interface CheckedFact extends CheckedRequirement {
  /** Unique within the judgement: `k1`, `k2` and so on. */
  id: string;
  /** Public description of the requirement. */
  text: string;
}

/**
 * Checks a deliverable against the requirements of its task. Never throws because of a text: a check
 * that exceeds its limits or throws is not applicable.
 */
export type CheckRunner = (
  input: CheckInput,
  options?: ObserveOptions & { pages?: PageStore | undefined },
) => Promise<CheckedFact[]>;

/** The first call in a thread takes about a second of CPU time: it compiles the patterns of all checks. */
const WARM_UP: Parameters<typeof checkTexts> = [
  {
    task: "Write about rivers in at most 50 words.",
    category: "content",
    text: "Rivers carry water to the sea.",
  },
];
/**
 * Requirements × characters that the thread for ordinary texts takes: about 0.2 s. More goes to the
 * thread for long ones, so that it delays only its like.
 */
const MAX_QUICK_WORK = 500_000;
const checkIn = (pool: "quick" | "heavy") =>
  inWorker<Parameters<typeof checkTexts>, TextResults>(
    "server/judging/checks/check-texts.ts",
    "checkTexts",
    { pool, warmUp: WARM_UP },
  );
const checkQuickly = checkIn("quick");
const checkLongText = checkIn("heavy");
/** A single check gets less time, so that one text delays others by seconds at most. */
const checkObservationInWorker = inWorker<Parameters<typeof checkObservation>, CheckResult>(
  "server/judging/checks/check-texts.ts",
  "checkObservation",
  { timeMs: 1_000 },
);

/** Returns whether a check did not end: it exceeded its limit on time or memory, or it is faulty. */
export const isUnfinished = ({ result }: CheckedFact): boolean =>
  result.isOverLimit === true || result.isFaulty === true;

const fetchWithoutStore: PageStore = (_url, fetchPage) => fetchPage();

/** Creates the runner of all checks. Calls `onFault` for each fault in a check, which is contained. */
export function createCheckRunner(
  { fetchCitedPage, runCode }: CheckIo,
  onFault: (fault: CheckFault) => void = () => {},
): CheckRunner {
  return async (input, { pages = fetchWithoutStore, ...options } = {}) => {
    const io: CheckIo = {
      runCode,
      fetchCitedPage: (url, limits) => pages(url, () => fetchCitedPage(url, limits)),
    };
    const { checked, toObserve, faults } = await checkAllTexts(input, options);
    faults.forEach(onFault);
    const report = ({ check }: Requirement, error: unknown) => onFault(describeFault(check, error));
    const observed = await Promise.all(
      toObserve.map(async (requirement): Promise<CheckedRequirement> => {
        const result = await observeAndCheck(input, requirement, io, options).catch((error) => {
          options.signal?.throwIfAborted();
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
 * Runs all text checks together. What takes the first thread too long moves to the thread for long
 * texts once; if that is too slow as well, every check counts as over the limit.
 */
async function checkAllTexts(
  input: CheckInput,
  { queueKey }: ObserveOptions,
): Promise<TextResults> {
  if (input.task.length + input.text.length <= QUICK_CHARACTERS) {
    const quick = await checkQuickly.for(queueKey)(input, MAX_QUICK_WORK);
    if (quick.ok && !quick.value.isTooMuch) return quick.value;
  }
  const long = await checkLongText.for(queueKey)(input);
  if (long.ok) return long.value;
  const checked = CHECKS.map(({ name }) => ({
    ...createGeneralRequirement(name),
    result: OVER_LIMIT,
  }));
  return { checked, toObserve: [], faults: [] };
}

async function observeAndCheck(
  input: CheckInput,
  requirement: Requirement,
  io: CheckIo,
  options: ObserveOptions,
): Promise<CheckResult> {
  const check = findCheck(requirement.check);
  if (!check || !isObserved(check))
    throw new Error(`${requirement.check} is not an observed check`);
  const parameters: unknown = check.parameters.parse(requirement.parameters);
  const observation: unknown = await check.observe(input, parameters, io, options);
  if (observation === null) {
    return { outcome: "not-applicable", observed: "nothing to check" };
  }
  const result = await checkObservationInWorker.for(options.queueKey)(
    input,
    requirement,
    observation,
  );
  return result.ok ? result.value : OVER_LIMIT;
}

const ORDER = new Map(CHECKS.map(({ name }, index) => [name, index]));

function sortByRegistry(requirements: CheckedRequirement[]): CheckedRequirement[] {
  const position = ({ check }: Requirement) => ORDER.get(check) ?? CHECKS.length;
  return requirements.toSorted((a, b) => position(a) - position(b));
}

/**
 * Creates the IO of checks: the guarded fetch and the code sandbox. `allowLoopback` permits fetching
 * pages from this machine.
 */
export function createCheckIo(options: Parameters<typeof createCitedPageFetch>[0]): CheckIo {
  return {
    fetchCitedPage: createCitedPageFetch(options),
    runCode: executeCode,
  };
}
