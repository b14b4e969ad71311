import { z } from "zod";

/** The nine task categories of the interface specification, in its order. */
export const CATEGORIES = [
  "code-review",
  "data-analysis",
  "research",
  "content",
  "infra",
  "finance",
  "trading",
  "legal",
  "ops",
] as const;

export const categorySchema = z.enum(CATEGORIES).meta({
  id: "Category",
  description: "What kind of task it was.",
});
export type Category = z.infer<typeof categorySchema>;

/** Tiers from the least to the most trusted. Thresholds are in `reputation/policy.ts`. */
export const TIERS = ["UNRANKED", "NEWCOMER", "TRUSTED", "VERIFIED", "ELITE"] as const;

export const tierSchema = z.enum(TIERS).meta({
  id: "Tier",
  description:
    "UNRANKED: no outcomes yet; NEWCOMER: one or more; TRUSTED: score >= 70; VERIFIED: >= 85; ELITE: >= 95.",
});
export type Tier = z.infer<typeof tierSchema>;

export const verdictSchema = z.enum(["SUCCESS", "FAILURE"]).meta({
  id: "Verdict",
  description: "Whether the deliverable does what the task asks for.",
});
export type Verdict = z.infer<typeof verdictSchema>;

/** A wallet's role in an outcome. */
export const partySchema = z.enum(["contractor", "requester"]).meta({
  id: "Party",
  description: "The contractor did the work; the requester asked for it.",
});
export type Party = z.infer<typeof partySchema>;

export const disputeVerdictSchema = z.enum(["REQUESTER_WINS", "CONTRACTOR_WINS"]).meta({
  id: "DisputeVerdict",
  description:
    "The party that the judge decided for. REQUESTER_WINS makes the outcome's final verdict FAILURE, CONTRACTOR_WINS makes it SUCCESS.",
});

export const disputeReviewSchema = z.enum(["model", "checks-only"]).meta({
  id: "DisputeReview",
  description:
    "What reviews a dispute. model: a language model and checks in code. checks-only: no language model is configured, so only automated checks; they cannot weigh arguments.",
});
export type DisputeReview = z.infer<typeof disputeReviewSchema>;

/** How many models decide, which is what protects a verdict from text that deceives one of them. */
export const judgeSetupSchema = z.enum(["built-in", "single-model", "two-models"]).meta({
  id: "JudgeSetup",
  description:
    "built-in: checks in code, no language model. single-model: one language model makes every examination, so the confidence of a verdict is at most 0.75. two-models: one examination by each of two language models; a success counts only if both find it.",
});
export type JudgeSetup = z.infer<typeof judgeSetupSchema>;

export const idSchema = z
  .uuid()
  .meta({ description: "UUID", example: "3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10" });

/** ISO 8601 in UTC with milliseconds. */
export const timestampSchema = z.iso.datetime().meta({
  description: "ISO 8601 UTC date-time",
  example: "2026-11-21T12:00:00.000Z",
});

export const hashSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, "must be 0x followed by 64 hexadecimal characters")
  .meta({ description: "SHA-256: 0x and 64 hexadecimal characters" });

export const txHashSchema = hashSchema.meta({
  description: "Transaction hash: 0x and 64 hexadecimal characters",
});

export const recordIndexSchema = z
  .int()
  .meta({ description: "Index of the record's log in the transaction" });

/**
 * Creates a schema for free text: trimmed, between `min` and `max` characters (code points, as JSON
 * Schema counts them), without NUL and without unpaired surrogates, which Postgres cannot store.
 */
export function textSchema(min: number, max: number) {
  return z
    .string()
    .superRefine(rejectUnstorableText)
    .trim()
    .superRefine((value, issue) => checkLength(value, min, max, issue))
    .meta(min > 0 ? { minLength: min, maxLength: max } : { maxLength: max });
}

/**
 * Like `textSchema`, but text that starts or ends with white space is refused rather than trimmed: for
 * documents that are hashed exactly as sent.
 */
