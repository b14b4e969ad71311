import { openDatabase } from "@/server/db/client";
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
/** People wait for a trial while they write terms or work. */
const GOAL_MS = 50;

/**
 * Measures the 99th percentile of the milliseconds of `POST /requirements/check` with ten requirements on
 * 10,000 words, one at a time, while outcomes are submitted, judged and recorded without a pause.
 */
export async function measureRequirements(
  env: BenchEnvironment,
  { samples, outcomes }: { samples: number; outcomes: number },
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
  const measureTrial = async (index: number) => {
    const started = performance.now();
    const response = await fetch(`${service.url}/api/v1/requirements/check`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        // In turn, since each wallet may try ten a minute.
        "X-API-Key": agents[index % AGENTS]?.apiKey ?? "",
      },
      body,
    });
    const { passed } = (await response.json()) as { passed?: boolean };
    if (!passed) throw new Error(`The trial failed with ${response.status}`);
    return performance.now() - started;
  };
  await measureResolving(target, sql, outcomes);
  let isMeasured = false;
  const submitting = (async () => {
    while (!isMeasured) await measureResolving(target, sql, outcomes);
  })();
  const times: number[] = [];
  try {
    for (let index = 0; index < WARM_UP + samples; index++) times.push(await measureTrial(index));
  } finally {
    isMeasured = true;
  }
  await submitting;
  await service.stop();
  await close();
  const busy = percentile(times.slice(WARM_UP), 99);
  return [createFigure("requirements.busy_ms_p99", "ms", busy, GOAL_MS)];
}
