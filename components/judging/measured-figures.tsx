import { formatDay, formatPercent } from "@/components/ui/format";
import type { BenchRun } from "@/server/judging/schema";

type Figure = BenchRun["overall"]["tpr"];

const NOT_MEASURED = <span className="text-muted">not measured</span>;

/** What one run of the bench measured of one judge; what it did not measure says so. */
export function MeasuredFigures({ run }: { run: BenchRun }) {
  const { judge, set, overall, attackSuccess, latencyMs, tokens, costUsd } = run;
  const perTask = (total: number) => total / Math.max(1, set.tasks);
  return (
    <div className="grid grid-cols-1 gap-6">
      <p className="text-sm text-muted">
        Measured on {formatDay(run.measuredOn)} with {set.tasks.toLocaleString("en")} labelled cases
        ({set.name}){set.attacks > 0 && ` and ${set.attacks.toLocaleString("en")} attacks`}.{" "}
        {judge.kind === "llm"
          ? `Model: ${run.model ?? "not told by the endpoint"}.`
          : "No language model takes part."}{" "}
        Version {judge.version}, calibration {judge.calibration ?? "none"}. In brackets: the 95%
        interval.
      </p>
      <dl className="grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2">
        <Cell label="Good work that passes">{share(overall.tpr)}</Cell>
        <Cell label="Bad work that fails">{share(overall.tnr)}</Cell>
        <Cell label="Balanced accuracy, the mean of both">{share(overall.balancedAccuracy)}</Cell>
        <Cell label="Bad work made to steer the judge that passes">
          {attackSuccess ? share(attackSuccess) : NOT_MEASURED}
        </Cell>
        <Cell label="How far confidence is from being right (ECE; 0 is best)">
          {plain(overall.ece)}
        </Cell>
        <Cell label="Brier score (0 is best, 0.25 is a coin)">{plain(overall.brier)}</Cell>
        <Cell label="Time for a verdict, half of them and 95% of them">
          {latencyMs ? `${seconds(latencyMs.p50)} and ${seconds(latencyMs.p95)}` : NOT_MEASURED}
        </Cell>
        <Cell label="Tokens and cost of a verdict, on average">
          {tokens
            ? `${Math.round(perTask(tokens.input + tokens.output)).toLocaleString("en")} tokens`
            : NOT_MEASURED}
          {costUsd !== null && `, ${perTask(costUsd).toFixed(4)} USD`}
        </Cell>
      </dl>
      <ByCategory run={run} />
      {run.accuracyAtCoverage.length > 0 && <AtCoverage run={run} />}
      {run.reliability && (
        <figure>
          {/* An SVG of the project itself: nothing to optimise. */}
          {/* biome-ignore lint/performance/noImgElement: see above */}
          <img
            src={run.reliability}
            alt={`Reliability diagram of ${judge.id}: how often verdicts of each confidence were right`}
            className="w-full max-w-md rounded-lg border border-line bg-raised p-3"
          />
          <figcaption className="mt-2 text-sm text-muted">
            On the diagonal, verdicts of a confidence of 80% are right eight times out of ten.
          </figcaption>
        </figure>
      )}
    </div>
  );
}

function Cell({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="bg-raised p-4">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="mt-1 font-medium">{children}</dd>
    </div>
  );
}

function ByCategory({ run: { byCategory, judge } }: { run: BenchRun }) {
  const cell = (value: number | null) => (value === null ? NOT_MEASURED : formatPercent(value));
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">What {judge.id} gets right, by category</caption>
        <thead>
          <tr className="border-b border-line text-left text-muted">
            <th scope="col" className="py-2 pr-3 font-normal">
              Category
            </th>
            {["Cases", "Good passes", "Bad fails", "Balanced"].map((name) => (
              <th key={name} scope="col" className="py-2 pl-2 text-right font-normal">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.entries(byCategory).map(([category, figures]) => (
            <tr key={category} className="border-b border-line">
              <th scope="row" className="py-2 pr-3 text-left font-normal">
                {category}
              </th>
              <td className="py-2 pl-2 text-right">{figures.n}</td>
              <td className="py-2 pl-2 text-right">{cell(figures.tpr)}</td>
              <td className="py-2 pl-2 text-right">{cell(figures.tnr)}</td>
              <td className="py-2 pl-2 text-right">{cell(figures.balancedAccuracy)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function AtCoverage({ run: { accuracyAtCoverage } }: { run: BenchRun }) {
  return (
    <section>
      <h4 className="text-sm text-muted">Right verdicts among those that it was surest of</h4>
      <dl className="mt-2 grid grid-cols-3 gap-x-4 gap-y-3 sm:grid-cols-5">
        {accuracyAtCoverage.map(({ coverage, accuracy }) => (
          <div key={coverage} className="border-t border-line pt-2">
            <dt className="text-sm text-muted">
              {coverage < 1 ? `Surest ${formatPercent(coverage)}` : "All"}
            </dt>
            <dd className="font-medium">{formatPercent(accuracy)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const share = ({ value, low, high }: Figure) => (
  <>
    {formatPercent(value)}{" "}
    <span className="font-normal text-muted">
      ({formatPercent(low)} to {formatPercent(high)})
    </span>
  </>
);
const plain = ({ value, low, high }: Figure) => (
  <>
    {value.toFixed(3)}{" "}
    <span className="font-normal text-muted">
      ({low.toFixed(3)} to {high.toFixed(3)})
    </span>
  </>
);
const seconds = (ms: number) => (ms < 100 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(1)} s`);
