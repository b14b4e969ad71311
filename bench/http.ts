import type { Server } from "./environment";
import { type HttpRequest, measureThroughput, type RequestSequence } from "./load";
import { createFigure, type Figure, measureRounds } from "./measure";
import { drawSubmission, type SeededAgent } from "./workload";

/** Number of wallets for warm reads. */
const WARM = 200;
/** Wallets in a bulk read. */
export const BULK = 100;

/**
 * Number of wallets for cold reads, and for bulk reads. The cache holds 50,000, so a wallet is
 * evicted before its next turn.
 */
export const COLD = 80_000;

/** Number of wallets that `measureHttp` needs. */
export const WALLETS = WARM + 2 * COLD;

export interface Servers {
  service: Server;
  bare: Server;
}

export interface HttpEffort {
  rounds: number;
  seconds: number;
  /** Warm-up seconds before each measurement, for compilers and caches. */
  warmUp: number;
}

export type RequestKind = Omit<RequestSequence, "at">;

/** Measures reads and submissions per second, with the bare server as yardstick. */
export async function measureHttp(
  servers: Servers,
  { wallets, agents }: { wallets: string[]; agents: SeededAgent[] },
  effort: HttpEffort,
): Promise<Figure[]> {
  const bulkWallets = wallets.slice(WARM + COLD);
  const reads = {
    // The cache serves these, however often they are repeated.
    "read.warm": { ...readsOf(wallets.slice(0, WARM)), prepared: null },
    "read.cold": readsOf(wallets.slice(WARM, WARM + COLD)),
    "read.bulk100": bulkReadsOf(bulkWallets),
  };
  // All agents in turn, so that each stays well below ten submissions per minute.
  const submit = { draw: (index: number) => drawSubmission(agents, index), prepared: 3_000 };
  return [
    ...(await compare(servers, reads, effort)),
    ...(await compare(servers, { submit }, effort)),
  ];
}

/** Sends the same requests of each kind to both servers and returns a figure per kind. */
export async function compare(
  servers: Servers,
  kinds: Record<string, RequestKind>,
  { rounds, seconds, warmUp }: HttpEffort,
): Promise<Figure[]> {
  const runs = Object.entries(kinds).flatMap(([name, kind]) =>
    (["service", "bare"] as const).map((server) => ({
      key: `${name} ${server}`,
      url: servers[server].url,
      requests: { at: 0, ...kind },
    })),
  );
  const measurements = (seconds: number) =>
    Object.fromEntries(
      runs.map(({ key, url, requests }) => [key, () => measureThroughput(url, seconds, requests)]),
    );
  if (warmUp > 0) await measureRounds(1, measurements(warmUp));
  const rates = await measureRounds(rounds, measurements(seconds));
  const rate = (key: string) => rates[key] ?? Number.NaN;
  return Object.keys(kinds).map((name) =>
    createFigure(name, "requests/s", rate(`${name} service`), rate(`${name} bare`)),
  );
}

const readPath = (wallet = "") => `/api/v1/reputation/${wallet}`;

/** Reads the wallets in turn. */
export const readsOf = (wallets: string[]): RequestKind => ({
  draw: (index) => ({ path: readPath(wallets[index % wallets.length]) }),
  prepared: 50_000,
});

/** Reads the wallets in turn, a hundred at a time. */
export const bulkReadsOf = (wallets: string[]): RequestKind => ({
  draw(index) {
    const from = (index * BULK) % wallets.length;
    return bulkRead(wallets.slice(from, from + BULK));
  },
  prepared: 8_000,
});

/** Reads the wallets in one request, at most `BULK`. */
export function bulkRead(wallets: string[]): HttpRequest {
  return {
    method: "POST",
    path: "/api/v1/reputation/bulk",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(wallets),
  };
}
