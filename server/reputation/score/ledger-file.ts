import { z } from "zod";
import type { LedgerRecord } from "@/server/chain/registry/ledger";
import type { Category } from "@/server/lib/schema";

const name = z.string().min(1);
const amount = z.int().min(0);
const time = z.int();

/** A ledger record from any source; unknown fields are ignored. */
const ledgerRecord = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("outcome"),
    id: name,
    contractor: name,
    requester: name,
    // Any category name is accepted: the formula does not depend on it, and a later policy may add
    // some.
    category: name.transform((category) => category as Category),
    valueMicro: amount,
    paidMicro: amount,
    submittedBy: z.enum(["contractor", "requester"]),
    proven: z.boolean(),
    agreed: z.boolean().default(false),
    verdict: z.enum(["SUCCESS", "FAILURE"]),
    confPpm: z.int().min(0).max(1_000_000),
    resolvedAt: time,
  }),
  z.object({
    type: z.literal("dispute"),
    outcomeId: name,
    verdict: z.enum(["REQUESTER_WINS", "CONTRACTOR_WINS"]),
    assessed: z.boolean(),
    resolvedAt: time,
  }),
  z.object({
    type: z.literal("refund"),
    outcomeId: name,
    at: time,
    paymentTx: z.string().optional(),
  }),
  z.object({ type: z.literal("superseded"), outcomeId: name, by: name }),
  z.object({
    type: z.literal("anchor"),
    seq: z.int(),
    wallet: name,
    from: time,
    until: time.nullable(),
  }),
  z.object({ type: z.literal("anchor-revoked"), anchorSeq: z.int() }),
  z.object({ type: z.literal("takeover"), wallet: name, at: time }),
]) satisfies z.ZodType<LedgerRecord>;

const workedExample = z.object({
  name: z.string(),
  wallet: name,
  now: time,
  log: z.array(ledgerRecord),
});
export type WorkedExample = z.infer<typeof workedExample>;

/** Thrown if a file is not a valid ledger. The message is for its author and names the line or item. */
export class LedgerFileError extends Error {
  override name = "LedgerFileError";
}

/** Parses a ledger file: a JSON array, or JSON Lines (a record on each line). */
export function parseLedger(text: string): LedgerRecord[] {
  return parseItems(text, ledgerRecord);
}

/**
 * Parses worked examples of the score: `{ name, wallet, now, log, … }`, in the same two formats.
 */
export function parseExamples(text: string): WorkedExample[] {
  return parseItems(text, workedExample);
}

function parseItems<T>(file: string, schema: z.ZodType<T>): T[] {
  const text = file.replace(/^\uFEFF/, "");
  const items = text.trimStart().startsWith("[") ? parseArray(text) : parseLines(text);
  return items.map(({ place, value }) => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const field = issue?.path.join(".");
    throw new LedgerFileError(`${place}: ${field ? `${field}: ` : ""}${issue?.message}`);
  });
}

interface Item {
  /** Names it in errors. */
  place: string;
  value: unknown;
}

const parseArray = (text: string): Item[] =>
  (parseJson(text, "the array") as unknown[]).map((value, index) => ({
    place: `item ${index + 1}`,
    value,
  }));

const parseLines = (text: string): Item[] =>
  text.split("\n").flatMap((line, index) => {
    const place = `line ${index + 1}`;
    return line.trim() === "" ? [] : [{ place, value: parseJson(line, place) }];
  });

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new LedgerFileError(`${place} is not valid JSON`);
  }
}
