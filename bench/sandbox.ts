import { executeCode } from "@/server/judging/checks/code/sandbox/execute-code";
import { createFigure, type Figure, percentile } from "./measure";

const ORDINARY = "def add(a, b):\n    return a + b";
const ENDLESS = `while True:\n    pass\n${ORDINARY}`;
const MAX_SAMPLES = 5;

const execute = (program: string, wallet: string, signal?: AbortSignal) =>
  executeCode(
    {
      kind: "execute",
      language: "python",
      programs: [program],
      examples: [{ kind: "value", call: "add(2, 3)", expected: "5" }],
    },
    { queueKey: [wallet, wallet], signal },
  );

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/**
 * Measures the median of the milliseconds in which a Python program is executed while ten endless
 * programs of another wallet wait. Yardstick: the same without them.
 */
export async function measureSandbox({ samples }: { samples: number }): Promise<Figure[]> {
  const rounds = Array.from({ length: Math.min(samples, MAX_SAMPLES) }, (_, n) => `wallet ${n}`);
  await execute(ORDINARY, "first");
  const alone: number[] = [];
  for (const wallet of rounds) alone.push(await time(() => execute(ORDINARY, wallet)));
  const stop = new AbortController();
  const flood = Array.from({ length: 10 }, () => execute(ENDLESS, "flood", stop.signal));
  const beside: number[] = [];
  for (const wallet of rounds) beside.push(await time(() => execute(ORDINARY, wallet)));
  stop.abort();
  await Promise.all(flood);
  const [value, yardstick] = [percentile(beside, 50), percentile(alone, 50)];
  return [createFigure("sandbox.beside_endless_ms_p50", "ms", value, yardstick)];
}
