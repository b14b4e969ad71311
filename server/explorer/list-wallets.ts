import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "@/server/lib/context";
import { prepareOnce } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import { cacheLoads } from "@/server/lib/process/cache-loads";
import { HOUR_MS } from "@/server/lib/time";
import { createParser, publicProcedure } from "@/server/lib/trpc";
import { walletOutputSchema } from "@/server/lib/wallet";
import { runPrepared } from "./run-sql";

/** A sitemap may have 50,000 URLs. */
const PAGE_SIZE = 20_000;

/** Returns the first id of every page of agents, in order of registration, so that full pages stay. */
export async function readPageStarts(db: Database, size: number): Promise<string[]> {
  const rows = await runPrepared<{ id: string }>(
    db,
    sql`select id from (select id, row_number() over (order by id) as place from agents) as placed
      where (place - 1) % ${size}::int = 0 order by id`,
  );
  return rows.map(({ id }) => id);
}

/** Returns the wallets of a page, or null if there is no such page. Counts pages from 0. */
export async function readWalletsOfPage(db: Database, starts: readonly string[], page: number) {
  const [from, to] = [starts[page], starts[page + 1] ?? null];
  if (from === undefined) return null;
  const rows = await runPrepared<{ wallet: `0x${string}` }>(
    db,
    sql`select wallet from agents
      where id >= ${from}::uuid and (${to}::uuid is null or id < ${to}::uuid)
      order by id limit ${PAGE_SIZE}`,
  );
  return rows.map(({ wallet }) => wallet);
}

/** Scans the whole index, so the result is kept for an hour. */
const getPageStarts = prepareOnce<Database, () => Promise<string[]>>((db) => {
  const cached = cacheLoads<string[]>({ ttlMs: HOUR_MS, max: 1 });
  return () => cached("starts", () => readPageStarts(db, PAGE_SIZE));
});

/** For the sitemap. */
export const walletProcedures = {
  walletPages: publicProcedure
    .output(z.int())
    .query(async ({ ctx }) => (await getPageStarts(ctx.db)()).length),
  walletsOfPage: publicProcedure
    .input(createParser(z.object({ page: z.int().min(0) })))
    .output(z.array(walletOutputSchema))
    .query(async ({ ctx, input }) => {
      const starts = await getPageStarts(ctx.db)();
      const wallets = await readWalletsOfPage(ctx.db, starts, input.page);
      if (!wallets) throw new AppError("not-found", "There is no such page of agents.");
      return wallets;
    }),
};
