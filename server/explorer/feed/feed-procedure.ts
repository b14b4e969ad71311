import { profileInput } from "@/server/explorer/schema";
import { AppError } from "@/server/lib/errors";
import { publicProcedure } from "@/server/lib/trpc";
import { readFeed } from "./read-feed";
import { feed } from "./schema";

/** For the Atom feed of a profile, which is a page of the site, not of the REST API. */
export const feedProcedure = publicProcedure
  .input(profileInput)
  .output(feed)
  .query(async ({ ctx, input }) => {
    const found = await readFeed(ctx.db, input.walletAddress);
    if (!found) throw new AppError("not-found", "No record names this wallet.");
    return found;
  });
