import { z } from "zod";
import { keyedProcedure } from "@/server/agents/procedures";
import { AppError } from "@/server/lib/errors";
import { createParser, publicProcedure, router } from "@/server/lib/trpc";
import { sendsMail } from "@/server/mail/send-mail";
import {
  confirmAddress,
  readAddress,
  readLinked,
  removeAddress,
  setAddress,
  unsubscribe,
} from "./address";
import { addressInput, alerts, linkedAddress, mailLinkInput, watchedInput } from "./schema";
import { listWatched, unwatchAgent, watchAgent } from "./watch-list";

/** Requires a verified wallet: any other registration may not be the owner's. */
const ownerProcedure = keyedProcedure.use(({ ctx, next }) => {
  if (!ctx.agent.walletVerified) {
    throw new AppError("forbidden", "Verify the wallet first: register again with a walletProof.");
  }
  return next();
});

/** Alerts by e-mail for owners. Programs use webhooks, so these have no REST path. */
export const alertsRouter = router({
  get: ownerProcedure.output(alerts).query(async ({ ctx }) => ({
    sendsMail: sendsMail(ctx.env),
    email: await readAddress(ctx.db, ctx.agent.id),
    watched: await listWatched(ctx.db, ctx.agent.id),
  })),
  setAddress: ownerProcedure
    .input(createParser(addressInput))
    .output(z.void())
    .mutation(({ ctx, input }) => setAddress(ctx, ctx.agent, input.address)),
  removeAddress: ownerProcedure
    .output(z.void())
    .mutation(({ ctx }) => removeAddress(ctx.db, ctx.agent.id)),
  watch: ownerProcedure
    .input(createParser(watchedInput))
    .output(z.void())
    .mutation(({ ctx, input }) => watchAgent(ctx.db, ctx.agent, input.walletAddress)),
  unwatch: ownerProcedure
    .input(createParser(watchedInput))
    .output(z.void())
    .mutation(({ ctx, input }) => unwatchAgent(ctx.db, ctx.agent.id, input.walletAddress)),
  // These need the token of a mail instead of a session.
  linked: publicProcedure
    .input(createParser(mailLinkInput))
    .output(linkedAddress)
    .query(({ ctx, input }) => readLinked(ctx, input)),
  confirmAddress: publicProcedure
    .input(createParser(mailLinkInput))
    .output(z.void())
    .mutation(({ ctx, input }) => confirmAddress(ctx, input)),
  unsubscribe: publicProcedure
    .input(createParser(mailLinkInput))
    .output(z.void())
    .mutation(({ ctx, input }) => unsubscribe(ctx, input)),
});
