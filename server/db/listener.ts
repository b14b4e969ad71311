import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import postgres from "postgres";

export interface Listener {
  /** Returns whether every notification sent from now on will arrive. */
  isConnected(): boolean;
  /** Resolves when the connection is established for the first time. */
  ready: Promise<void>;
  close(): Promise<void>;
}

/** What postgres.js passes to the `socket` option, which its types lack. */
interface SocketOptions {
  host: string[];
  port: number[];
  path: string | false;
}

type ListenerOptions = postgres.Options<Record<string, never>> & object;

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
const CONNECT_TIMEOUT_SECONDS = 5;
const MIN_RETRY_MS = 50;
const MAX_RETRY_MS = 5_000;

/** The payload by which a listener notifies itself. */
const HEARTBEAT = "heartbeat";

/**
 * Listens to a Postgres channel on its own connections and reconnects until closed. `listen` of
 * postgres.js does not report a lost connection, and gives up if it cannot reconnect at once; its
 * attempt to reconnect is what shows the loss here.
 */
export function listenToChannel({ url, channel, log, ...options }: Options): Listener {
  const stop = new AbortController();
  const stopped = new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
  let isConnected = false;
  let resolveReady = () => {};
  const ready = new Promise<void>((resolve) => {
    resolveReady = resolve;
  });

  async function listenUntilLost(): Promise<void> {
    const sockets: Socket[] = [];
    let reportLoss = () => {};
    const lost = new Promise<void>((resolve) => {
      reportLoss = () => {
        isConnected = false;
        resolve();
      };
    });
    const sql = postgres(url, {
      max: 1,
      max_lifetime: null,
      connect_timeout: CONNECT_TIMEOUT_SECONDS,
      backoff: () => 0,
      onnotice: () => {},
      async socket({ host: [host], port: [port], path }: SocketOptions) {
        // One connection notifies, and one listens.
        if (sockets.length === 2) {
          reportLoss();
          throw new Error("the connection was lost");
        }
        const socket = path ? connect(path) : connect(port ?? 5432, host);
        sockets.push(socket);
        await once(socket, "connect");
        return socket;
      },
    } as ListenerOptions);
    let heartbeat: NodeJS.Timeout | undefined;
    try {
      let hasResponded = true;
      const listening = sql`select 1`.then(() =>
        sql.listen(channel, (payload) => {
          if (payload === HEARTBEAT) hasResponded = true;
          else options.onNotification(payload);
        }),
      );
      await Promise.race([listening, lost, stopped]);
      if (stop.signal.aborted) return void listening.catch(() => {});
      options.onConnected();
      isConnected = true;
      resolveReady();
      // Detects a peer that vanished without closing the connection.
      heartbeat = setInterval(() => {
        if (!hasResponded) reportLoss();
        hasResponded = false;
        sql.notify(channel, HEARTBEAT).catch(reportLoss);
      }, options.heartbeatMs ?? HEARTBEAT_MS).unref();
      await Promise.race([lost, stopped]);
      if (!stop.signal.aborted) {
        log.warn({ channel }, "lost the connection that listens to Postgres");
      }
    } finally {
      isConnected = false;
      clearInterval(heartbeat);
      sql.end({ timeout: 0 }).catch(() => {});
      for (const socket of sockets) socket.destroy();
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
      await done;
    },
  };
}
