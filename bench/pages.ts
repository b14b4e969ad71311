import { type BenchEnvironment, buildServiceEnv } from "./environment";
import { compare, type HttpEffort } from "./http";
import type { Figure } from "./measure";
import { seedScale } from "./scale/seed";

const PATHS = { "pages.home": "/", "pages.leaderboard": "/leaderboard" };
const SCALE = { agents: 1_000, outcomes: 20_000 };
/** As browsers send it. */
const HEADERS = { Accept: "text/html", "Accept-Encoding": "gzip, br" };

/** Measures pages per second, built as for production. */
export async function measurePages(env: BenchEnvironment, effort: HttpEffort): Promise<Figure[]> {
  const url = await env.createDatabase("pages");
  await seedScale(url, SCALE);
  const service = await env.startBuiltService(buildServiceEnv(url, await env.startChain()));
  const args = [service.url, ...Object.values(PATHS)];
  const bare = await env.startModule("static-process.ts", { args });
  const kinds = Object.fromEntries(
    Object.entries(PATHS).map(([name, path]) => [
      name,
      { draw: () => ({ path, headers: HEADERS }), prepared: 30_000 },
    ]),
  );
  const rates = await compare({ service, bare }, kinds, effort);
  await service.stop();
  await bare.stop();
  return rates;
}
