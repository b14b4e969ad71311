import type { RequirementResult } from "@/server/judging/requirements/schema";
import type { Met, PublicJudgement } from "@/server/judging/schema";
import { MetMark } from "./met-mark";

type Check = PublicJudgement["checks"][number];
type Fact = Pick<Check, "id" | "text" | "observed"> & {
  outcome: Check["outcome"] | "partly" | "unchecked";
};

const RESULTS: Record<Fact["outcome"], { met: Met; label: string }> = {
  pass: { met: "yes", label: "Passed" },
  fail: { met: "no", label: "Failed" },
  partly: { met: "unclear", label: "Partly checked" },
  unchecked: { met: "unclear", label: "Not checked" },
  "not-applicable": { met: "unclear", label: "Not applicable" },
};

/** Lists what code required and found. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <>
      <div
        className="hidden grid-cols-[8.5rem_3fr_2fr] gap-x-5 pb-2 text-sm text-muted sm:grid"
        aria-hidden="true"
      >
        <span>Result</span>
        <span>Required</span>
        <span>Found</span>
      </div>
      <ul className="divide-y divide-line border-y border-line">
        {facts.map(({ id, text, outcome, observed }) => (
          <li
            key={id}
            className="grid items-start gap-x-5 gap-y-0.5 py-2.5 sm:grid-cols-[8.5rem_3fr_2fr]"
          >
            <MetMark {...RESULTS[outcome]} />
            <p className="min-w-0 break-words">
              <span className="sr-only">Required: </span>
              {text}
            </p>
            <p className="min-w-0 text-sm break-words text-muted sm:pt-0.5">
              <span className="sm:sr-only">Found: </span>
              {observed}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

interface RequirementsProps {
  requirements: readonly (Pick<RequirementResult, "description" | "passed" | "observed"> & {
    /** What only the parties see of it. */
    detail?: string | null;
  })[];
}

/** Lists requirements with their results, those that fail first. */
export function RequirementResults({ requirements }: RequirementsProps) {
  if (requirements.length === 0) return <p>Nothing that could be read was delivered.</p>;
  return (
    <FactList
      facts={requirements
        .map(({ description, passed, observed, detail }, index) => ({
          id: String(index),
          text: description,
          outcome: passed ? ("pass" as const) : ("fail" as const),
          observed: detail ?? observed,
        }))
        .sort((a, b) => a.outcome.localeCompare(b.outcome))}
    />
  );
}
