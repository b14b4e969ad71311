import type { Sql } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { countRequests, readWindow } from "@/server/rate-limit/sliding-window";

/** Pages a minute from one address, by all processes together. */
const PER_MINUTE = 60;
/** Attempts that wait, counted only to see that there are some. */
const MAX_WAITING = 1_000;

/** Admits a fetch from a host with these addresses. Throws `rate-limited`, with `Retry-After`, over the limit. */
export type FetchLimit = (
  addresses: readonly string[],
  /** Whether the fetch is a mere trial, which a delivery that waits has precedence over. */
  options: { isTrial: boolean },
) => Promise<void>;

/**
 * Creates the limit on pages fetched from one resolved address. Without precedence, endless trials could
 * keep a delivery from its verdict.
 */
export const createFetchLimit =
  (db: Sql): FetchLimit =>
  async (addresses, { isTrial }) => {
    for (const address of addresses) {
      const waiting = { bucket: `page-wait:${address}`, limit: MAX_WAITING };
      const waits = isTrial ? await readWindow(db, waiting) : null;
      const isHeldUp = waits !== null && waits.remaining < MAX_WAITING;
      const [counted] = isHeldUp ? [] : await countRequests(db, PER_MINUTE, [`page:${address}`]);
      if (counted?.allowed) continue;
      if (!isTrial) await countRequests(db, MAX_WAITING, [waiting.bucket]);
      const seconds = Math.max(1, Math.ceil((counted ?? waits)?.resetSeconds ?? 1));
      throw new AppError(
        "rate-limited",
        `At most ${PER_MINUTE} pages a minute are fetched from one server. Try again in ${seconds} s.`,
        { headers: { "Retry-After": String(seconds) } },
      );
    }
  };
