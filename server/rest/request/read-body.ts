import { AppError } from "@/server/lib/errors";

/** Largest request body in bytes. */
export const BODY_LIMIT = 1_048_576;

/** The memory reserved for one request's body. */
export interface BodyReservation {
  /** Grows the reservation to `bytes` in total. Returns false if too little memory remains. */
  grow(bytes: number): boolean;
  /** Releases the reservation. Safe to call repeatedly. */
  release(): void;
}

/** Large enough for nearly every legitimate request. */
const FREE_BYTES = 16_384;

/**
 * Limits the memory for bodies of requests in progress. The first 16 KiB of each body are free; the
 * rest counts against `limit` bytes that all requests share. This bounds memory even if many clients
 * send large bodies slowly, and small bodies are always accepted.
 */
export function createBodyBudget(limit: number): { open(): BodyReservation } {
  let reserved = 0;
  return {
    open() {
      let ownBytes = 0;
      return {
        grow(bytes) {
          const more = Math.max(bytes - FREE_BYTES, 0) - ownBytes;
          if (more > 0 && reserved + more > limit) return false;
          ownBytes += more;
          reserved += more;
          return true;
        },
        release() {
          reserved -= ownBytes;
          ownBytes = 0;
        },
      };
    },
  };
}

/** The limit of this process: 64 bodies of the largest size at once. */
export const bodyBudget = createBodyBudget(64 * BODY_LIMIT);

/**
 * Reads a whole body of at most `limit` bytes, counted against `reservation` while it arrives.
 * Throws an `AppError`: `body-too-large`, `unavailable` if too little memory remains, or
 * `invalid-request` if the connection ends before the body does.
 * @param declaredLength The request's `Content-Length`.
 */
export async function readBody(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  declaredLength: string | null | undefined,
  reservation: BodyReservation,
  limit = BODY_LIMIT,
): Promise<Buffer<ArrayBuffer>> {
  if (Number(declaredLength) > limit) throw createSizeError(limit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > limit) throw createSizeError(limit);
      if (!reservation.grow(size)) {
        throw new AppError(
          "unavailable",
          "Too many large bodies are arriving at once. Try again in 5 s.",
          {
            headers: { "Retry-After": "5" },
          },
        );
      }
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError(
      "invalid-request",
      "The connection ended before the body did. Check that Content-Length is the number of bytes sent.",
    );
  }
  return Buffer.concat(chunks, size);
}

function createSizeError(limit: number): AppError {
  return new AppError(
    "body-too-large",
    `The body has more than ${limit.toLocaleString("en-US")} bytes.`,
  );
}
