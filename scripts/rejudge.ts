// Repeats the judgement of an outcome from its stored inputs with the currently configured judge,
// and shows the difference: npm run --silent rejudge -- OUTCOME_ID. Changes nothing.
// Exit code 0: the same verdict; 1: a different one; 2: the judgement could not be repeated.
import { z } from "zod";
import { createDecider, selectJudge } from "@/server/bootstrap/select-judge";
import { openDatabase } from "@/server/db/client";
import { NO_STATES } from "@/server/judging/examination/examine";
import { type Finding, JudgeUnavailable } from "@/server/judging/judge";
import { parseEnv } from "@/server/lib/env";
import { createLog } from "@/server/lib/process/log";
import { RejudgeError, rejudge } from "@/server/outcomes/rejudge";
import { CommandError } from "./lib/command-error.mjs";
import { parseCommandLine, runMain } from "./lib/command-line";
import { loadDotEnv } from "./lib/dot-env.mjs";
import { describeDatabaseError, findDatabaseUrl } from "./lib/running-service";
import {
  type Comparison,
  type CriterionPair,
  compareJudgements,
  type JudgementSummary,
} from "./rejudge/compare-judgements";

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
    const { recorded, repeated } = await rejudge(core, judge, createDecider(core), outcomeId);
    const comparison = compareJudgements(recorded, repeated);
    console.log(formatComparison(comparison));
    return comparison.isSameVerdict ? 0 : 1;
  } finally {
    await close();
  }
}

/** Formats both judgements side by side and marks the differences. */
function formatComparison({ recorded, repeated, isSameVerdict, criteria }: Comparison): string {
  const formatField = (name: string, get: (side: JudgementSummary) => string) =>
    formatRow(get(recorded) === get(repeated), name, get(recorded), get(repeated));
  const differing = criteria.filter(({ isSame }) => !isSame).length;
  return [
    formatRow(true, "", "recorded", "repeated"),
    formatField("Judge", ({ judge }) => judge),
    formatField("Version", ({ version }) => version),
    formatField("Calibration", ({ calibration }) => calibration ?? "none"),
    formatField("Verdict", ({ verdict }) => verdict),
    formatField("Confidence", ({ confidencePpm }) => `${(confidencePpm / 10_000).toFixed(1)} %`),
    "",
    ...criteria.flatMap(formatCriterion),
    `${isSameVerdict ? "The verdict is the same." : "The verdict differs."} ${
      differing === 0
        ? "The findings are the same."
        : `${differing} of ${criteria.length} findings ${differing === 1 ? "differs" : "differ"}.`
    }`,
  ].join("\n");
}

function formatCriterion({ text, recorded, repeated, isSame }: CriterionPair): string[] {
  const row = formatRow(isSame, "", formatFinding(recorded), formatFinding(repeated));
  return [`  ${text}`, row, ""];
}

const MET = { yes: "met", no: "not met", unclear: "unclear" } as const;

const formatFinding = (finding: Finding | null): string =>
  finding ? MET[finding.met] : "no such demand";

const formatRow = (isSame: boolean, name: string, recorded: string, repeated: string) =>
  `${isSame ? " " : "≠"} ${name.padEnd(12)} ${recorded.padEnd(34)} ${repeated}`.trimEnd();

await runMain(main, {
  describeError: (error) => {
    if (error instanceof RejudgeError) return error.message;
    return error instanceof JudgeUnavailable
      ? `The judge cannot decide now: ${error.message.replace(/\.$/, "")}.`
      : describeDatabaseError(error);
  },
});
