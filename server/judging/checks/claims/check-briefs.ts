import { isSameRequirement } from "@/server/judging/checks/check";
import type { CheckedFact, CheckRunner } from "@/server/judging/checks/run-checks";
import type { Canonical, JudgeOptions, ReviewInput } from "@/server/judging/judge";
import { inWorker } from "@/server/lib/process/worker-pool";
import type { WeighedBrief, weighBriefs } from "./weigh-briefs";

/** A party's brief with its claims checked. */
export interface CheckedBrief extends WeighedBrief {
  /** The claims that a check could decide. */
  facts: CheckedFact[];
}

const weighInWorker = inWorker<Parameters<typeof weighBriefs>, WeighedBrief[]>(
  "server/judging/checks/claims/weigh-briefs.ts",
  "weighBriefs",
);

/**
 * Compares the parties' statements and documents with the deliverable: their quotations, their
 * calculations, and the claims that the checks can decide. Returns none if the texts exceed the
 * limits on time and memory.
 */
export async function checkBriefs(
  runChecks: CheckRunner,
  input: Canonical<ReviewInput>,
  options: JudgeOptions = {},
): Promise<CheckedBrief[]> {
  const weighed = await weighInWorker.for(options.queueKey)(input);
  if (!weighed.ok) return [];
  const further = weighed.value.flatMap(({ claims }) => claims);
  // Without the task, whose requirements the judgement has already checked.
  const work = { task: "", category: input.category, text: input.deliverable.text };
  const facts = further.length > 0 ? await runChecks(work, { ...options, further }) : [];
  return weighed.value.map((brief) => ({
    ...brief,
    facts: facts.filter(
      (fact) =>
        fact.result.outcome !== "not-applicable" &&
        brief.claims.some((claim) => isSameRequirement(claim, fact)),
    ),
  }));
}
