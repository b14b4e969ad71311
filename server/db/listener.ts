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
export function listenToChannel(options: Options): Listener {
  const { channel, log } = options;
  const stop = new AbortController();
  const stopped = new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
  const { promise: ready, resolve: resolveReady } = Promise.withResolvers<void>();
  let isConnected = false;
  const setConnected = (value: boolean) => {
    isConnected = value;
    if (value) resolveReady();
  };

  async function listenUntilStopped(): Promise<void> {
    let retryMs = MIN_RETRY_MS;
    while (!stop.signal.aborted) {
      try {
        await listenUntilLost(options, setConnected, stopped);
        if (!stop.signal.aborted) {
          log.warn({ channel }, "lost the connection that listens to Postgres");
        }
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

/** Listens until the connection is lost, or `stopped` resolves. Throws if it cannot connect. */
async function listenUntilLost(
  { url, channel, heartbeatMs = HEARTBEAT_MS, ...options }: Options,
  setConnected: (isConnected: boolean) => void,
  stopped: Promise<unknown>,
): Promise<void> {
  const sockets: Socket[] = [];
  const { promise: lost, resolve } = Promise.withResolvers<void>();
  const reportLoss = () => {
    setConnected(false);
    resolve();
  };
  const sql = openConnections(url, sockets, reportLoss);
  let heartbeat: NodeJS.Timeout | undefined;
  try {
    let hasResponded = true;
    const listening = sql`select 1`.then(() =>
      sql.listen(channel, (payload) => {
        if (payload === HEARTBEAT) hasResponded = true;
        else options.onNotification(payload);
      }),
    );
    listening.catch(() => {});
    const isStopped = stopped.then(() => true);
    if ((await Promise.race([listening, lost, isStopped])) === true) return;
    options.onConnected();
    setConnected(true);
    // Detects a peer that vanished without closing the connection.
    heartbeat = setInterval(() => {
      if (!hasResponded) reportLoss();
      hasResponded = false;
      sql.notify(channel, HEARTBEAT).catch(reportLoss);
    }, heartbeatMs).unref();
    await Promise.race([lost, stopped]);
  } finally {
    setConnected(false);
    clearInterval(heartbeat);
    sql.end({ timeout: 0 }).catch(() => {});
    for (const socket of sockets) socket.destroy();
  }
}

/** Opens two connections, of which one notifies and one listens. A third attempt shows a loss. */
function openConnections(url: string, sockets: Socket[], reportLoss: () => void): postgres.Sql {
  return postgres(url, {
    max: 1,
    max_lifetime: null,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    backoff: () => 0,
    onnotice: () => {},
    async socket({ host: [host], port: [port], path }: SocketOptions) {
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
}
