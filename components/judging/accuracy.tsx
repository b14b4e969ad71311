import { ProportionBar } from "@/components/charts/proportion-bar";
import { capitalize, formatCount, formatDay, formatPercent } from "@/components/ui/format";
import { Table } from "@/components/ui/table";
import type { JudgeInService } from "@/server/judging/schema";
import type { BenchRun } from "@/server/pages/schema";
import { nameSet } from "./set-names";

/** Whether a benchmark measured exactly the judge in service. */
const isRunOf = (judge: JudgeInService, run: BenchRun): boolean =>
  run.judge.id === judge.id &&
  run.judge.version === judge.version &&
  run.judge.calibration === judge.calibration;

interface AccuracyProps {
  judge: JudgeInService;
  /** Runs of the last committed benchmark. */
  runs: BenchRun[];
}

/** Shows the measured accuracy of judges, the one in service first. */
export function Accuracy({ judge, runs }: AccuracyProps) {
  const isInService = (run: BenchRun) => isRunOf(judge, run);
  const ordered = [...runs].sort((a, b) => Number(isInService(b)) - Number(isInService(a)));
  return (
    <div className="grid grid-cols-1 gap-8">
      {!runs.some(isInService) && (
        <p className="rounded-md bg-notice px-4 py-3 text-notice-ink">
          <span className="font-medium">Not measured:</span> there are no accuracy figures for the
          judge in service with this version and calibration.
          {runs.length > 0 && " These are for other judges or versions."}
        </p>
      )}
      {ordered.map((run) => (
        <section key={`${run.judge.id} ${run.judge.version} ${run.measuredOn} ${run.set.name}`}>
          <h3 className="mb-2 text-lg font-medium break-words">
            {run.judge.id}
            {isInService(run) && <span className="text-muted"> (in service)</span>}
          </h3>
          <AccuracyFigures run={run} />
        </section>
      ))}
    </div>
  );
}

type Figure = BenchRun["overall"]["tpr"];

const NOT_MEASURED = <span className="text-muted">not measured</span>;

/** Shows one benchmark run of one judge; figures it didn't measure are marked. */
function AccuracyFigures({ run }: { run: BenchRun }) {
  const { overall } = run;
  return (
    <div className="grid grid-cols-1 gap-8">
      <div>
        <dl className="grid gap-x-8 gap-y-5 sm:grid-cols-3">
          <Headline label="Good work accepted" figure={overall.tpr} />
          <Headline label="Bad work rejected" figure={overall.tnr} />
          <Headline label="Balanced accuracy" figure={overall.balancedAccuracy} />
        </dl>
        <p className="mt-4 text-sm text-muted">{describeRun(run)}</p>
      </div>
      <RatesBySet bySet={run.bySet} />
      <section>
        <h4 className="mb-1 font-medium">Checks</h4>
        <MeasuredChecks checks={run.checks} />
      </section>
      <Calibration run={run} />
      <details>
        <summary className="w-fit cursor-pointer text-sm text-muted hover:text-ink">
          Categories, attacks, latency and cost
        </summary>
        <div className="mt-4 grid gap-6">
          <ByCategory run={run} />
          <OtherFigures run={run} />
        </div>
      </details>
    </div>
  );
}

function Headline({ label, figure: { value, low, high } }: { label: string; figure: Figure }) {
  return (
    <div className="flex flex-col">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="mt-1">
        <span className="block font-serif text-4xl font-semibold">{formatPercent(value)}</span>
        <span className="text-sm text-muted">
          {formatPercent(low)} to {formatPercent(high)}
        </span>
      </dd>
    </div>
  );
}

function describeRun({ measuredOn, set, bySet, judge, model }: BenchRun): string {
  const kinds = Object.keys(bySet).map((name) => nameSet(name).toLowerCase());
  return [
    `${formatDay(measuredOn)}, ${set.tasks.toLocaleString("en")} deliverables labelled good or bad`,
    `: ${new Intl.ListFormat("en").format(kinds)}. `,
    judge.kind === "llm" ? `Model: ${model ?? "not reported by the endpoint"}. ` : "",
    "Ranges are 95% intervals.",
  ].join("");
}

function OtherFigures({ run }: { run: BenchRun }) {
  const { attackSuccess, set, latencyMs, tokens, costUsd, judge } = run;
  const perTask = (total: number) => total / Math.max(1, set.tasks);
  return (
    <dl className="grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2">
      <Cell label={`Attacks that pass with weight, of ${set.attacks.toLocaleString("en")}`}>
        {attackSuccess ? showInterval(attackSuccess, formatPercent) : NOT_MEASURED}
      </Cell>
      <Cell label="Latency, p50 and p95">
        {latencyMs
          ? `${formatLatency(latencyMs.p50)} and ${formatLatency(latencyMs.p95)}`
          : NOT_MEASURED}
      </Cell>
      <Cell label="Tokens and cost per verdict">
        {tokens
          ? `${Math.round(perTask(tokens.input + tokens.output)).toLocaleString("en")} tokens`
          : judge.kind === "llm"
            ? NOT_MEASURED
            : "none"}
        {costUsd !== null && `, ${perTask(costUsd).toFixed(4)} USD`}
      </Cell>
      <Cell label="Version and calibration">
        <span className="break-words">
          {judge.version}, {judge.calibration ?? "no calibration"}
        </span>
      </Cell>
    </dl>
  );
}

