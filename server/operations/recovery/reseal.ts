import { eq } from "drizzle-orm";
import { idempotencyKeys } from "@/server/agents/tables";
import type { Database } from "@/server/lib/context";
import { seal, unseal } from "@/server/lib/seal";
import { OperationRefused } from "@/server/operations/operation-refused";
import { webhooks } from "@/server/webhooks/tables";

/**
 * Reseals every webhook secret that the previous key sealed with the current key, in one
 * transaction, and deletes the responses of idempotency keys. Secrets that the current key opens stay as they are, so it is safe to run again.
 * Returns the number resealed. Throws `OperationRefused` if neither key opens a secret.
 */
export function reseal(
  db: Database,
  { previous, current }: { previous: string; current: string },
): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.delete(idempotencyKeys);
    const rows = await tx
      .select({
        id: webhooks.id,
        sealedSecret: webhooks.sealedSecret,
        previousSealedSecret: webhooks.previousSealedSecret,
      })
      .from(webhooks)
      .for("update");
    const secrets = rows.flatMap(({ id, ...columns }) =>
      Object.entries(columns).map(([column, bytes]) => ({ id, column, bytes })),
    );
    let sealed = 0;
    for (const { id, column, bytes } of secrets) {
      const context = `webhook:${id}`;
      if (bytes === null || unsealOrNull(current, bytes, context) !== null) continue;
      const secret = unsealOrNull(previous, bytes, context);
      if (secret === null) {
        throw new OperationRefused(
          `Neither SECRET_KEY nor PREVIOUS_SECRET_KEY opens the secret of webhook ${id}. Nothing was changed.`,
        );
      }
      await tx
        .update(webhooks)
        .set({ [column]: seal({ SECRET_KEY: current }, secret, context) })
        .where(eq(webhooks.id, id));
      sealed += 1;
    }
    return sealed;
  });
}

function unsealOrNull(key: string, sealed: Uint8Array, context: string): string | null {
  try {
    return unseal({ SECRET_KEY: key }, sealed, context);
  } catch {
    return null;
  }
}
