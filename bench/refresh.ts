import { openDatabase } from "@/server/db/client";
import { DAY_MS } from "@/server/lib/time";
import { refreshBatch } from "@/server/reputation/refresh";
import { reputations } from "@/server/reputation/tables";
import type { BenchEnvironment } from "./environment";
import { createFigure, type Figure } from "./measure";
import { seedScale } from "./scale/seed";

const SCALE = { agents: 10_000, outcomes: 50_000 };
/** As in the sweep of `scores`. */
const BATCH = 2_000;

/** A service with 100,000 agents is to refresh them in ten minutes. */
const GOAL = 100_000 / 600;

/**
 * Measures the scores per second that the daily refresh brings up to the second day: on the first, the
 * seeded scores become those of their ledgers.
 */
export async function measureRefresh(env: BenchEnvironment): Promise<Figure[]> {
  const url = await env.createDatabase("refresh");
  await seedScale(url, SCALE);
  const { db, close } = openDatabase(url);
  const refresh = async (now: Date) => {
    const core = { db, publish: async () => {} };
    for (let after: string | null = ""; after !== null; ) {
      after = await refreshBatch(core, { now, after, size: BATCH });
    }
  };
  try {
    const agents = await db.$count(reputations);
    await refresh(new Date(Date.now() + DAY_MS));
    const started = performance.now();
    await refresh(new Date(Date.now() + 2 * DAY_MS));
    const perSecond = (agents / (performance.now() - started)) * 1000;
    return [createFigure("refresh.agents_per_second", "agents/s", perSecond, GOAL)];
  } finally {
    await close();
  }
}
