import type { Logger } from "pino";
import type { InngestClient } from "@/server/lib/inngest";
import { acceptEvents, type EngineEvent } from "./accept-events";
import { type Effect, getBackoff, type TakenJob } from "./calls";
import type { Engine } from "./engine";
import type { RegisteredFunction } from "./function-table";
import { readEngineStatus } from "./runs";
import { Worker } from "./worker";

/** Sends events to a remote Inngest server; the counterpart of `Engine`. */
export type Outbox = Omit<Engine, "start"> & { start(): Promise<void> };

/** Limits the delay of an event after the server is available again, however long the outage was. */
const MAX_RETRY_DELAY_MS = 300_000;

/** Sends one event per run. The ids of its runs and events are stored, so they never change. */
const SEND: RegisteredFunction = {
  id: "outbox",
  maxAttempts: Number.POSITIVE_INFINITY,
  events: ["outbox/event"],
  crons: [],
  limit: null,
  field: null,
  perValue: null,
};

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
  async function send({ event, attempt }: TakenJob): Promise<Effect[]> {
    const sent = event?.data as unknown as EngineEvent;
    try {
      await inngest.send(sent);
      return [{ kind: "completed", output: null }];
    } catch (error) {
      const due = { inMs: Math.min(getBackoff(attempt).inMs, MAX_RETRY_DELAY_MS) };
      log.warn({ err: error, event: sent.id, due }, "cannot reach the Inngest server");
      return [{ kind: "retry", due, error: null }];
    }
  }

  const worker = new Worker({ databaseUrl, log, connections: 2, concurrency: 4 });
  return {
    async publish(tx, events) {
      const ts = Date.now();
      const [name = ""] = SEND.events;
      const wrapped = events.map((event) => ({
        id: `outbox:${event.id}`,
        name,
        data: { ...event, ts },
        ts,
      }));
      await acceptEvents(tx.sql, wrapped, () => [SEND]);
    },
    start: () => worker.start({ functions: [SEND], call: send }),
    stopWork: (graceMs) => worker.stopWork(graceMs),
    stop: (graceMs) => worker.stop(graceMs),
    status: () => readEngineStatus(worker.sql),
  };
}
