import canonicalize from "canonicalize";
import { columns } from "@/server/db/arrays";
import { createBatcher, REQUEST_BATCH_OPTIONS } from "@/server/db/batch";
import type { Database } from "@/server/lib/context";
import { prepareOnce } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import { sha256 } from "@/server/lib/hash";
import type { Submitted } from "./schema";

/** What is stored of a submission to detect a repetition and replay its response. */
export interface StoredSubmission {
  /** See `hashInput`. */
  inputHash: string;
  /** The response, as JSON. */
  storedAnswer: string;
}

/** Returns whether the header is present and has 1 to 255 printable ASCII characters. */
export function isIdempotencyKey(header: string | null): header is string {
  return header !== null && /^[\x20-\x7e]{1,255}$/.test(header);
}

/**
 * Returns the `Idempotency-Key` header (1 to 255 printable ASCII characters), or null if there is
 * none. Throws `invalid-request` for anything else.
 */
export function readIdempotencyKey(header: string | null): string | null {
  const length = header?.length ?? 0;
  if (header === null || isIdempotencyKey(header)) return header;
  const lengthHint = length > 255 ? `; it has ${length} characters` : "";
  const detail = `must be 1 to 255 printable ASCII characters${lengthHint}`;
  throw new AppError("invalid-request", `Idempotency-Key ${detail}.`, {
    errors: [{ pointer: "#/header/Idempotency-Key", detail, code: "invalid-format" }],
  });
}

/** Hashes the canonical JSON (RFC 8785) of the validated input, to detect identical submissions. */
export function hashInput(input: Submitted): `0x${string}` {
  return sha256(canonicalize(input) ?? "");
}

/**
 * Returns the submission that an agent made under an idempotency key, or null if there is none.
 * Concurrent calls share one query.
 */
export const findByIdempotencyKey = (
  db: Database,
  agentId: string,
  key: string,
): Promise<StoredSubmission | null> => getBatchedFinder(db)({ agentId, key });

/** Returns the function that combines concurrent lookups into one query. */
const getBatchedFinder = prepareOnce((db: Database) =>
  createBatcher(async (lookups: { agentId: string; key: string }[]) => {
    const rows = await db.sql<(StoredSubmission & { ordinal: number })[]>`
      select ordinal::int, input_hash as "inputHash", stored_answer as "storedAnswer"
      from unnest(${columns(db.sql, lookups, { agentId: "uuid", key: "text" })})
        with ordinality as lookup(agent_id, key, ordinal)
      join outcomes on submitter_agent_id = agent_id and idempotency_key = key`;
    const byOrdinal = new Map(rows.map(({ ordinal, ...submission }) => [ordinal, submission]));
    // Ordinality counts from 1.
    return lookups.map((_, index) => byOrdinal.get(index + 1) ?? null);
  }, REQUEST_BATCH_OPTIONS),
);
