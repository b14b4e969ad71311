import { MetMark } from "@/components/outcomes/met-mark";
import { UntrustedText } from "@/components/site/untrusted-text";
import { Fold } from "@/components/ui/fold";
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
      <RequirementList requirements={terms.requirements} results={results} />
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

interface ListProps {
  requirements: readonly Requirement[];
  results?: Results | undefined;
}

/** Lists requirements with their values, and the results once there are any. */
export function RequirementList({ requirements, results }: ListProps) {
  return (
    <ol className="divide-y divide-line border-y border-line">
      {requirements.map((requirement, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list has no state
        <li key={index} className="grid grid-cols-[1.5rem_1fr] py-3">
          <span className="text-muted" aria-hidden="true">
            {index + 1}
          </span>
          <div className="min-w-0">
            <p className="font-medium break-words">{describeRequirement(requirement)}</p>
            <Parameters requirement={requirement} />
            <Result result={results?.[index]} />
          </div>
        </li>
      ))}
    </ol>
  );
}

type Results = NonNullable<NonNullable<PublicOutcome["evidence"]>["agreement"]>["requirements"];

/** Shows whether a requirement holds, and what was found. */
function Result({ result }: { result: Results[number] | undefined }) {
  return (
    result && (
      <p className="mt-1 flex flex-wrap gap-x-3 text-sm">
        <MetMark met={result.passed ? "yes" : "no"} />
        <span className="min-w-0 break-words text-muted">{result.observed}</span>
      </p>
    )
  );
}

/** Longer texts are shown on demand. */
const MAX_SHOWN = 400;

/** What every description says. */
const IN_DESCRIPTION = new Set(["check", "min", "max", "minRows", "bytes"]);

/** Shows the parameters of a requirement that its description leaves out. */
function Parameters({ requirement }: { requirement: Requirement }) {
  const texts = Object.entries(requirement).flatMap(([name, value]) =>
    IN_DESCRIPTION.has(name)
      ? []
      : [[labelParameter(name), removeBidiControls(formatParameter(value))] as const],
  );
  return texts.map(([label, text]) =>
    text.length > MAX_SHOWN ? (
      <Fold key={label} summary={label} className="mt-1 text-sm">
        <pre className="max-h-96 overflow-auto rounded-md bg-sunken p-3">{text}</pre>
      </Fold>
    ) : (
      <p key={label} className="mt-1 text-sm break-words whitespace-pre-wrap">
        <span className="text-muted">{label}: </span>
        <bdi>{text}</bdi>
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
