import type { Judge, JudgeInput, Judgement } from "@/server/judging/judge";
import { inWorker } from "@/server/lib/worker-pool";
import { reviewByRules } from "./builtin-review";
import { CHECKS, type Checked, type CheckId, type runChecks } from "./checks";
import { conclude, ID } from "./judge-by-rules";

const checkInWorker = inWorker<Parameters<typeof runChecks>, Checked>(
  "server/judging/rules/checks.ts",
  "runChecks",
);
/** A single check has a shorter time limit, so that one text delays others by seconds at most. */
const checkOneInWorker = inWorker<Parameters<typeof runChecks>, Checked>(
  "server/judging/rules/checks.ts",
  "runChecks",
  { timeMs: 1_000 },
);

/**
 * The judge used if no model is configured. It certifies "no obvious defect", says so, and fails a
 * deliverable only on a defect it can name. Deterministic.
 */
export const builtinJudge: Judge = {
  kind: "heuristic",
  version: ID,
  id: ID,
  judge: (input) => judgeInWorker(input),
  review: async (input) => reviewByRules(input, await judgeInWorker(input)),
};

/**
 * Runs all checks together; if they exceed the limits, runs each alone to skip only the slow ones.
 */
async function judgeInWorker(input: JudgeInput): Promise<Judgement> {
  const all = await checkInWorker(input, CHECKS);
  if (all.ok) return conclude(input, all.value);
  const done: Checked[] = [];
  const unchecked: CheckId[] = [];
  for (const id of CHECKS) {
    const one = await checkOneInWorker(input, [id]);
    if (one.ok) done.push(one.value);
    else unchecked.push(id);
  }
  return conclude(input, merged(done), unchecked);
}

function merged(parts: Checked[]): Checked {
  return {
    defects: [...new Set(parts.flatMap(({ defects }) => defects))],
    requirements: parts.flatMap(({ requirements }) => requirements),
    checked: parts.flatMap(({ checked }) => checked),
    lacksTaskTerms: parts.some(({ lacksTaskTerms }) => lacksTaskTerms),
  };
}
