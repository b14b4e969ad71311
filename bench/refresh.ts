import { sql } from "drizzle-orm";
import { openDatabase } from "@/server/db/client";
import { DAY_MS } from "@/server/lib/time";
import { refreshBatch } from "@/server/reputation/refresh";
import type { BenchEnvironment } from "./environment";
import { createFigure, type Figure } from "./measure";
import { seedScale } from "./scale/seed";

const SCALE = { agents: 10_000, outcomes: 50_000 };
/** As in `refresh-scores`. */
const BATCH = 2_000;

/** Measures the scores per second that the daily refresh brings up to the next day. */
export async function measureRefresh(env: BenchEnvironment): Promise<Figure[]> {
  const url = await env.createDatabase("refresh");
  await seedScale(url, SCALE);
  const rates = await measureRefreshOf(url);
  return [createFigure("refresh.agents_per_second", "agents/s", rates.service, rates.bare)];
}

/**
 * Measures the scores per second of the second day: on the first, the seeded scores become those of
 * their ledgers. The bare program writes the same rows in the same batches without computing. Stops
 * after `batches`.
 */
export async function measureRefreshOf(
  url: string,
  batches = Number.POSITIVE_INFINITY,
): Promise<{ service: number; bare: number }> {
  const { db, close } = openDatabase(url);
  const core = { db, publish: async () => {} };
  const refresh = async (now: Date) => {
    let after: string | null = "";
    for (let batch = 0; after !== null && batch < batches; batch++) {
      after = await refreshBatch(core, { now, after, size: BATCH });
    }
  };
  const write = async () => {
    let after: string | undefined = "";
    for (let batch = 0; after !== undefined && batch < batches; batch++) {
      const rows: { wallet: string }[] = await db.execute<{ wallet: string }>(sql`
        with batch as (
          select wallet from reputations where wallet > ${after} order by wallet limit ${BATCH}
        )
        update reputations set score_day = score_day + 1, score_e_4 = score_e_4 + 100
        from batch where reputations.wallet = batch.wallet returning reputations.wallet`);
      const wallets = rows.map(({ wallet }) => wallet).sort();
      after = rows.length < BATCH ? undefined : wallets.at(-1);
    }
  };
  try {
    const [row] = await db.execute<{ agents: number }>(
      sql`select count(*)::int as agents from reputations`,
    );
    const agents = Math.min(row?.agents ?? 0, batches * BATCH);
    const measure = async (work: () => Promise<void>) => {
      const started = performance.now();
      await work();
      return (agents / (performance.now() - started)) * 1000;
    };
    await refresh(new Date(Date.now() + DAY_MS));
    return {
      service: await measure(() => refresh(new Date(Date.now() + 2 * DAY_MS))),
      bare: await measure(write),
    };
  } finally {
    await close();
  }
}
