import { ProportionBar } from "@/components/charts/proportion-bar";
import { capitalize, formatCount, formatPercent } from "@/components/ui/format";
import { Table } from "@/components/ui/table";
import type { BenchRun } from "@/server/judging/schema";

/** Below this number of failures, a precision says little. */
const MIN_FAILURES = 5;

/** Plain names of the labelled sets. */
export const SET_NAMES: Record<string, string> = {
  starter: "Jobs in nine categories",
  instructions: "Instructions to follow",
  calculations: "Calculations",
  code: "Code",
  citations: "Citations",
};

/** Draws both rates per labelled set, each as a bar. */
export function RatesBySet({ bySet }: Pick<BenchRun, "bySet">) {
  return (
    <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
      {Object.entries(bySet).map(([set, { n, tpr, tnr, coverage }]) => (
        <section key={set} className="grid content-start gap-2.5">
          <h4 className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-medium">{SET_NAMES[set] ?? set}</span>
            <span className="text-sm text-muted">
              {n.toLocaleString("en")} cases, {formatPercent(coverage)} checked
            </span>
          </h4>
          {tpr !== null && (
            <ProportionBar label="Good work accepted" fraction={tpr} value={formatPercent(tpr)} />
          )}
          {tnr !== null && (
            <ProportionBar label="Bad work rejected" fraction={tnr} value={formatPercent(tnr)} />
          )}
        </section>
      ))}
    </div>
  );
}

interface MeasuredCheck {
  name: string;
  checked: number;
  failures: number;
  precision: number | null;
}

const NUMBER = "text-right";

/** Lists what code checks: first the checks that failed often enough to measure their precision. */
export function MeasuredChecks({ checks }: Pick<BenchRun, "checks">) {
  const rows = Object.entries(checks)
    .map(
      ([name, { failed, passed, precision }]): MeasuredCheck => ({
        name,
        checked: add(failed) + add(passed),
        failures: add(failed),
        precision,
      }),
    )
    .toSorted((a, b) => b.failures - a.failures || (a.name < b.name ? -1 : 1));
  const measured = rows.filter(({ failures }) => failures >= MIN_FAILURES);
  const others = rows.filter(({ failures }) => failures < MIN_FAILURES);
  return (
    <div>
      {measured.length > 0 && (
        <Table
          caption="Precision: share of the deliverables failing a check that are bad"
          showCaption
          // On the table, because classes of each cell would weigh more than the figures.
          className="text-sm [&_td]:py-1.5 [&_th]:py-1.5"
          rows={measured}
          columns={[
            ["Check", "text-left", ({ name }) => describeName(name)],
            ["Cases", NUMBER, ({ checked }) => checked],
            ["Failed", NUMBER, ({ failures }) => failures],
            [
              "Precision",
              NUMBER,
              ({ precision }) => (precision === null ? "not measured" : formatPercent(precision)),
            ],
          ]}
        />
      )}
      {others.length > 0 && (
        <details className="mt-4">
          <summary className="w-fit cursor-pointer text-sm text-muted hover:text-ink">
            {formatCount(others.length, "check")} with fewer than {MIN_FAILURES} failures
          </summary>
          <p className="mt-2 text-sm text-muted">
            With the number of cases that each applied to:{" "}
            {others.map(({ name, checked }) => `${describeName(name)} ${checked}`).join(", ")}.
          </p>
        </details>
      )}
    </div>
  );
}

const add = ({ good, bad }: { good: number; bad: number }): number => good + bad;

/** Returns `word-count` as `Word count`. */
function describeName(name: string): string {
  const [first = "", ...others] = name.split("-");
  return [capitalize(first), ...others].join(" ");
}
