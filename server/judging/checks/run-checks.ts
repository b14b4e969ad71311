import { inWorker } from "@/server/lib/process/worker-pool";
import {
  type CheckInput,
  type CheckIo,
  type CheckResult,
  isObserved,
  type ObserveOptions,
  type PageStore,
  type Requirement,
  UNFINISHED,
} from "./check";
import { CHECKS, findCheck } from "./check-list";
import {
  type CheckedRequirement,
  type CheckFault,
  type checkObservation,
  type checkTexts,
  createUnfinished,
  describeFault,
  type TextResults,
} from "./check-texts";
import { executeCode } from "./code/sandbox/execute-code";
import { createCitedPageFetch } from "./sources/fetch-cited-page";

/** The result of checking one requirement; stored with the judgement. */
export interface CheckedFact extends CheckedRequirement {
  /** Unique within the judgement: `k1`, `k2` and so on. */
  id: string;
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
const checkTextsInWorker = inWorker<Parameters<typeof checkTexts>, TextResults>(
  "server/judging/checks/check-texts.ts",
  "checkTexts",
  { warmUp: WARM_UP },
);
/** A single check gets less time, so that one text delays others by seconds at most. */
const checkObservationInWorker = inWorker<Parameters<typeof checkObservation>, CheckResult>(
  "server/judging/checks/check-texts.ts",
  "checkObservation",
  { timeMs: 1_000 },
);

/** Returns whether a check did not end. */
export const isUnfinished = ({ result }: CheckedFact): boolean => result.isUnfinished === true;

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
    const texts = await checkTextsInWorker.for(options.queueKey)(input);
    if (!texts.ok) return number(CHECKS.map(({ name }) => createUnfinished(name)));
    const { checked, toObserve, faults } = texts.value;
    faults.forEach(onFault);
    const observed = toObserve.map(async (requirement): Promise<CheckedRequirement> => {
      const result = await observeAndCheck(input, requirement, io, options).catch((error) => {
        options.signal?.throwIfAborted();
        onFault(describeFault(requirement.check, error));
        return UNFINISHED;
      });
      return { ...requirement, result };
    });
    return number([...checked, ...(await Promise.all(observed))]);
  };
}

const number = (requirements: CheckedRequirement[]): CheckedFact[] =>
  requirements.map((requirement, index) => ({ ...requirement, id: `k${index + 1}` }));

async function observeAndCheck(
  input: CheckInput,
  requirement: Requirement,
  io: CheckIo,
  options: ObserveOptions,
): Promise<CheckResult> {
  const check = findCheck(requirement.check);
  if (!check || !isObserved(check))
    throw new Error(`${requirement.check} is not an observed check`);
  const observation: unknown = await check.observe(input, requirement.parameters, io, options);
  if (observation === null) {
    return { outcome: "not-applicable", observed: "nothing to check" };
  }
  const result = await checkObservationInWorker.for(options.queueKey)(
    input,
    requirement,
    observation,
  );
  return result.ok ? result.value : UNFINISHED;
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
