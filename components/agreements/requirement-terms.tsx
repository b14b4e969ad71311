import { MetMark } from "@/components/outcomes/met-mark";
import { UntrustedText } from "@/components/site/untrusted-text";
import { Panel } from "@/components/ui/panel";
import type { Agreement } from "@/server/agreements/schema";
import { describeRequirement } from "@/server/judging/requirements/describe";
import type { Requirement } from "@/server/judging/requirements/schema";
import { removeBidiControls } from "@/server/lib/bidi";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { labelParameter } from "./requirement-fields";
import { UnresponsivePages } from "./unresponsive-pages";

interface Props {
  agreement: Agreement;
  /** Null before the agreement has one. */
  outcome: PublicOutcome | null;
}

/** Lists what must hold, with the results once there is an outcome. */
export function RequirementsPanel({ agreement, outcome }: Props) {
  const { terms, checkPassedAt } = agreement;
  const results = outcome?.evidence?.agreement?.requirements;
  return (
    <Panel title={results ? "Results" : "What must hold"}>
      {results?.length === 0 && <p className="mb-4">Nothing that could be read was delivered.</p>}
      <ul className="divide-y divide-line border-y border-line">
        {terms.requirements.map((requirement, index) => {
          const result = results?.[index];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list has no state
            <li key={index} className="py-3">
              <p className="font-medium break-words">{describeRequirement(requirement)}</p>
              <Parameters requirement={requirement} />
              {result && (
                <p className="mt-1 flex flex-wrap gap-x-3 text-sm">
                  <MetMark met={result.passed ? "yes" : "no"} />
                  <span className="min-w-0 break-words text-muted">{result.observed}</span>
                </p>
              )}
            </li>
          );
        })}
      </ul>
      {!outcome && checkPassedAt && (
        <p className="mt-4 text-sm text-muted">
          A deliverable has passed these requirements in a check of a party.
        </p>
      )}
      <div className="mt-4 empty:hidden">
        <UnresponsivePages urls={agreement.unresponsiveUrls} />
      </div>
      {terms.criteria.length > 0 && (
        <>
          <h3 className="mt-5 mb-1 font-medium">Criteria, decided by a language model</h3>
          <ul className="list-disc pl-5">
            {terms.criteria.map((criterion) => (
              <li key={criterion}>
                <UntrustedText>{criterion}</UntrustedText>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

/** What every description says. */
const IN_DESCRIPTION = new Set(["check", "min", "max", "minRows", "bytes"]);

/** Shows the parameters of a requirement that its description leaves out. */
function Parameters({ requirement }: { requirement: Requirement }) {
  return Object.entries(requirement).map(
    ([name, value]) =>
      !IN_DESCRIPTION.has(name) && (
        <p
          key={name}
          className="mt-1 max-h-96 overflow-auto text-sm break-words whitespace-pre-wrap"
        >
          <span className="text-muted">{labelParameter(name)}: </span>
          <bdi>{removeBidiControls(formatParameter(value))}</bdi>
        </p>
      ),
  );
}

function formatParameter(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === "string");
  return isTexts ? value.map((text) => `“${text}”`).join(", ") : JSON.stringify(value, null, 1);
}
