import { eventType } from "inngest";
import { z } from "zod";
import { reputation } from "./schema";

/**
 * The published score or tier of a wallet changed. Carries the record as it was then, so that a
 * late delivery still tells what happened at `version`.
 */
export const scoreUpdated = eventType("reputation/score-updated", {
  schema: z.object({ reputation, previousScore: z.number(), version: z.int() }),
});

/** An anchor, or the end of one, waits to be recorded on chain. */
export const anchorChanged = eventType("reputation/anchor-changed", {
  schema: z.object({ anchorId: z.string() }),
});

/** Postgres channel that tells every instance, at commit, which wallet's reputation changed. */
export const REPUTATION_CHANGED = "reputation_changed";
