import { toCheckInput } from "@/server/judging/checks/builtin-judge";
import type { Canonical, JudgeOptions } from "@/server/judging/judge";
import type { Criterion, Reference } from "@/server/judging/schema";
import type { Panel } from "./panel";
import { applyFacts, type CodeFindings, listRequirements } from "./rubric/code-findings";

/**
 * Runs the checks of the task and of the criteria, and applies their results. A review has no
 * reference. Under an agreement there are none: its requirements were decided before.
 */
export async function checkInCode(
  { runChecks }: Pick<Panel, "runChecks">,
  input: Canonical,
  { criteria, reference }: { criteria: readonly Criterion[]; reference?: Reference },
  { signal, pages }: JudgeOptions,
): Promise<CodeFindings> {
  if (input.agreed) return applyFacts(criteria, [], reference);
  const further = listRequirements(criteria, reference);
  const facts = await runChecks(toCheckInput(input), { further, signal, pages });
  return applyFacts(criteria, facts, reference);
}
