import canonicalize from "canonicalize";
import { columns } from "@/server/db/arrays";
import { createBatcher, FOR_REQUESTS } from "@/server/db/batch";
import type { Database } from "@/server/lib/context";
import { prepareOnce } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import { sha256 } from "@/server/lib/hash";
import type { SubmitInput } from "./schema";

/** Stored part of a submission, from which its response is replayed. */
export interface StoredSubmission {
  inputHash: string;
  /** The response as JSON. */
  storedAnswer: string;
}

/** Returns whether a header's value is 1 to 255 printable ASCII characters. */
export function isIdempotencyKey(header: string | null): header is string {
  return header !== null && /^[\x20-\x7e]{1,255}$/.test(header);
}

/**
 * Returns the `Idempotency-Key` header (1 to 255 printable ASCII characters), or null if there is
 * none. Throws `invalid-request` for anything else.
 */
export function readIdempotencyKey(header: string | null): string | null {
  const characters = header?.length ?? 0;
  if (header === null || isIdempotencyKey(header)) return header;
  const length = characters > 255 ? `; it has ${characters} characters` : "";
  const detail = `must be 1 to 255 printable ASCII characters${length}`;
  throw new AppError("invalid-request", `Idempotency-Key ${detail}.`, {
    errors: [{ pointer: "#/header/Idempotency-Key", detail, code: "invalid-format" }],
  });
}

/** Hashes the canonical JSON (RFC 8785) of the validated input, to detect identical submissions. */
export function hashInput(input: SubmitInput): `0x${string}` {
  return sha256(canonicalize(input) ?? "");
}

/**
 * Returns the submission that an agent made under an idempotency key, if any. Concurrent calls share
 * a statement.
 */
export const findByIdempotencyKey = (
  db: Database,
  agentId: string,
  key: string,
): Promise<StoredSubmission | null> => getFinder(db)({ agentId, key });

const getFinder = prepareOnce((db: Database) =>
  createBatcher(async (asked: { agentId: string; key: string }[]) => {
    const found = await db.sql<(StoredSubmission & { n: number })[]>`
      select n::int, input_hash as "inputHash", stored_answer as "storedAnswer"
      from unnest(${columns(db.sql, asked, { agentId: "uuid", key: "text" })})
        with ordinality as asked(agent_id, key, n)
      join outcomes on submitter_agent_id = agent_id and idempotency_key = key`;
    const stored = new Map(found.map(({ n, ...submission }) => [n, submission]));
    return asked.map((_, index) => stored.get(index + 1) ?? null);
  }, FOR_REQUESTS),
);
