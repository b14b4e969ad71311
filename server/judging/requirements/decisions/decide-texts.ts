import type { Delivered } from "@/server/judging/requirements/requirement-decider";
import type { RequirementName, RequirementOf } from "@/server/judging/requirements/schema";
import { FORMAT_DECISIONS } from "./decide-formats";
import { decideLanguage } from "./decide-language";
import { FILE_DECISIONS, LENGTH_DECISIONS } from "./decide-size";
import { STRUCTURE_DECISIONS } from "./decide-structure";
import { VALUE_DECISIONS } from "./decide-values";
import { WORD_DECISIONS } from "./decide-words";
import { type Decision, type Decisions, describeUnreadable, OVER_LIMITS, Reading } from "./reading";

/** What can be decided without a program or a page: the other checks need the sandbox or a fetch. */
type TextCheckName = Exclude<
  RequirementName,
  "parses" | "examples" | "tests" | "links-respond" | "quotes-found"
>;
export type TextRequirement = RequirementOf<TextCheckName>;

const DECISIONS: Decisions<TextCheckName> = {
  ...LENGTH_DECISIONS,
  ...WORD_DECISIONS,
  language: decideLanguage,
  ...FORMAT_DECISIONS,
  ...STRUCTURE_DECISIONS,
  ...VALUE_DECISIONS,
  ...FILE_DECISIONS,
};

/** Decides requirements in their order. Runs in a worker thread: it is slow for hostile texts. */
export function decideTexts(
  delivered: Delivered,
  requirements: readonly TextRequirement[],
): Decision[] {
  const reading = new Reading(delivered);
  return requirements.map((requirement) => {
    const isReadable =
      delivered.text !== null || (delivered.file !== null && requirement.check in FILE_DECISIONS);
    return isReadable ? decide(reading, requirement) : describeUnreadable(delivered);
  });
}

function decide(reading: Reading, requirement: TextRequirement): Decision {
  try {
    const decision = DECISIONS[requirement.check] as (
      reading: Reading,
      requirement: TextRequirement,
    ) => Decision;
    return decision(reading, requirement);
  } catch (error) {
    // A text or schema so deep that it exhausts the stack.
    if (error instanceof RangeError) return OVER_LIMITS;
    throw error;
  }
}
