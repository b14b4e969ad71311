import { z } from "zod";
import { namedWallet } from "@/server/agents/schema";
import {
  categorySchema,
  idSchema,
  tierSchema,
  timestampSchema,
  verdictSchema,
} from "@/server/lib/schema";
import { walletOutputSchema } from "@/server/lib/wallet";

const outcomeEntry = z.strictObject({
  kind: z.literal("outcome"),
  at: timestampSchema,
  outcomeId: idSchema,
  role: z.enum(["contractor", "requester"]),
  other: namedWallet,
  title: z.string().nullable(),
  category: categorySchema,
  verdict: verdictSchema,
  assessed: z.boolean(),
  valueUsdc: z.number(),
});

const disputeEntry = z.strictObject({
  kind: z.enum(["dispute-opened", "dispute-resolved"]),
  at: timestampSchema,
  disputeId: idSchema,
  role: z.enum(["contractor", "requester"]),
  other: namedWallet,
  title: z.string().nullable(),
  category: categorySchema,
  recordedVerdict: verdictSchema,
  /** Null for an opened dispute. */
  finalVerdict: verdictSchema.nullable(),
});

const tierEntry = z.strictObject({
  kind: z.literal("tier"),
  at: timestampSchema,
  version: z.int(),
  from: tierSchema,
  to: tierSchema,
  score: z.number(),
});

const feedEntry = z.discriminatedUnion("kind", [outcomeEntry, disputeEntry, tierEntry]);
export type FeedEntry = z.infer<typeof feedEntry>;

/** What happened to a wallet, newest first. */
export const feed = z.strictObject({
  walletAddress: walletOutputSchema,
  /** Null for an unregistered wallet. */
  name: z.string().nullable(),
  updatedAt: timestampSchema,
  entries: z.array(feedEntry),
});
export type Feed = z.infer<typeof feed>;