export function exactTextSchema(min: number, max: number) {
  return verbatimTextSchema(max)
    .refine((value) => value === value.trim(), "must not start or end with white space")
    .superRefine((value, issue) => checkLength(value, min, max, issue))
    .meta(min > 0 ? { minLength: min, maxLength: max } : { maxLength: max });
}

/** Like `textSchema`, but kept exactly as sent: a deliverable is hashed byte for byte. */
export function verbatimTextSchema(max: number) {
  return z
    .string()
    .superRefine(rejectUnstorableText)
    .superRefine((value, issue) => checkLength(value.trim(), 0, max, issue))
    .meta({ maxLength: max });
}

/** What a job is called, in one line. */
export const titleSchema = textSchema(1, 80).refine(
  (value) => !/[\p{Cc}\u2028\u2029]/u.test(value),
  "must be one line without control characters",
);

function checkLength(value: string, min: number, max: number, issue: z.RefinementCtx<string>) {
  if (value.length < min) {
    issue.addIssue({ code: "too_small", minimum: min, origin: "string", inclusive: true });
  } else if (isLongerThan(value, max)) {
    issue.addIssue({ code: "too_big", maximum: max, origin: "string", inclusive: true });
  }
}

function rejectUnstorableText(value: string, issue: z.RefinementCtx<string>) {
  if (value.includes("\0")) {
    issue.addIssue({ code: "custom", message: "must not contain the NUL character" });
  } else if (!value.isWellFormed()) {
    issue.addIssue({ code: "custom", message: "must be well-formed Unicode" });
  }
}

function isLongerThan(value: string, max: number): boolean {
  if (value.length <= max) return false;
  if (value.length > max * 2) return true;
  // An array of half a million characters would take longer than all other checks.
  let characters = 0;
  for (const _ of value) characters += 1;
  return characters > max;
}

/**
 * An absolute `http` or `https` URL of at most 2,048 characters. Whether its address may be called
 * is checked at call time.
 */
export const httpUrlSchema = z
  .string()
  .max(2_048)
  .superRefine((value, issue) => {
    rejectUnstorableText(value, issue);
    const url = URL.canParse(value) ? new URL(value) : null;
    if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) {
      issue.addIssue({ code: "custom", message: "must be an absolute http or https URL" });
    } else if (url.username || url.password) {
      issue.addIssue({ code: "custom", message: "must not contain a user name or password" });
    }
  })
  .meta({ format: "uri" });

/** An amount of USDC with at most six decimals, up to a billion. */
export const usdcSchema = z
  .number()
  .min(0)
  .max(1_000_000_000)
  .refine((value) => Number(value.toFixed(6)) === value, "must have at most 6 decimals")
  .meta({ description: "USDC, at most 6 decimals" });

/**
 * `page` and `size` of every paged list. A size over 100 is reduced to 100 and echoed (AIP-158).
 */
export const pageInputShape = {
  page: z.int().min(0).max(1_000_000).default(0).meta({ description: "Zero-based page number" }),
  size: z
    .int()
    .min(0)
    .transform((size) => Math.min(Math.max(size, 1), 100))
    .prefault(20)
    .meta({ description: "Results per page, at most 100; larger values are reduced to 100" }),
};

/** Most records that the export of a list has. */
export const MAX_EXPORTED = 1_000;
/** The page that an export reads: all of its records at once. */
export const EXPORTED_PAGE = { page: 0, size: MAX_EXPORTED };

/** Creates the schema of a page of `entry`, as in section 2.6 of the interface specification. */
export function createPageSchema<T extends z.ZodType>(entry: T) {
  return z.strictObject({
    content: z.array(entry).meta({ description: "The entries of this page" }),
    totalElements: z.int().min(0).meta({ description: "Entries on all pages" }),
    totalPages: z.int().min(0).meta({ description: "Pages of this size" }),
    page: z.int().min(0).meta({ description: "Zero-based page number" }),
    size: z.int().min(1).meta({ description: "Results per page, after reduction to 100" }),
  });
}

/** Returns one page of a list of `total` entries. */
export function createPage<T>(
  content: T[],
  total: number,
  { page, size }: { page: number; size: number },
) {
  return { content, totalElements: total, totalPages: Math.ceil(total / size), page, size };
}
