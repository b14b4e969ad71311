import { deepEqual } from "node:assert/strict";
import type { Server } from "./ground";
import { type Asked, load, type Requests } from "./load";
import { inTurn } from "./rounds";

/** Number of wallets for warm reads. */
const WARM = 200;
const BULK = 100;

/**
 * Number of wallets for cold reads, and for bulk reads. The cache holds 50,000, so a wallet is
 * evicted before its next turn.
 */
export const COLD = 80_000;

/** Number of wallets that `measureReads` needs. */
export const WALLETS = WARM + 2 * COLD;

/** Measures requests per second of the three reads, for the service and for the bare server. */
export async function measureReads(
  { service, bare }: { service: Server; bare: Server },
  wallets: string[],
  { rounds, seconds, warmUp }: { rounds: number; seconds: number; warmUp: number },
) {
  await checkAnswers(service, bare, wallets);
  const measurements = (seconds: number) => {
    const at = (server: Server, requests: Requests) => () => load(server.url, seconds, requests);
    return {
      warm: at(service, rows.service.warm),
      bareWarm: at(bare, rows.bare.warm),
      cold: at(service, rows.service.cold),
      bareCold: at(bare, rows.bare.cold),
      bulk: at(service, rows.service.bulk),
      bareBulk: at(bare, rows.bare.bulk),
    };
  };
  const rows = { service: requestsOf(wallets), bare: requestsOf(wallets) };
  await inTurn(1, measurements(warmUp));
  return inTurn(rounds, measurements(seconds));
}

const path = (wallet: string) => `/api/v1/reputation/${wallet}`;

function reading(wallets: string[]): Requests {
  return {
    at: 0,
    draw: (index) => ({ path: path(wallets[index % wallets.length] ?? "") }),
    fastest: 50_000,
  };
}

function requestsOf(wallets: string[]): Record<"warm" | "cold" | "bulk", Requests> {
  const inBulk = wallets.slice(WARM + COLD);
  return {
    warm: reading(wallets.slice(0, WARM)),
    cold: reading(wallets.slice(WARM, WARM + COLD)),
    bulk: {
      at: 0,
      draw(index) {
        const from = (index * BULK) % inBulk.length;
        return bulkOf(inBulk.slice(from, from + BULK));
      },
      fastest: 8_000,
    },
  };
}

function bulkOf(wallets: string[]): Asked {
  return {
    method: "POST",
    path: "/api/v1/reputation/bulk",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(wallets),
  };
}

/** Throws unless both servers return the same bodies. */
async function checkAnswers(service: Server, bare: Server, wallets: string[]): Promise<void> {
  const some = wallets.slice(-BULK);
  const { path: bulkPath, ...request } = bulkOf(some);
  const answers = async ({ url }: Server) => [
    await (await fetch(url + path(some[0] ?? ""))).text(),
    await (await fetch(url + bulkPath, request)).text(),
  ];
  const [one, many] = await answers(service);
  const found = (JSON.parse(many ?? "") as { walletAddress: string }[]).map(
    ({ walletAddress }) => walletAddress,
  );
  deepEqual(found, some);
  deepEqual([one, many], await answers(bare));
}
