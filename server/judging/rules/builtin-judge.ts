import type { Judge } from "@/server/judging/judge";
import { reviewByRules } from "./builtin-review";
import { ID, judgeByRules } from "./judge-by-rules";

/**
 * The judge for when no model is configured. It certifies "no obvious defect", says so, and fails a
 * deliverable only on a defect it can name. Pure: the same texts, the same judgement.
 */
export const builtinJudge: Judge = {
  kind: "heuristic",
  version: ID,
  id: ID,
  judge: async (input) => judgeByRules(input),
  review: async (input) => reviewByRules(input),
};
