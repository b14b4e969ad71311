import { type BenchEnvironment, buildServiceEnv } from "./environment";
import { createFigure, type Figure, percentile } from "./measure";
import { sendSubmission, waitForResolution } from "./pipeline";
import { drawSubmission, seedAgents } from "./workload";

const POLL_MS = 20;
const FLOOD_ADDRESS = "198.51.100.1";
/** As many submissions of the flood wait at the start; each measurement adds `MORE`. */
const FLOOD = 60;
const MORE = 2;

const PYTHON = {
  taskDescription:
    "Write a Python function `add(a, b)` that returns the sum.\n\nExample: `add(2, 3)` returns `5`.",
  deliverableContent: "```python\ndef add(a, b):\n    return a + b\n```",
};
/** Just below the length of the thread for ordinary texts, with 200 requirements. */
const LONG = {
  taskDescription: Array.from({ length: 200 }, (_, n) => `Include the word "term${n}x".`).join(
    "\n",
  ),
  deliverableContent: "The river carries water to the sea, and the delta grows. ".repeat(460),
};

/**
 * Measures the 95th percentile of the milliseconds in which the outcomes of others are resolved while
 * one address floods the service with long texts and programs, by the kind of outcome. Yardstick: the
 * same without the flood.
 */
export async function measureFairness(
  env: BenchEnvironment,
  { samples }: { samples: number },
): Promise<Figure[]> {
  const url = await env.createDatabase("fairness");
  const agents = await seedAgents(url, 2 * samples * (2 + MORE) + 2 * FLOOD);
  const chain = await env.startChain({ blockTime: 0.2 });
  const service = await env.startModule("service-process.ts", {
    env: { ...buildServiceEnv(url, chain), TRUSTED_PROXIES: "1" },
  });
  let submitted = 0;
  const submit = async (address: string, work: object): Promise<string> => {
    const { headers, body, ...request } = drawSubmission(agents, submitted++);
    return sendSubmission(service.url, {
      ...request,
      headers: { ...headers, "X-Forwarded-For": address },
      body: JSON.stringify({ ...JSON.parse(String(body)), ...work }),
    });
  };
  const flood = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, n) => submit(FLOOD_ADDRESS, n % 2 ? PYTHON : LONG)),
    );
  const resolve = async (n: number, work: object): Promise<number> => {
    const started = performance.now();
    const id = await submit(`192.0.2.${n % 250}`, work);
    await waitForResolution(service.url, id, POLL_MS);
    return performance.now() - started;
  };
  const measure = async (work: object, isFlooded: boolean): Promise<number> => {
    const times: number[] = [];
    for (let n = 0; n < samples; n++) {
      if (isFlooded) await flood(MORE);
      times.push(await resolve(n, work));
    }
    return percentile(times, 95);
  };
  // The first ones start the threads and the interpreters.
  for (const work of [{}, PYTHON, LONG]) await resolve(0, work);
  const calm = [await measure({}, false), await measure(PYTHON, false)] as const;
  await flood(FLOOD);
  const flooded = [await measure({}, true), await measure(PYTHON, true)] as const;
  await service.stop();
  return [
    createFigure("fairness.text_ms_p95", "ms", flooded[0], calm[0]),
    createFigure("fairness.python_ms_p95", "ms", flooded[1], calm[1]),
  ];
}
