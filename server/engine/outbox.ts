import type { Logger } from "pino";
import { openDatabase } from "@/server/db/client";
import { underlyingConnection } from "@/server/db/underlying-connection";
import type { InngestClient } from "@/server/lib/inngest";
import type { Engine } from "./engine";
import { addJob, finishJob, getBackoff, type HeldJob, TASKS } from "./jobs";
import { readEngineStatus } from "./runs";
import { createWorkerLifecycle } from "./worker-lifecycle";

/** Sends events to a remote Inngest server; the counterpart of `Engine`. */
export type Outbox = Pick<Engine, "publish" | "start" | "stopWork" | "stop" | "status">;

/** An event in the outbox and its number of failed attempts. */
interface OutboxPayload {
  event: { id: string; name: string; data: Record<string, unknown>; ts: number };
  failures: number;
}

/** Limits the delay of an event after the server is available again, however long the outage was. */
const MAX_RETRY_DELAY_MS = 300_000;

/**
 * Creates the outbox for an Inngest server: events are stored in the transaction of the change they
 * announce, and sent after it commits, until the server has accepted them. The server deduplicates
 * repeated events by id.
 */
export function createOutbox({
  databaseUrl,
  inngest,
  log,
}: {
  databaseUrl: string;
  inngest: InngestClient;
  log: Logger;
}): Outbox {
  const { sql, close } = openDatabase(databaseUrl, 2);

  async function send(job: HeldJob): Promise<void> {
    const { event, failures } = job.payload as OutboxPayload;
    try {
      await inngest.send(event);
      await finishJob(sql, job);
    } catch (error) {
      const due = { inMs: Math.min(getBackoff(failures).inMs, MAX_RETRY_DELAY_MS) };
      log.warn({ err: error, event: event.id, due }, "cannot reach the Inngest server");
      await sql.begin(async (tx) => {
        if (!(await finishJob(tx, job))) return;
        await addJob(tx, TASKS.sendEvent, { event, failures: failures + 1 }, due);
      });
    }
  }

  const lifecycle = createWorkerLifecycle(
    () => ({
      databaseUrl,
      log,
      concurrency: 4,
      pollIntervalMs: 1_000,
      handlers: { [TASKS.sendEvent]: send },
      crons: [],
    }),
    close,
  );
  return {
    async publish(tx, events) {
      const ts = Date.now();
      for (const event of events) {
        const payload = { event: { ...event, ts }, failures: 0 };
        await addJob(underlyingConnection(tx), TASKS.sendEvent, payload);
      }
    },
    ...lifecycle,
    status: () => readEngineStatus(sql),
  };
}
