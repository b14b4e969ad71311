import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Logger } from "pino";

export interface Listener {
  /** Returns whether every notification sent from now on will arrive. */
  isConnected(): boolean;
  /** Resolves when the connection is established for the first time. */
  ready: Promise<void>;
  close(): Promise<void>;
}

interface Options {
  url: string;
  channel: string;
  log: Logger;
  /** Called each time the connection is established: earlier notifications may have been missed. */
  onConnected(): void;
  onNotification(payload: string): void;
  /** Time after which a connection that does not respond is closed. */
  heartbeatMs?: number | undefined;
}

const HEARTBEAT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;
const MIN_RETRY_MS = 50;
const MAX_RETRY_MS = 5_000;

/**
 * Listens to a Postgres channel on its own connection and reconnects until closed. Does not use
 * postgres.js's `listen`, which does not report a lost connection.
 */
export function listenToChannel({ url, channel, log, ...options }: Options): Listener {
  const stop = new AbortController();
  const stopped = new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
  let isConnected = false;
  let current: Client | null = null;
  let resolveReady = () => {};
  const ready = new Promise<void>((resolve) => {
    resolveReady = resolve;
  });

  async function listenUntilLost(): Promise<void> {
    const client = new Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    current = client;
    const lost = new Promise<void>((resolve) => {
      client.on("error", () => resolve()).on("end", () => resolve());
    });
    client.on("notification", ({ payload }) => options.onNotification(payload ?? ""));
    let heartbeat: NodeJS.Timeout | undefined;
    try {
      const listening = client
        .connect()
        .then(() => client.query(`listen ${client.escapeIdentifier(channel)}`));
      // pg never settles `connect` if the client is ended while connecting.
      await Promise.race([listening, stopped]);
      if (stop.signal.aborted) {
        listening.catch(() => {});
        return;
      }
      options.onConnected();
      isConnected = true;
      resolveReady();
      heartbeat = startHeartbeat(client, options.heartbeatMs ?? HEARTBEAT_MS);
      await Promise.race([lost, stopped]);
      if (!stop.signal.aborted) {
        log.warn({ channel }, "lost the connection that listens to Postgres");
      }
    } finally {
      isConnected = false;
      clearInterval(heartbeat);
      client.end().catch(() => {});
    }
  }

  async function listenUntilStopped(): Promise<void> {
    let retryMs = MIN_RETRY_MS;
    while (!stop.signal.aborted) {
      try {
        await listenUntilLost();
        retryMs = MIN_RETRY_MS;
      } catch (error) {
        log.warn({ err: error, channel }, "cannot listen to Postgres");
        retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
      }
      await sleep(retryMs, undefined, { signal: stop.signal }).catch(() => {});
    }
  }

  const done = listenUntilStopped();
  return {
    isConnected: () => isConnected,
    ready,
    async close() {
      stop.abort();
      current?.end().catch(() => {});
      await done;
    },
  };
}

/** Detects a peer that vanished without closing the connection. */
function startHeartbeat(client: Client, heartbeatMs: number): NodeJS.Timeout {
  let hasResponded = true;
  const heartbeat = setInterval(() => {
    if (!hasResponded) {
      // While a query is pending, this destroys the socket, and "end" follows.
      client.end().catch(() => {});
      return;
    }
    hasResponded = false;
    client.query("select 1").then(
      () => {
        hasResponded = true;
      },
      () => {},
    );
  }, heartbeatMs);
  return heartbeat.unref();
}
