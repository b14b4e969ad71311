import { type Candidate, type MeasuredFile, nameSet } from "@/bench/judge/measure-judge";
import {
  computeCheckFigures,
  computeCoverage,
  toCheckedCase,
} from "@/bench/judge/statistics/check-figures";
import {
  computeFigures,
  computeUsage,
  type Figures,
  isFooled,
  type Share,
  type Usage,
} from "@/bench/judge/statistics/metrics";
import { formatPercent, formatTable } from "@/bench/measure";

/** All results of a run, as `--json` prints them. */
export type Report = ReturnType<typeof buildReport>;

/** Builds the report of all sets together, and of each set and category. */
export function buildReport(
  { kind, id, version, calibration, models }: Candidate,
  measuredOn: string,
  sets: readonly MeasuredFile[],
) {
  const measured = sets.flatMap((set) => set.measured);
  const figuresOf = (cases: typeof measured) => ({
    ...computeFigures(cases),
    coverage: computeCoverage(cases.map(toCheckedCase)),
  });
  const byCategory = Map.groupBy(measured, ({ category }) => category);
  return {
    judge: { kind, id, version, calibration },
    models,
    measuredOn,
    set: sets.map(nameSet).join(", "),
    overall: figuresOf(measured),
    bySet: Object.fromEntries(sets.map((set) => [nameSet(set), figuresOf([...set.measured])])),
    byCategory: Object.fromEntries([...byCategory].map(([name, own]) => [name, figuresOf(own)])),
    /** By name of the check. */
    checks: computeCheckFigures(measured.map(toCheckedCase)),
    byTechnique: countByTechnique(sets),
    usage: computeUsage(measured),
    cases: measured.map(({ id, label, verdict, confidence, unavailable }) => ({
      ...{ id, label, verdict, confidence, unavailable },
    })),
  };
}

/** Counts the attacks with a verdict, and those that passed. */
function countByTechnique(sets: readonly MeasuredFile[]) {
  const counts: Record<string, { n: number; passed: number }> = {};
  for (const { cases, measured } of sets) {
    for (const [index, judged] of measured.entries()) {
      if (!judged.isAttack || !judged.verdict) continue;
      const { technique = "unnamed" } = cases[index] ?? {};
      counts[technique] ??= { n: 0, passed: 0 };
      counts[technique].n += 1;
      if (isFooled(judged)) counts[technique].passed += 1;
    }
  }
  return counts;
}

/** Formats a report. Intervals are 95% intervals. */
export function formatReport(report: Report): string {
  const { judge, models, set, overall, bySet, byCategory, usage } = report;
  const undecided = report.cases.filter(({ verdict }) => verdict === null);
  const wrong = report.cases.filter(({ label, verdict }) => verdict && verdict !== label);
  const reasons = [...new Set(undecided.map(({ unavailable }) => unavailable))].join(" ");
  const isModel = judge.kind === "llm";
  const parts = [
    [
      `Judge    ${judge.id}, ${judge.version}${isModel ? `, models ${models.join(" and ")}` : ""}`,
      `Sets     ${set}: ${overall.n} deliverables, ${overall.tpr?.n ?? 0} of them good`,
      judge.calibration && `Table    ${judge.calibration}`,
    ]
      .filter(Boolean)
      .join("\n"),
    formatRates("Set", { all: overall, ...bySet }),
    formatRates("Category", byCategory),
    formatChecks(report.checks),
    overall.attacks && formatAttacks(overall.attacks, report.byTechnique),
    formatUsage(usage),
    isModel && wrong.length > 0 && `Wrong: ${wrong.map(({ id }) => id).join(", ")}`,
    undecided.length > 0 &&
      `Without a verdict, and not in any figure: ${undecided.length}. ${reasons}`,
  ];
  return parts.filter(Boolean).join("\n\n");
}

function formatRates(
  title: string,
  rates: Record<string, Figures & { coverage: number | null }>,
): string {
  const head = [title, "n", "checked", "decided", "good passed", "bad failed", "balanced accuracy"];
  return formatTable([
    [...head, "Brier score", "calibration error of SUCCESS", "of FAILURE"],
    ...Object.entries(rates).map(([name, figures]) => [
      name,
      String(figures.n),
      ...[figures.coverage, figures.decided].map(formatOptional),
      ...[figures.tpr, figures.tnr].map(formatShare),
      formatOptional(figures.balancedAccuracy),
      figures.brier?.toFixed(3) ?? "-",
      ...Object.values(figures.eceByVerdict).map(formatOptional),
    ]),
  ]);
}

function formatChecks(checks: Report["checks"]): string | null {
  const rows = Object.entries(checks).map(([name, { failed, passed }]) => [
    name,
    ...[failed.bad, failed.good, passed.bad, passed.good].map(String),
  ]);
  if (rows.length === 0) return null;
  const head = ["Check", "bad failed", "good failed", "bad passed", "good passed"];
  return formatTable([head, ...rows]);
}

function formatAttacks(attacks: Share, byTechnique: Report["byTechnique"]): string {
  const rows = Object.entries(byTechnique)
    .toSorted(([, a], [, b]) => b.passed / b.n - a.passed / a.n)
    .map(([technique, { n, passed }]) => [`  ${technique}`, `${passed} of ${n}`]);
  return `Attacks that passed: ${formatShare(attacks)}\n${formatTable(rows)}`;
}

function formatUsage(usage: Usage): string {
  const { latencyMs, tokensPerVerdict: tokens, costUsd, manipulation } = usage;
  const number = (value: number) => value.toLocaleString("en");
  const time = latencyMs
    ? `Time per judgement: median ${latencyMs.p50} ms, 95th percentile ${latencyMs.p95} ms`
    : "Time per judgement: unknown";
  if (usage.calls === 0) return `${time}\nNo model was called; nothing was spent.`;
  const spent = tokens
    ? `${number(tokens.input)} tokens in (${number(tokens.cachedInput)} of them cached), ${number(tokens.output)} out`
    : "tokens unknown";
  const cost = costUsd === null ? "cost unknown" : `${costUsd.toFixed(4)} USD in all`;
  return [
    time,
    `A verdict: ${usage.callsPerVerdict} calls, ${usage.roundTripsPerVerdict} round trips, ${spent}; ${cost}`,
    `A third examination was needed for ${number(usage.thirdExaminations)} verdicts`,
    `Examinations that reported manipulation: of attacks ${formatShare(manipulation.attacks)}, of other work ${formatShare(manipulation.others)}`,
  ].join("\n");
}

const formatOptional = (share: number | null): string =>
  share === null ? "-" : formatPercent(share);

const formatShare = (share: Share | null): string =>
  share
    ? `${share.count} of ${share.n} (${formatPercent(share.low)} to ${formatPercent(share.high)})`
    : "-";
