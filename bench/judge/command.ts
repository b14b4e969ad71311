import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { createBuiltinJudge } from "@/server/judging/checks/builtin-judge";
import { createCheckIo, createCheckRunner } from "@/server/judging/checks/run-checks";
import { createModelJudge } from "@/server/judging/examination/model-judge";
import type { Judge } from "@/server/judging/judge";
import type { AskModel } from "@/server/judging/model-client/ask";
import { createModelClient } from "@/server/judging/model-client/model-client";
import type { Env } from "@/server/lib/env";
import { citesServedPage, fillPort, startPageServer } from "./citations/page-server";
import { confirm, describeEstimate, estimateCost } from "./estimate";
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
  createRecording,
  createRecordingClient,
  openRecording,
  type Recording,
  readRecording,
} from "./recording";
import { buildReport, formatReport } from "./report/report";
import { writeBelow, writeReport } from "./report/result-file";
import { createScriptedClient } from "./scripted-models";
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
  const candidate = openCandidate(options, env, cases, signal);
  const isReplay = options.replay !== undefined;
  if (candidate.kind === "llm" && !isReplay && !options.models) {
    const estimate = estimateCost(cases, {
      input: env.JUDGE_PRICE_INPUT,
      output: env.JUDGE_PRICE_OUTPUT,
    });
    if (!options.yes && estimate.costUsd !== 0) await confirm(describeEstimate(estimate));
    else progress.write(`${describeEstimate(estimate)}\n`);
  }

  const pages = cases.some(citesServedPage) ? await startPageServer() : null;
  const fill = ({ file, cases }: LabelledFile): LabelledFile => ({
    file,
    cases: pages ? cases.map((one) => fillPort(one, pages.port)) : cases,
  });
  const measured = await measureJudge(candidate, {
    sets: sets.map(fill),
    concurrency: options.concurrency,
    pause: isReplay ? async () => {} : wait,
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

/** Rejects equal ids, since recordings and marks belong to an id. */
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

/**
 * Opens the judge that the command line and the environment name. `stop` ends the run: an aborted
 * call does not count as a response of the model.
 */
function openCandidate(
  options: Options,
  env: Env,
  cases: readonly LabelledCase[],
  stop?: AbortSignal,
): Candidate {
  const { models, record, replay, seed } = options;
  if (options.isBuiltin) {
    const judge = createBuiltinJudge(runChecks);
    return describeCandidate(judge, () => ({ judge, client: null }));
  }
  const named = env.JUDGE_MODEL ?? "";
  const [model, escalationModel] = models ?? [named, env.JUDGE_ESCALATION_MODEL ?? named];
  const header = { recording: "judge-answers/v1" as const, model, escalationModel, seed };
  if (models) {
    return createModelCandidate(createRecording(header), createScriptedClient(cases), stop);
  }
  if (replay !== undefined) return createModelCandidate(readRecording(replay), null, stop);
  if (!env.OPENAI_API_KEY && !env.OPENAI_BASE_URL) {
    throw new CommandError(
      "No judge is configured: set OPENAI_API_KEY or OPENAI_BASE_URL, and JUDGE_MODEL; or pass --judge builtin or --replay FILE.",
    );
  }
  const recording = record === undefined ? createRecording(header) : openRecording(record, header);
  return createModelCandidate(recording, createModelClient(env), stop);
}

/**
 * Opens the judge over the recording and, if given, a model. All random draws come from the
 * recording's seed, the case and the attempt.
 */
function createModelCandidate(
  recording: Recording,
  model: AskModel | null,
  stop: AbortSignal | undefined,
): Candidate {
  const { header } = recording;
  const open: Candidate["open"] = (caseId, attempt) => {
    const client = createRecordingClient(caseId, recording, model, stop);
    const judge = createModelJudge({
      ask: client.ask,
      runChecks,
      model: header.model,
      escalationModel: header.escalationModel,
      randomBytes: createByteGenerator(`${header.seed}\n${caseId}\n${attempt}`),
    });
    return { judge, client };
  };
  return describeCandidate(open("", 1).judge, open);
}

const describeCandidate = (
  { kind, id, version, models, calibration }: Judge,
  open: Candidate["open"],
): Candidate => ({ kind, id, version, models, calibration: calibration ?? null, open });
