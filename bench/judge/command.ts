import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { createBuiltinJudge } from "@/server/judging/checks/builtin-judge";
import { createCheckIo, createCheckRunner } from "@/server/judging/checks/run-checks";
import { createModelJudge } from "@/server/judging/examination/model-judge";
import type { Judge } from "@/server/judging/judge";
import { createModelClient } from "@/server/judging/model-client/model-client";
import { type Env, hasModel } from "@/server/lib/env";
import { citesServedPage, fillPort, startPageServer } from "./citations/page-server";
import { describeEstimate, estimateCost } from "./estimate";
import { type LabelledCase, readLabelledSet } from "./labelled-set";
import { isUnseen } from "./manifest";
import {
  type Candidate,
  type LabelledFile,
  type MeasuredFile,
  measureJudge,
  nameSet,
} from "./measure-judge";
import type { Options } from "./options";
import {
  createByteGenerator,
  createCallCounter,
  createRecordedModel,
  openRecording,
} from "./recording";
import { buildReport, formatReport } from "./report/report";
import { writeBelow, writeReport } from "./report/result-file";
import { fitCheckConfidence, toCheckedCase } from "./statistics/check-figures";

/** Cited pages are served by this machine. */
const runChecks = createCheckRunner(createCheckIo({ allowLoopback: true }), (fault) =>
  console.error("A check failed and is not applicable:", fault),
);

const CHECK_TABLE = "server/judging/checks/confidence.json";

export interface CommandContext {
  env: Env;
  /** Root folder of all output. */
  root: string;
  progress: Writable;
  /** Current date as ISO 8601. */
  today: string;
  signal?: AbortSignal;
  /** Waits between attempts; replaced in tests. */
  wait?: (ms: number) => Promise<unknown>;
}

/** Runs the command and returns its output. Throws a `CommandError` for what the user can fix. */
export async function runCommand(options: Options, context: CommandContext): Promise<string> {
  const { env, root, progress, today, signal } = context;
  const wait = context.wait ?? ((ms) => sleep(ms, undefined, signal ? { signal } : {}));
  const open = (file: string): LabelledFile => ({ file, cases: readLabelledSet(file) });
  const sets = options.sets.map(open);
  const cases = sets.flatMap((one) => one.cases);
  rejectRepeatedIds(cases);
  const candidate = openCandidate(options, env);
  if (candidate.kind === "llm") {
    const estimate = estimateCost(cases, {
      input: env.JUDGE_PRICE_INPUT,
      output: env.JUDGE_PRICE_OUTPUT,
    });
    const sentence = describeEstimate(estimate);
    if (!options.yes && estimate.costUsd !== 0) {
      throw new CommandError(`${sentence} Pass --yes to continue.`);
    }
    progress.write(`${sentence}\n`);
  }

  const pages = cases.some(citesServedPage) ? await startPageServer() : null;
  const fill = ({ file, cases }: LabelledFile): LabelledFile => ({
    file,
    cases: pages ? cases.map((one) => fillPort(one, pages.port)) : cases,
  });
  const measured = await measureJudge(candidate, {
    sets: sets.map(fill),
    concurrency: options.concurrency,
    pause: wait,
    progress,
    signal,
  }).finally(() => pages?.close());
  const report = buildReport(candidate, today, measured);
  const notes: string[] = [];
  if (options.write) notes.push(`Written: ${writeReport(root, report)}`);
  if (options.fit) {
    const table = fitChecks(candidate, measured, today);
    writeBelow(root, CHECK_TABLE, `${JSON.stringify(table, null, 2)}\n`);
    notes.push(`Written: ${CHECK_TABLE}, counted on ${report.overall.n} cases`);
  }
  if (options.json) return JSON.stringify(report, null, 2);
  return [formatReport(report), ...notes].join("\n\n");
}

/** Rejects equal ids, since recorded responses and marks belong to an id. */
function rejectRepeatedIds(cases: readonly LabelledCase[]): void {
  const ids = new Set<string>();
  for (const { id } of cases) {
    if (ids.has(id)) throw new CommandError(`The id ${id} is used twice.`);
    ids.add(id);
  }
}

/**
 * Counts the right results of each check, for the confidence of the built-in judge. A check that earlier sets
 * have improved counts only on those that it met afterwards.
 */
function fitChecks({ id }: Candidate, sets: readonly MeasuredFile[], today: string) {
  const cases = sets.flatMap((set) =>
    set.measured.map(toCheckedCase).map(({ label, facts }) => ({
      label,
      facts: facts.filter(({ check }) => isUnseen(check, nameSet(set))),
    })),
  );
  return fitCheckConfidence(cases, `${today}/${id}`.slice(0, 60));
}

/** Opens the judge that the command line and the environment name. */
function openCandidate({ isBuiltin, record }: Options, env: Env): Candidate {
  if (isBuiltin) {
    const judge = createBuiltinJudge(runChecks);
    return describeCandidate(judge, () => ({ judge, counter: null }));
  }
  if (!hasModel(env)) {
    throw new CommandError(
      "No judge is configured: set OPENAI_API_KEY or OPENAI_BASE_URL, and JUDGE_MODEL; or pass --judge builtin.",
    );
  }
  const { JUDGE_MODEL: model = "", JUDGE_ESCALATION_MODEL: escalationModel = model } = env;
  const ask = createModelClient(env);
  const recording = openRecording(record);
  const open: Candidate["open"] = (caseId, attempt) => {
    const counter = createCallCounter(createRecordedModel(caseId, recording, ask));
    const judge = createModelJudge({
      ask: counter.ask,
      runChecks,
      model,
      escalationModel,
      // From the case and the attempt, so that another run asks the same.
      randomBytes: createByteGenerator(`standing\n${caseId}\n${attempt}`),
    });
    return { judge, counter };
  };
  return describeCandidate(open("", 1).judge, open);
}

const describeCandidate = (
  { kind, id, version, models, calibration }: Judge,
  open: Candidate["open"],
): Candidate => ({ kind, id, version, models, calibration: calibration ?? null, open });
