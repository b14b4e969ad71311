import { openDatabase } from "@/server/db/client";
import { createCheckRunner } from "@/server/judging/checks/run-checks";
import { createRequirementDecider } from "@/server/judging/requirements/decide-requirements";
import type { Requirement } from "@/server/judging/requirements/schema";
import { type BenchEnvironment, buildServiceEnv } from "./environment";
import { createFigure, type Figure, percentile } from "./measure";
import { measureResolving } from "./pipeline";
import { seedAgents } from "./workload";

const SENTENCE =
  "The river carries water to the sea, and in March 2026 the delta grows by 12 metres. ";
/** 10,000 words. */
const TEXT = `# Rivers\n\n${`${SENTENCE.repeat(25)}\n\n`.repeat(25)}`;
const TEN: Requirement[] = [
  { check: "word-count", min: 9_000, max: 11_000 },
  { check: "sentence-count", min: 600 },
  { check: "paragraph-count", min: 20 },
  { check: "character-count", max: 100_000 },
  { check: "contains", phrases: ["the delta", "2026", "metres"] },
  { check: "excludes", phrases: ["lake", "ocean"] },
  { check: "matches", pattern: "[0-9]+ metres", min: 600 },
  { check: "language", tag: "en" },
  { check: "sections", titles: ["Rivers"] },
  { check: "list-item-count", max: 0 },
];
const WARM_UP = 20;
const AGENTS = 4_000;
/** The time that a trial may take. */
const GOAL_MS = 50;

interface Effort {
  samples: number;
  outcomes: number;
}

/** Measures how long ten requirements on 10,000 words take: in the thread, and over HTTP. */
export const measureRequirements = async (
  env: BenchEnvironment,
  effort: Effort,
): Promise<Figure[]> => [await measureDeciding(effort), ...(await measureTrials(env, effort))];

/**
 * Measures the 99th percentile of the milliseconds in which they are decided. Yardstick: all checks of
 * the built-in judge on the same text.
 */
async function measureDeciding({ samples }: Effort): Promise<Figure> {
  const io = {
    fetchCitedPage: async () => ({ kind: "unreachable" as const, reason: "offline" }),
    runCode: async () => ({ kind: "unavailable" as const, reason: "offline" }),
  };
  const decide = createRequirementDecider(io);
  const check = createCheckRunner(io);
  const delivered = { text: TEXT, source: TEXT, file: null, problem: null };
  const input = { task: "Write about rivers.", category: "content" as const, text: TEXT };
  const times = { decided: [] as number[], checked: [] as number[] };
  for (let n = -WARM_UP; n < samples; n += 1) {
    const started = performance.now();
    const results = await decide(delivered, TEN);
    const decided = performance.now();
    await check(input);
    if (!results.every(({ passed }) => passed)) throw new Error("A requirement failed");
    if (n < 0) continue;
    times.decided.push(decided - started);
    times.checked.push(performance.now() - decided);
  }
  const [value, yardstick] = [percentile(times.decided, 99), percentile(times.checked, 99)];
  return createFigure("requirements.ten_ms_p99", "ms", value, yardstick);
}

/**
 * Measures the 99th percentile of the milliseconds of `POST /requirements/check`, one at a time: of an
 * idle service, and while outcomes are submitted, judged and recorded without a pause.
 */
async function measureTrials(
  env: BenchEnvironment,
  { samples, outcomes }: Effort,
): Promise<Figure[]> {
  const databaseUrl = await env.createDatabase("requirements");
  const agents = await seedAgents(databaseUrl, AGENTS);
  const chain = await env.startChain({ blockTime: 0.2 });
  const service = await env.startBuiltService(buildServiceEnv(databaseUrl, chain));
  const {
    db: { sql },
    close,
  } = openDatabase(databaseUrl, 1);
  // Only verified wallets may try requirements.
  await sql`update agents set wallet_verified_at = now()`;
  const target = { url: service.url, agents, submitted: 0 };
  const body = JSON.stringify({ requirements: TEN, deliverableContent: TEXT });
  let tried = 0;
  const measureTrial = async () => {
    const started = performance.now();
    const response = await fetch(`${service.url}/api/v1/requirements/check`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        // In turn, since each wallet may try ten a minute.
        "X-API-Key": agents[tried++ % AGENTS]?.apiKey ?? "",
      },
      body,
    });
    const { passed } = (await response.json()) as { passed?: boolean };
    if (!passed) throw new Error(`The trial failed with ${response.status}`);
    return performance.now() - started;
  };
  const measure = async () => {
    const times: number[] = [];
    for (let n = -WARM_UP; n < samples; n += 1) {
      const ms = await measureTrial();
      if (n >= 0) times.push(ms);
    }
    return percentile(times, 99);
  };
  const idle = await measure();
  await measureResolving(target, sql, outcomes);
  let isMeasured = false;
  const submitting = (async () => {
    while (!isMeasured) await measureResolving(target, sql, outcomes);
  })();
  const busy = await measure().finally(() => {
    isMeasured = true;
  });
  await submitting;
  await service.stop();
  await close();
  return [
    createFigure("requirements.trial_ms_p99", "ms", idle, GOAL_MS),
    createFigure("requirements.busy_ms_p99", "ms", busy, GOAL_MS),
  ];
}
