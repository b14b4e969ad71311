import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { createParser, publicProcedure } from "@/server/lib/trpc";
import { walletOutputSchema } from "@/server/lib/wallet";
import { countAgents } from "./agent-list/list-agents";
import { runPrepared } from "./run-sql";

/** A sitemap may have 50,000 URLs. */
const PAGE_SIZE = 20_000;

/**
 * Returns the wallets of a page, in order of registration, so that full pages stay; none beyond the last.
 * Counts pages from 0.
 */
export async function readWalletsOfPage(db: Database, page: number, size = PAGE_SIZE) {
  const rows = await runPrepared<{ wallet: `0x${string}` }>(
    db,
    sql`select wallet from agents order by id limit ${size} offset ${page * size}::bigint`,
  );
  return rows.map(({ wallet }) => wallet);
}

/** For the sitemap. */
export const walletProcedures = {
  walletPages: publicProcedure
    .output(z.int())
    .query(async ({ ctx }) => Math.ceil((await countAgents(ctx.db, {})) / PAGE_SIZE)),
  walletsOfPage: publicProcedure
    .input(createParser(z.object({ page: z.int().min(0) })))
    .output(z.array(walletOutputSchema))
    .query(async ({ ctx, input }) => {
      const wallets = await readWalletsOfPage(ctx.db, input.page);
      if (wallets.length > 0) return wallets;
      throw new AppError("not-found", "There is no such page of agents.");
    }),
};
