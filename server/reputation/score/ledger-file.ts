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

/** Thrown if a file is not a valid ledger. The message is for its author and names the line. */
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
  const spans = text.trimStart().startsWith("[") ? findArrayItems(text) : findLines(text);
  return spans.map(({ start, end }) => {
    let value: unknown;
    try {
      value = JSON.parse(text.slice(start, end));
    } catch {
      throw createFileError(text, start, "this is not valid JSON");
    }
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const field = issue?.path.join(".");
    throw createFileError(text, start, `${field ? `${field}: ` : ""}${issue?.message}`);
  });
}

/** Returns an error with the line of the item that begins at `start`, after any white space. */
function createFileError(text: string, start: number, problem: string): LedgerFileError {
  const rest = text.slice(start);
  const begin = start + rest.length - rest.trimStart().length;
  return new LedgerFileError(`line ${text.slice(0, begin).split("\n").length}: ${problem}`);
}

interface Span {
  start: number;
  end: number;
}

function findLines(text: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    if (line.trim() !== "") spans.push({ start, end: start + line.length });
    start += line.length + 1;
  }
  return spans;
}

/**
 * Returns the positions of the items of a JSON array, which `JSON.parse` does not report. Items are
 * not validated here.
 */
function findArrayItems(text: string): Span[] {
  const spans: Span[] = [];
  const open = text.indexOf("[");
  let start = open + 1;
  let depth = 0;
  let inString = false;
  for (let at = open; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === "\\") at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "[" || char === "{") depth += 1;
    else if (char === "]" || char === "}") depth -= 1;

    if (inString || depth > 1 || (depth === 1 && char !== ",")) continue;
    const empty = text.slice(start, at).trim() === "";
    if (depth === 1 || spans.length > 0 || !empty) spans.push({ start, end: at });
    start = at + 1;
    if (depth === 1) continue;
    if (char === "]" && text.slice(start).trim() === "") return spans;
    throw createFileError(text, char === "]" ? start : at, "this is not valid JSON");
  }
  throw createFileError(text, text.length, "the array is not closed");
}
