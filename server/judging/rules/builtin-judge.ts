import type { Judge, JudgeInput, Judgement } from "@/server/judging/judge";
import { inWorker } from "@/server/lib/worker-pool";
import { reviewByRules } from "./builtin-review";
import { CHECKS, type Checked, type CheckId, type runChecks } from "./checks";
import { conclude, ID } from "./judge-by-rules";

const checkInWorker = inWorker<Parameters<typeof runChecks>, Checked>(
  "server/judging/rules/checks.ts",
  "runChecks",
);
/** Each check by itself has less time, so that one text keeps others waiting for seconds at most. */
const checkOneInWorker = inWorker<Parameters<typeof runChecks>, Checked>(
  "server/judging/rules/checks.ts",
  "runChecks",
  { timeMs: 1_000 },
);

/**
 * The judge for when no model is configured. It certifies "no obvious defect", says so, and fails a
 * deliverable only on a defect it can name. The same texts have the same judgement.
 */
export const builtinJudge: Judge = {
  kind: "heuristic",
  version: ID,
  id: ID,
  judge: (input) => judgeInWorker(input),
  review: async (input) => reviewByRules(input, await judgeInWorker(input)),
};

/** All checks in one go; if they go over the limits, each by itself, so that only the slow are left out. */
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
