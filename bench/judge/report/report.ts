import {
  type Candidate,
  type MeasuredFile,
  type Measurements,
  nameSet,
} from "@/bench/judge/measure-judge";
import {
  computeCheckFigures,
  computeCoverage,
  toCheckedCase,
} from "@/bench/judge/statistics/check-figures";
import {
  computeAttackFigure,
  computeFigures,
  computeFiguresByCategory,
  computeUsage,
  type Figure,
  type Figures,
  isFooled,
  type Usage,
} from "@/bench/judge/statistics/metrics";
import { formatPercent, formatTable } from "@/bench/measure";

type AttackFigure = ReturnType<typeof computeAttackFigure>;

/** All results of a run, as `--json` prints them. */
export type Report = ReturnType<typeof buildReport>;

/**
 * Builds the report. Tokens, money and time cover the set and the attacks with every defence on.
 */
export function buildReport(
  { kind, id, version, calibration, seed }: Candidate,
  measuredOn: string,
  { sets, attacks }: Measurements,
) {
  const measured = sets.flatMap((set) => set.measured);
  const checked = measured.map(toCheckedCase);
  const all = [...measured, ...(attacks?.measured ?? [])];
  const models = all.flatMap(({ calls }) => calls.map(({ returnedModel }) => returnedModel));
  return {
    judge: { kind, id, version, calibration },
    model: models.find((model) => model !== null) ?? null,
    measuredOn,
    seed,
    set: {
      name: sets.map(nameSet).join(", "),
      tasks: measured.length,
      attacks: attacks?.cases.length ?? 0,
    },
    overall: computeFigures(measured, seed),
    coverage: computeCoverage(checked),
    bySet: Object.fromEntries(
      sets.map((set) => [
        nameSet(set),
        {
          ...computeFigures(set.measured, seed),
          coverage: computeCoverage(set.measured.map(toCheckedCase)),
        },
      ]),
    ),
    byCategory: computeFiguresByCategory(measured, seed),
    /** By name of the check. */
    checks: computeCheckFigures(checked),
    attacks: attacks && {
      success: computeAttackFigure(attacks.measured, seed),
      byTechnique: countByTechnique(attacks),
    },
    usage: computeUsage(all),
    cases: all.map(({ id, label, verdict, confidence, unavailable }) => ({
      id,
      label,
      verdict,
      confidence,
      unavailable,
    })),
  };
}

function countByTechnique({ cases, measured }: MeasuredFile) {
  const counts: Record<string, { n: number; passed: number }> = {};
  for (const [index, { technique = "unnamed", label }] of cases.entries()) {
    const judged = measured[index];
    if (label !== "FAILURE" || !judged?.verdict) continue;
    counts[technique] ??= { n: 0, passed: 0 };
    counts[technique].n += 1;
    if (isFooled(judged)) counts[technique].passed += 1;
  }
  return counts;
}

/** Formats a report. Intervals are 95% intervals. */
export function formatReport(report: Report): string {
  const { judge, model, set, overall, bySet, byCategory, attacks, usage } = report;
  const good = report.cases.filter(({ label }) => label === "SUCCESS").length;
  const undecided = report.cases.filter(({ verdict }) => verdict === null);
  const reasons = [...new Set(undecided.map(({ unavailable }) => unavailable))].join(" ");
  const parts = [
    [
      `Judge    ${judge.id} (${judge.kind}), ${judge.version}${model ? `, model ${model}` : ""}`,
      `Sets     ${set.name}: ${set.tasks} deliverables, ${good} of them good`,
      judge.calibration && `Table    ${judge.calibration}`,
    ]
      .filter(Boolean)
      .join("\n"),
    formatRates("Set", { all: { ...overall, coverage: report.coverage }, ...bySet }),
    formatRates("Category", byCategory),
    formatChecks(report.checks),
    `Calibration error by verdict\n${Object.entries(overall.eceByVerdict)
      .map(([verdict, error]) => `${verdict}: ${error === null ? "-" : formatPercent(error)}`)
      .join("   ")}`,
    `Accuracy on the most confident share of verdicts\n${overall.accuracyAtCoverage
      .map(({ coverage, accuracy }) => `${formatPercent(coverage, 0)}: ${formatPercent(accuracy)}`)
      .join("   ")}`,
    attacks && formatAttacks(set.attacks, attacks),
    formatUsage(usage),
    undecided.length > 0 &&
      `Without a verdict, and not in any figure: ${undecided.length}. ${reasons}`,
  ];
  return parts.filter(Boolean).join("\n\n");
}

type Rates = Figures & { coverage?: number | null };

function formatRates(title: string, rates: Record<string, Rates>): string {
  const head = [title, "n", "checked", "decided", "good passed", "bad failed", "balanced accuracy"];
  return formatTable([
    [...head, "Brier score", "calibration error"],
    ...Object.entries(rates).map(([name, figures]) => [
      name,
      String(figures.n),
      ...[figures.coverage, figures.decided].map(formatOptional),
      ...[figures.tpr, figures.tnr, figures.balancedAccuracy].map(formatShare),
      ...[figures.brier, figures.ece].map(formatScore),
    ]),
  ]);
}

function formatChecks(checks: Report["checks"]): string | null {
  const rows = Object.entries(checks).map(([name, { failed, passed, precision, recall }]) => [
    name,
    ...[failed.bad, failed.good, passed.bad, passed.good].map(String),
    ...[precision, recall].map(formatOptional),
  ]);
  if (rows.length === 0) return null;
  const head = ["Check", "bad failed", "good failed", "bad passed", "good passed"];
  return formatTable([[...head, "precision", "recall"], ...rows]);
}

function formatAttacks(
  count: number,
  { success, byTechnique }: NonNullable<Report["attacks"]>,
): string {
  const rows = Object.entries(byTechnique)
    .toSorted(([, a], [, b]) => b.passed / b.n - a.passed / a.n)
    .map(([technique, { n, passed }]) => [`  ${technique}`, `${passed} of ${n}`]);
  return `Attacks that passed, of ${count}: ${formatAttackFigure(success)}\n${formatTable(rows)}`;
}

function formatUsage({ calls, latencyMs, tokens, costUsd }: Usage): string {
  const number = (value: number) => value.toLocaleString("en");
  const time = latencyMs
    ? `Time per judgement: median ${latencyMs.p50} ms, 95th percentile ${latencyMs.p95} ms`
    : "Time per judgement: unknown";
  if (calls === 0) return `${time}\nNo model was called; nothing was spent.`;
  const spent = tokens
    ? `${number(tokens.input)} tokens in (${number(tokens.cachedInput)} of them cached), ${number(tokens.output)} out`
    : "tokens unknown";
  const cost = costUsd === null ? "cost unknown" : `${costUsd.toFixed(4)} USD`;
  return `${time}\n${number(calls)} calls, ${spent}, ${cost}`;
}

const formatAttackFigure = (figure: AttackFigure): string =>
  figure ? `${formatShare(figure)} of ${figure.n}` : "-";

const formatOptional = (share: number | null | undefined): string =>
  share == null ? "-" : formatPercent(share, 0);

const formatShare = (figure: Figure | null) => formatInterval(figure, formatPercent);
const formatScore = (figure: Figure | null) => formatInterval(figure, (value) => value.toFixed(3));

function formatInterval(figure: Figure | null, format: (value: number) => string): string {
  if (!figure) return "-";
  return `${format(figure.value)} (${format(figure.low)} to ${format(figure.high)})`;
}
