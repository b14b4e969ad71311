import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Logger } from "pino";

export interface Listener {
  /** Whether every notice sent from now on will arrive. */
  established(): boolean;
  /** Resolves the first time that it is. */
  ready: Promise<void>;
  close(): Promise<void>;
}

interface Options {
  url: string;
  channel: string;
  log: Logger;
  /** Called each time the connection is established: notices before that moment were missed. */
  onEstablished(): void;
  onNotice(payload: string): void;
  /** A connection that does not answer within this time is given up. */
  beatMs?: number;
}

const BEAT_MS = 5_000;
const CONNECT_MS = 5_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Listens to a Postgres channel on a connection of its own, again and again, until closed. Not
 * postgres.js's `listen`: that one does not tell when its connection is lost.
 */
export function listen(options: Options): Listener {
  const stop = new AbortController();
  let established = false;
  let current: Client | null = null;
  const { promise: ready, resolve: becomeReady } = deferred();
  const { promise: closing, resolve: beginClosing } = deferred();
  stop.signal.addEventListener("abort", beginClosing);

  async function once(): Promise<void> {
    const client = new Client({
      connectionString: options.url,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
    });
    current = client;
    const lost = new Promise<void>((resolve) => {
      client.on("error", () => resolve()).on("end", () => resolve());
    });
    client.on("notification", ({ payload }) => options.onNotice(payload ?? ""));
    let beat: NodeJS.Timeout | undefined;
    try {
      const listening = client
        .connect()
        .then(() => client.query(`listen ${client.escapeIdentifier(options.channel)}`));
      // pg leaves `connect` pending for ever when the client is ended in the middle of it.
      await Promise.race([listening, closing]);
      if (stop.signal.aborted) {
        listening.catch(() => {});
        return;
      }
      options.onEstablished();
      established = true;
      becomeReady();
      beat = startBeat(client, options.beatMs ?? BEAT_MS);
      await Promise.race([lost, closing]);
      if (!stop.signal.aborted) {
        options.log.warn(
          { channel: options.channel },
          "lost the connection that listens to Postgres",
        );
      }
    } finally {
      established = false;
      clearInterval(beat);
      client.end().catch(() => {});
    }
  }

  async function forever(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!stop.signal.aborted) {
      try {
        await once();
        pause = FIRST_PAUSE_MS;
      } catch (error) {
        options.log.warn({ err: error, channel: options.channel }, "cannot listen to Postgres");
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
      await sleep(pause, undefined, { signal: stop.signal }).catch(() => {});
    }
  }

  const done = forever();
  return {
    established: () => established,
    ready,
    async close() {
      stop.abort();
      current?.end().catch(() => {});
      await done;
    },
  };
}

/** A peer that vanished without closing the connection is noticed by its silence. */
function startBeat(client: Client, beatMs: number): NodeJS.Timeout {
  let answered = true;
  const beat = setInterval(() => {
    if (!answered) {
      // While a query waits for its answer, this destroys the socket, and "end" follows.
      client.end().catch(() => {});
      return;
    }
    answered = false;
    client.query("select 1").then(
      () => {
        answered = true;
      },
      () => {},
    );
  }, beatMs);
  return beat.unref();
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
