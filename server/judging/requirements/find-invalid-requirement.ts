import type { QueueKey } from "@/server/lib/process/fair-queue";
import { inWorker } from "@/server/lib/process/worker-pool";
import type { findInvalid, InvalidRequirement } from "./decisions/validate-requirements";
import type { Requirement } from "./schema";

const findInvalidInWorker = inWorker<Parameters<typeof findInvalid>, InvalidRequirement | null>(
  "server/judging/requirements/decisions/validate-requirements.ts",
  "findInvalid",
  { pool: "quick", warmUp: [[{ check: "json", schema: {} }]] },
);

/**
 * Returns the first requirement that its schema accepts and that still can't be decided, with the path
 * to the place within the list: a pattern or JSON Schema that is invalid or too large, a language that
 * can't be detected. Returns null if all can be decided. Call it before requirements are stored.
 */
export async function findInvalidRequirement(
  requirements: readonly Requirement[],
  queueKey?: QueueKey,
): Promise<InvalidRequirement | null> {
  const found = await findInvalidInWorker.for(queueKey)(requirements);
  return found.ok ? found.value : { path: [], detail: "take too long to check; simplify them" };
}