/** Shows how well the stated confidence matches the measured accuracy. */
function Calibration({ run }: { run: BenchRun }) {
  const { overall, reliability, judge } = run;
  return (
    <section>
      <h4 className="mb-3 font-medium">Confidence</h4>
      <div className="grid items-start gap-x-8 gap-y-6 md:grid-cols-2">
        {reliability && (
          <figure>
            {/* A static SVG has nothing to optimise. */}
            {/* biome-ignore lint/performance/noImgElement: see above */}
            <img
              src={reliability}
              alt={`Reliability diagram of ${judge.id}: accuracy by confidence`}
              className="w-full max-w-md rounded-lg border border-line bg-raised p-3"
            />
            <figcaption className="mt-2 text-sm text-muted">
              On the diagonal, verdicts with 80% confidence are right 80% of the time.
            </figcaption>
          </figure>
        )}
        <div className="grid gap-6">
          {run.accuracyAtCoverage.length > 0 && <AtCoverage run={run} />}
          <dl className="grid gap-px overflow-hidden rounded-lg border border-line bg-line">
            <Cell label="Calibration error (ECE, 0 is best)">
              {showInterval(overall.ece, formatScore)}
              <span className="block text-sm font-normal text-muted">
                success {formatError(overall.eceByVerdict.SUCCESS)}, failure{" "}
                {formatError(overall.eceByVerdict.FAILURE)}
              </span>
            </Cell>
            <Cell label="Brier score (0 is best, 0.25 is chance)">
              {showInterval(overall.brier, formatScore)}
            </Cell>
          </dl>
        </div>
      </div>
    </section>
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

const formatRate = (rate: number | null) => (rate === null ? NOT_MEASURED : formatPercent(rate));

function ByCategory({ run: { byCategory, judge } }: { run: BenchRun }) {
  const number = "py-2 pl-2 text-right";
  return (
    <div className="overflow-x-auto">
      <Table
        caption={`Accuracy of ${judge.id} by category`}
        className="text-sm"
        rows={Object.entries(byCategory)}
        columns={[
          ["Category", "py-2 pr-3 text-left", ([category]) => category],
          ["Cases", number, ([, { n }]) => n],
          ["Good accepted", number, ([, { tpr }]) => formatRate(tpr)],
          ["Bad rejected", number, ([, { tnr }]) => formatRate(tnr)],
          ["Balanced", number, ([, { balancedAccuracy }]) => formatRate(balancedAccuracy)],
        ]}
      />
    </div>
  );
}

/** Draws the accuracy of the verdicts with the highest confidence. */
function AtCoverage({ run: { accuracyAtCoverage } }: { run: BenchRun }) {
  return (
    <section className="grid gap-2.5">
      <h5 className="text-sm text-muted">Right verdicts, by confidence</h5>
      {accuracyAtCoverage.map(({ coverage, accuracy }) => (
        <ProportionBar
          key={coverage}
          label={coverage < 1 ? `Most confident ${formatPercent(coverage)}` : "All"}
          fraction={accuracy}
          value={formatPercent(accuracy)}
        />
      ))}
    </section>
  );
}

const showInterval = ({ value, low, high }: Figure, format: (share: number) => string) => (
  <>
    {format(value)}{" "}
    <span className="font-normal text-muted">
      ({format(low)} to {format(high)})
    </span>
  </>
);
const formatScore = (score: number) => score.toFixed(3);
const formatError = (error: number | null) => error?.toFixed(3) ?? "not measured";
const formatLatency = (ms: number) =>
  ms < 100 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(1)} s`;

/** Below this number of failures, a precision says little. */
const MIN_FAILURES = 5;

/** Draws both rates per labelled set, each as a bar. */
function RatesBySet({ bySet }: Pick<BenchRun, "bySet">) {
  return (
    <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
      {Object.entries(bySet).map(([set, { n, tpr, tnr, coverage }]) => (
        <section key={set} className="grid content-start gap-2.5">
          <h4 className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-medium">{nameSet(set)}</span>
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

const NUMBER = "text-right";

/** Lists what code checks: first the checks that failed often enough to measure their precision. */
function MeasuredChecks({ checks }: Pick<BenchRun, "checks">) {
  const rows = Object.entries(checks)
    .map(([name, { failed, passed, precision }]) => {
      const failures = failed.good + failed.bad;
      return { name, failures, checked: failures + passed.good + passed.bad, precision };
    })
    .toSorted((a, b) => b.failures - a.failures || (a.name < b.name ? -1 : 1));
  const measured = rows.filter(({ failures }) => failures >= MIN_FAILURES);
  const others = rows.filter(({ failures }) => failures < MIN_FAILURES);
  return (
    <div>
      {measured.length > 0 && (
        <Table
          caption="Precision: how many of the deliverables that fail a check are really bad"
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

/** Returns `word-count` as `Word count`. */
const describeName = (name: string) => capitalize(name.replaceAll("-", " "));
