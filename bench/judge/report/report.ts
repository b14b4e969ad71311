import { type Candidate, type MeasuredFile, nameSet } from "@/bench/judge/measure-judge";
import { computeCheckFigures, toCheckedCase } from "@/bench/judge/statistics/check-figures";
import {
  computeFigures,
  computeUsage,
  type Figures,
  type Share,
  type Usage,
} from "@/bench/judge/statistics/figures";
import { formatPercent, formatTable } from "@/bench/measure";

/** All results of a run, as `--json` prints them. */
export type Report = ReturnType<typeof buildReport>;

/** Builds the report of all sets together, and of each set. */
export function buildReport(
  { kind, id, version, calibration, models }: Candidate,
  measuredOn: string,
  sets: readonly MeasuredFile[],
) {
  const measured = sets.flatMap((set) => set.measured);
  return {
    judge: { kind, id, version, calibration },
    models,
    measuredOn,
    set: sets.map(nameSet).join(", "),
    overall: computeFigures(measured),
    bySet: Object.fromEntries(sets.map((set) => [nameSet(set), computeFigures(set.measured)])),
    /** By name of the check. */
    checks: computeCheckFigures(measured.map(toCheckedCase)),
    usage: computeUsage(measured),
    cases: measured.map(({ id, label, verdict, confidence, unavailable }) => ({
      ...{ id, label, verdict, confidence, unavailable },
    })),
  };
}

/** Formats a report. Intervals are 95% intervals. */
export function formatReport(report: Report): string {
  const { judge, models, set, overall, bySet, usage } = report;
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
    formatRates({ all: overall, ...bySet }),
    formatChecks(report.checks),
    overall.attacks && `Attacks that passed: ${formatShare(overall.attacks)}`,
    formatUsage(usage),
    isModel && wrong.length > 0 && `Wrong: ${wrong.map(({ id }) => id).join(", ")}`,
    undecided.length > 0 &&
      `Without a verdict, and not in any figure: ${undecided.length}. ${reasons}`,
  ];
  return parts.filter(Boolean).join("\n\n");
}

const formatRates = (rates: Record<string, Figures>): string =>
  formatTable([
    ["Set", "n", "decided", "good passed", "bad failed", "calibration error"],
    ...Object.entries(rates).map(([name, { n, decided, tpr, tnr, ece }]) => [
      ...[name, String(n), formatOptional(decided), formatShare(tpr), formatShare(tnr)],
      formatOptional(ece),
    ]),
  ]);

function formatChecks(checks: Report["checks"]): string | null {
  const rows = Object.entries(checks).map(([name, { failed, passed }]) => [
    name,
    ...[failed.bad, failed.good, passed.bad, passed.good].map(String),
  ]);
  if (rows.length === 0) return null;
  const head = ["Check", "bad failed", "good failed", "bad passed", "good passed"];
  return formatTable([head, ...rows]);
}

function formatUsage(usage: Usage): string {
  const { tokensPerVerdict: tokens, costUsd, manipulation } = usage;
  const number = (value: number) => value.toLocaleString("en");
  if (usage.calls === 0) return "No model was called; nothing was spent.";
  const spent = tokens
    ? `${number(tokens.input)} tokens in, ${number(tokens.output)} out`
    : "tokens unknown";
  const cost = costUsd === null ? "cost unknown" : `${costUsd.toFixed(4)} USD in all`;
  return [
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
