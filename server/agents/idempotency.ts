import canonicalize from "canonicalize";
import { and, eq, gt, sql } from "drizzle-orm";
import type { Context, Transaction } from "@/server/lib/context";
import { databaseNow } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import { sha256 } from "@/server/lib/hash";
import { seal, unseal } from "@/server/lib/seal";
import { createFieldErrors } from "@/server/lib/to-app-error";
import { idempotencyKeys } from "./tables";

/** Stored responses are replayed for a day, and each agent's newest thousand only. */
const whereKept = gt(idempotencyKeys.createdAt, sql`${databaseNow} - interval '1 day'`);
const MAX_KEPT = 1_000;
const PRUNE_BATCH = 100;

/** A request of one agent to one operation under one `Idempotency-Key`. */
export interface KeyedRequest {
  agentId: string;
  /** Such as `webhooks.create`. */
  operation: string;
  key: string;
}

/** The response to an earlier request under the same key. */
export interface StoredResponse {
  /** See `hashInput`. */
  inputHash: string;
  /** JSON, sealed: it may hold a secret that is stored nowhere else. */
  sealedResponse: Buffer;
}

/**
 * Stores the response of an operation under the request's idempotency key, and returns it. Call it
 * in the transaction of what the operation creates, before `publish`. Without a key, stores nothing.
 */
export type KeepResponse = <T>(tx: Transaction, response: T) => Promise<T>;

/** Stores nothing. */
export const keepNothing: KeepResponse = async (_tx, response) => response;

/** Returns the stored response to an earlier request, or null if there is none. */
export async function findResponse(
  { db }: Pick<Context, "db">,
  request: KeyedRequest,
): Promise<StoredResponse | null> {
  const [row] = await db
    .select()
    .from(idempotencyKeys)
    .where(and(whereRequest(request), whereKept));
  return row ?? null;
}

/**
 * Runs `create`, which stores its response by the `KeepResponse` that it gets, or returns the
 * response that an earlier request stored under the same key (`replayed`). Of concurrent requests,
 * one creates something. Throws `idempotency-key-reused` for another input.
 * @param stored What `findResponse` returned before.
 */
export async function createOnce<T>(
  ctx: Pick<Context, "db" | "env">,
  { stored, ...request }: KeyedRequest & { stored: StoredResponse | null },
  input: unknown,
  create: (keep: KeepResponse) => Promise<T>,
): Promise<{ response: T; replayed: boolean }> {
  const inputHash = hashInput(input);
  const replay = (found: StoredResponse) => {
    if (found.inputHash !== inputHash) throw createKeyReusedError();
    const json = unseal(ctx.env, found.sealedResponse, getSealContext(request));
    return { response: JSON.parse(json) as T, replayed: true };
  };
  if (stored) return replay(stored);
  try {
    const response = await create(async (tx, response) => {
      const sealedResponse = seal(ctx.env, JSON.stringify(response), getSealContext(request));
      await storeResponse(tx, { ...request, inputHash, sealedResponse });
      return response;
    });
    return { response, replayed: false };
  } catch (error) {
    // Whatever stopped this request, a concurrent one with the same key may have succeeded.
    const winner = error instanceof AppError && (await findResponse(ctx, request));
    if (winner) return replay(winner);
    throw error;
  }
}

/** Throws `conflict` if a concurrent request has used the key. */
async function storeResponse(tx: Transaction, row: KeyedRequest & StoredResponse): Promise<void> {
  const { inputHash, sealedResponse } = row;
  await pruneResponses(tx, row.agentId);
  const { agentId, operation, key } = idempotencyKeys;
  const stored = await tx
    .insert(idempotencyKeys)
    .values(row)
    .onConflictDoUpdate({
      target: [agentId, operation, key],
      set: { inputHash, sealedResponse, createdAt: databaseNow },
      setWhere: sql`not (${whereKept})`,
    })
    .returning({ key });
  if (stored.length > 0) return;
  throw new AppError("conflict", "A request with this Idempotency-Key has just ended. Repeat it.");
}

/** Deletes what is not kept, in batches larger than what is stored. */
async function pruneResponses(tx: Transaction, agent: string): Promise<void> {
  const { createdAt, key, operation, agentId } = idempotencyKeys;
  await tx.execute(sql`
    delete from ${idempotencyKeys} where (agent_id, operation, key) in (
      select ${agentId}, ${operation}, ${key} from ${idempotencyKeys}
      where not (${whereKept}) or ${agentId} = ${agent} and ${createdAt} < (
        select created_at from ${idempotencyKeys} where agent_id = ${agent}
        order by created_at desc offset ${MAX_KEPT - 1} limit 1
      )
      limit ${PRUNE_BATCH} for update skip locked
    )`);
}

const whereRequest = ({ agentId, operation, key }: KeyedRequest) =>
  and(
    eq(idempotencyKeys.agentId, agentId),
    eq(idempotencyKeys.operation, operation),
    eq(idempotencyKeys.key, key),
  );

const getSealContext = ({ agentId, operation, key }: KeyedRequest) =>
  `idempotency:${agentId}:${operation}:${key}`;

export const createKeyReusedError = () =>
  new AppError(
    "idempotency-key-reused",
    "This Idempotency-Key was used for a request with another body. Use a new key for a new request.",
  );

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
  const pointer = "#/header/Idempotency-Key";
  throw createFieldErrors([{ pointer, detail, code: "invalid-format" }]);
}

/** Hashes the canonical JSON (RFC 8785) of a validated input, to detect identical requests. */
export function hashInput(input: unknown): `0x${string}` {
  return sha256(canonicalize(input) ?? "");
}
