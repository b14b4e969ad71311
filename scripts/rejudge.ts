// Repeats the judgement of an outcome from its stored inputs with the currently configured judge,
// and shows the difference: npm run --silent rejudge -- OUTCOME_ID. Changes nothing.
// Exit code 0: the same verdict; 1: a different one; 2: the judgement could not be repeated.
import { z } from "zod";
import { createServiceIo, selectJudge } from "@/server/bootstrap/select-judge";
import { openDatabase } from "@/server/db/client";
import { NO_STATES } from "@/server/judging/examination/examine";
import { type Judgement, JudgeUnavailable } from "@/server/judging/judge";
import { createRequirementDecider } from "@/server/judging/requirements/decide-requirements";
import type { Met } from "@/server/judging/schema";
import { parseEnv } from "@/server/lib/env";
import { createLog } from "@/server/lib/process/log";
import { RejudgeError, rejudge } from "@/server/outcomes/rejudge";
import { CommandError } from "./lib/command-error.mjs";
import { parseCommandLine, runMain } from "./lib/command-line";
import { loadDotEnv } from "./lib/dot-env.mjs";
import { describeDatabaseError, findDatabaseUrl } from "./lib/running-service";

const USAGE = "Usage: npm run --silent rejudge -- OUTCOME_ID";

async function main(args: string[]): Promise<number> {
  const { positionals } = parseCommandLine(args, USAGE, { options: {}, allowPositionals: true });
  const [outcomeId = "", ...more] = positionals;
  if (!z.uuid().safeParse(outcomeId).success || more.length > 0) throw new CommandError(USAGE);
  loadDotEnv();
  const env = parseEnv();
  const url = new URL(await findDatabaseUrl(env));
  // The database rejects any write.
  url.searchParams.set("default_transaction_read_only", "on");
  const { db, close } = openDatabase(url.href, 1);
  try {
    const log = createLog({ ...env, LOG_LEVEL: "silent" });
    const core = { env, db, log, publish: async () => {} };
    const judge = selectJudge(core, { states: NO_STATES });
    const { recorded, repeated } = await rejudge(
      core,
      judge,
      createRequirementDecider(createServiceIo(core)),
      outcomeId,
    );
    const before = { ...recorded, judge: { kind: recorded.judgeKind, id: recorded.judgeId } };
    console.log(formatComparison(before, repeated));
    return recorded.verdict === repeated.verdict ? 0 : 1;
  } finally {
    await close();
  }
}

type Side = Omit<Judgement, "reasoning">;

/** Formats both judgements. Each examination has its own words for the demands, so both sides' are listed. */
function formatComparison(recorded: Side, repeated: Side): string {
  const formatField = (name: string, get: (side: Side) => string) =>
    formatRow(get(recorded) === get(repeated), name, get(recorded), get(repeated));
  return [
    formatRow(true, "", "recorded", "repeated"),
    formatField("Judge", ({ judge }) => `${judge.id} (${judge.kind})`),
    formatField("Version", ({ detail }) => detail.version),
    formatField("Calibration", ({ detail }) => detail.calibration ?? "none"),
    formatField("Verdict", ({ verdict }) => verdict),
    formatField("Confidence", ({ confidencePpm }) => `${(confidencePpm / 10_000).toFixed(1)} %`),
    formatField("Failed checks", listFailedChecks),
    "",
    ...formatFindings("Recorded", recorded),
    ...formatFindings("Repeated", repeated),
    recorded.verdict === repeated.verdict ? "The verdict is the same." : "The verdict differs.",
  ].join("\n");
}

function listFailedChecks({ detail: { checks = [], requirements = [] } }: Side): string {
  const failed = [
    ...checks.flatMap(({ check, result }) => (result.outcome === "fail" ? [check] : [])),
    ...requirements.flatMap(({ check, passed }) => (passed ? [] : [check])),
  ];
  return failed.join(", ") || "none";
}

const MET: Record<Met, string> = { yes: "met", no: "not met", unclear: "unclear" };

const formatFindings = (side: string, { detail }: Side): string[] => [
  `${side} findings:`,
  ...detail.findings.map(({ text, met }) => `  ${MET[met].padEnd(9)}${text}`),
  "",
];

const formatRow = (isSame: boolean, name: string, recorded: string, repeated: string) =>
  `${isSame ? " " : "≠"} ${name.padEnd(14)} ${recorded.padEnd(34)} ${repeated}`.trimEnd();

await runMain(main, {
  describeError: (error) => {
    if (error instanceof RejudgeError) return error.message;
    return error instanceof JudgeUnavailable
      ? `The judge cannot decide now: ${error.message.replace(/\.$/, "")}.`
      : describeDatabaseError(error);
  },
});
