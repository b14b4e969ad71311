import type { RequirementResult } from "@/server/judging/requirements/schema";
import { FactList } from "./fact-list";

interface Props {
  requirements: readonly Pick<RequirementResult, "description" | "passed" | "observed">[];
}

/** Lists the agreed requirements with their results, those that fail first. */
export function AgreedRequirements({ requirements }: Props) {
  if (requirements.length === 0) return <p>Nothing that could be read was delivered.</p>;
  return (
    <FactList
      facts={requirements
        .map(({ description, passed, observed }, index) => ({
          id: String(index),
          text: description,
          outcome: passed ? ("pass" as const) : ("fail" as const),
          observed,
        }))
        .sort((a, b) => a.outcome.localeCompare(b.outcome))}
    />
  );
}
