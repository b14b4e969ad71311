import { and, eq } from "drizzle-orm";
import { chainTransactions } from "@/server/chain/tables";
import { payoutDue } from "@/server/disputes/events";
import { requeueDisputes } from "@/server/disputes/pending-disputes";
import { payouts } from "@/server/disputes/tables";
import { rescheduleOverdueJobs, retryRuns } from "@/server/engine/retry";
import type { Core } from "@/server/lib/context";
import { requeueUnjudged } from "@/server/outcomes/pending-outcomes";
import { wherePayoutUnfinished } from "@/server/payouts/functions/pay-stalled-payouts";
import { settlementDue } from "@/server/settlement/events";
import { requeueDeliveries } from "@/server/webhooks/functions/resume-stalled-deliveries";
import { OperationRefused } from "./operation-refused";
import { readStalled, type StalledKind } from "./stalled";

interface RetryRequest {
  kind: StalledKind;
  /** An id from the status; all work of the kind if omitted. */
  id?: string | undefined;
  now: Date;
}

const MAX_PAYOUTS = 500;

/**
 * Requeues pending work of a kind, however recent, in the same way as its sweep; work queued twice
 * is a no-op. Returns the number requeued. Throws `OperationRefused` for a kind that an operator
 * cannot retry, and for an `id` of a kind that is only retried as a whole.
 */
export async function retryStalled(
  core: Pick<Core, "db" | "publish">,
  { kind, id, now }: RetryRequest,
): Promise<number> {
  const cause = `retry-${now.toISOString()}`;
  switch (kind) {
    case "outcomes":
      return requeueUnjudged(core, { submittedBefore: now, cause, only: id });
    case "faults":
      return requeueUnjudged(core, { submittedBefore: now, cause, only: id, isFaulty: true });
    case "disputes":
      return requeueDisputes(core, { dueBefore: now, cause, only: id });
    case "deliveries":
      return requeueDeliveries(core, { dueBefore: now, cause, now, only: id });
    case "payouts":
      return requeuePayouts(core, cause, id);
    case "records":
    case "transactions":
    case "settlements":
      return requeueSettlement(core, { kind, id, now, cause });
    case "runs":
      return retryRuns(core.db, { id });
    case "jobs":
      return rescheduleOverdueJobs(core.db, id);
    case "stakes":
      throw new OperationRefused(
        "Stakes are checked every minute until they are final. If that takes hours, the node does not report finality.",
      );
    case "scores":
      throw new OperationRefused(
        "Scores are refreshed every hour until all are of today; reads compute the others. If that takes hours, `status` shows the failed run.",
      );
    case "webhooks":
      throw new OperationRefused(
        "Only its owner can replace a disabled webhook: delete it and create a new one, with a new secret.",
      );
  }
}

function requeuePayouts(
  { db, publish }: Pick<Core, "db" | "publish">,
  cause: string,
  id: string | undefined,
): Promise<number> {
  return db.transaction(async (tx) => {
    const unfinished = await tx
      .select({ id: payouts.id })
      .from(payouts)
      .leftJoin(chainTransactions, eq(chainTransactions.id, payouts.transactionId))
      .where(and(wherePayoutUnfinished, id ? eq(payouts.id, id) : undefined))
      .limit(MAX_PAYOUTS);
    await publish(
      tx,
      unfinished.map(({ id: payoutId }) => ({
        id: `${cause}:${payoutDue.name}:${payoutId}`,
        name: payoutDue.name,
        data: { payoutId },
      })),
    );
    return unfinished.length;
  });
}

async function requeueSettlement(
  { db, publish }: Pick<Core, "db" | "publish">,
  { kind, id, now, cause }: RetryRequest & { cause: string },
): Promise<number> {
  if (id) {
    throw new OperationRefused(
      `Work that waits for the chain is retried as a whole, in nonce order: omit the id from retry ${kind}.`,
    );
  }
  const found = (await readStalled(db, now)).find((one) => one.kind === kind);
  if (!found || found.waiting === 0) return 0;
  await db.transaction((tx) =>
    publish(tx, [{ id: `${cause}:${settlementDue.name}`, name: settlementDue.name, data: {} }]),
  );
  return found.waiting;
}
