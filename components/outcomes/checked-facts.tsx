import { formatCount } from "@/components/ui/format";
import type { Met, PublicJudgement } from "@/server/judging/schema";
import { MetMark } from "./criteria";

type Fact = PublicJudgement["checks"][number];

const MET: Record<Fact["outcome"], Met> = {
  pass: "yes",
  fail: "no",
  "not-applicable": "cannot_verify",
};

/** Checks that nearly all work passes, so that passing one says little. */
const BASIC_CHECKS = new Set([
  "refusal",
  "stock-reply",
  "placeholder",
  "empty-talk",
  "task-echo",
  "repetition",
  "cut-off",
]);

/** Groups results by what they say about the work. */
export function groupFacts(facts: readonly Fact[]) {
  const failed = facts.filter(({ outcome }) => outcome === "fail");
  const passed = facts.filter(
    ({ outcome, stated, check }) => outcome === "pass" && (stated || !BASIC_CHECKS.has(check)),
  );
  const others = facts.filter((fact) => !failed.includes(fact) && !passed.includes(fact));
  return { failed, passed, others };
}

/** Lists what code checked: failures first, then what passed; the rest on demand. */
export function CheckedFacts({ facts }: { facts: Fact[] }) {
  const { failed, passed, others } = groupFacts(facts);
  const shown = [...failed, ...passed];
  return (
    <div>
      {shown.length > 0 && <FactList facts={shown} />}
      {others.length > 0 && (
        <details open={shown.length === 0} className={shown.length > 0 ? "mt-3" : undefined}>
          <summary className="w-fit cursor-pointer text-sm text-muted hover:text-ink">
            {describeOthers(others)}
          </summary>
          <div className="mt-3">
            <FactList facts={others} />
          </div>
        </details>
      )}
    </div>
  );
}

function describeOthers(others: readonly Fact[]): string {
  const basic = others.filter(({ outcome }) => outcome === "pass").length;
  const unused = others.length - basic;
  return [
    basic > 0 ? `${formatCount(basic, "basic check")} passed` : "",
    unused > 0 ? `${unused} not applicable` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

function FactList({ facts }: { facts: Fact[] }) {
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
          <li key={id} className="grid gap-x-5 gap-y-0.5 py-2.5 sm:grid-cols-[8.5rem_3fr_2fr]">
            <MetMark met={MET[outcome]} byCode />
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
