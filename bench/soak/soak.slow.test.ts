import { expect, test } from "vitest";
import { withBenchEnvironment } from "@/bench/environment";
import { ensureBuild } from "@/scripts/lib/build.mjs";
import { MAX_WALLETS } from "@/server/reputation/cache";
import { computeGrowth, runSoak, type Third } from "./soak";

/** The build may be missing, and the machine may be busy. */
const TIMEOUT_MS = 600_000;
const READS = 75_000;
/** Two thirds fill the cache; a wallet in it, with its response, takes about 800 bytes. */
const STRANGERS = 1.5 * MAX_WALLETS;
const MB = 1_000_000;

test(
  "memory does not grow with reads, new wallets, submissions and pages",
  async () => {
    await ensureBuild();
    let thirds: Third[] = [];
    await withBenchEnvironment(async (env) => {
      const counts = { reads: READS, strangers: STRANGERS, submissions: 30, pages: 180 };
      thirds = await runSoak(env, counts);
    });
    const growth = computeGrowth(thirds);
    // Collected heaps differ by 1 or 2 MB. A former leak of the cache was 150 bytes per read.
    expect(growth.get("reads")).toBeLessThan((READS / 3) * 100);
    // With a full cache, each new wallet takes the place of another.
    expect(growth.get("strangers")).toBeLessThan((STRANGERS / 3) * 100);
    expect(growth.get("submissions")).toBeLessThan(5 * MB);
    expect(growth.get("pages")).toBeLessThan(8 * MB);
  },
  TIMEOUT_MS,
);
