import { eventType } from "inngest";
import { z } from "zod";
import { reputation } from "./schema";

/**
 * The published score or tier of a wallet changed. Carries the record as of the change, so that a
 * late delivery still describes `version`.
 */
export const scoreUpdated = eventType("reputation/score-updated", {
  schema: z.object({ reputation, previousScore: z.number(), version: z.int() }),
});

/** An anchor or its revocation is not recorded on chain yet. */
export const anchorChanged = eventType("reputation/anchor-changed", {
  schema: z.object({ anchorId: z.string() }),
});

/**
 * Postgres channel that notifies every instance, at commit, of a wallet whose reputation changed.
 */
export const REPUTATION_CHANGED = "reputation_changed";
