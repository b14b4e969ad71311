import { setTimeout as pause } from "node:timers/promises";
import { and, eq } from "drizzle-orm";
import { chainTransactions } from "@/server/chain/tables";
import { payoutDue } from "@/server/disputes/events";
import { requeueDisputes } from "@/server/disputes/pending-disputes";
import { payouts } from "@/server/disputes/tables";
import { rescheduleOverdueJobs, retryRuns, summarizeRuns } from "@/server/engine/retry";
import type { Core, Database } from "@/server/lib/context";
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

/** Time that restarted runs get to show whether they fail again. */
const RESTARTED_WITHIN_MS = 3_000;

/**
 * Requeues pending work of a kind, however recent, in the same way as the function that reconciles it; work queued twice
 * is a no-op. Returns what was done, such as `2 requeued to be judged`, or null if nothing is pending.
 * Throws `OperationRefused` for a kind that an operator cannot retry, and for an `id` of a kind that
 * is only retried as a whole.
 */
export async function retryStalled(
  core: Pick<Core, "db" | "publish">,
  { kind, id, now }: RetryRequest,
): Promise<string | null> {
  const cause = `retry-${now.toISOString()}`;
  const describe = (count: number, done: string) => (count === 0 ? null : `${count} ${done}`);
  switch (kind) {
    case "outcomes": {
      const request = { submittedBefore: now, cause, only: id };
      return describe(await requeueUnjudged(core, request), "requeued to be judged");
    }
    case "faults": {
      const request = { submittedBefore: now, cause, only: id, isFaulty: true };
      return describe(await requeueUnjudged(core, request), "requeued to be judged");
    }
    case "disputes": {
      const request = { dueBefore: now, cause, only: id };
      return describe(await requeueDisputes(core, request), "requeued to be reviewed");
    }
    case "deliveries": {
      const request = { dueBefore: now, cause, now, only: id };
      return describe(await requeueDeliveries(core, request), "requeued to be attempted");
    }
    case "payouts":
      return describe(await requeuePayouts(core, cause, id), "requeued to be paid");
    case "records":
    case "transactions":
    case "settlements": {
      const waiting = await requeueSettlement(core, { kind, id, now, cause });
      return describe(waiting, "waiting; one run now signs, resends and settles all chain work");
    }
    case "runs":
      return restartRuns(core.db, id);
    case "jobs":
      return describe(await rescheduleOverdueJobs(core.db, id), "rescheduled to now");
    case "feedback":
      throw new OperationRefused(
        "Feedback is given and revoked every minute, and stalls while the chain's node is unreachable or the feedback account lacks ether.",
      );
    case "stakes":
      throw new OperationRefused(
        "Stakes are checked every minute until they are final. If that takes hours, the node does not report finality.",
      );
    case "escrows":
      throw new OperationRefused(
        "Escrows are read and decided every minute. If that takes hours, the chain's node is unreachable or the evaluator lacks ether.",
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

/** Restarts failed runs and returns how far they got within seconds. */
async function restartRuns(db: Database, id: string | undefined): Promise<string | null> {
  const ids = await retryRuns(db, id);
  if (ids.length === 0) return null;
  await pause(RESTARTED_WITHIN_MS);
  return `${ids.length} restarted at the step that failed: ${await summarizeRuns(db, ids)}`;
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
