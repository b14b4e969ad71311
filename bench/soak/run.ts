import { withBenchEnvironment } from "@/bench/environment";
import { formatElapsed, mapKeys } from "@/bench/measure";
import { ensureBuild } from "@/scripts/lib/build.mjs";
import { parseCommandLine } from "@/scripts/lib/command-line";
import { computeGrowth, KINDS, runSoak, type Third } from "./soak";

// Sends the requests of a busy day to one service process and checks that its memory stays flat.

const USAGE = "Usage: npm run soak -- [--reads N] [--strangers N] [--submissions N] [--pages N]";
const ALLOWED_MB = 5;
const MB = 1_000_000;

const started = performance.now();
const number = (amount: string) => ({ type: "string", default: amount }) as const;
const { values } = parseCommandLine(process.argv.slice(2), USAGE, {
  options: {
    reads: number("400000"),
    strangers: number("100000"),
    submissions: number("2000"),
    pages: number("5000"),
  },
});
const counts = mapKeys(KINDS, (kind) => Number(values[kind]));

function printThird({ kind, third, requests, heap, external, rss }: Third): void {
  const mb = (bytes: number) => (bytes / MB).toFixed(1).padStart(7);
  console.log(
    `${formatElapsed(started)}  ${kind.padEnd(11)} ${third}/3 ${String(requests).padStart(7)} requests` +
      `  heap ${mb(heap)} MB  external ${mb(external)} MB  RSS ${mb(rss)} MB`,
  );
}

await ensureBuild();
await withBenchEnvironment(async (env) => {
  for (const [kind, bytes] of computeGrowth(await runSoak(env, counts, printThird))) {
    const isFlat = bytes <= ALLOWED_MB * MB;
    if (!isFlat) process.exitCode = 1;
    const growth = `${(bytes / MB).toFixed(2)} MB between the second and the last third`;
    console.log(`${isFlat ? "flat " : "LEAKS"}  ${kind.padEnd(11)} ${growth}`);
  }
});
