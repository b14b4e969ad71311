import type { BenchEnvironment } from "@/bench/environment";
import { formatTable } from "@/bench/measure";
import { measureSize, type SizeFigure } from "./measure-size";

/** Outcomes per agent. */
const OUTCOMES = 5;

export const SCALE_HEADER = `Each figure is measured at several numbers of agents, with ${OUTCOMES} outcomes each, on the built service
with its pages and several processes if requested; the last column is the last figure divided by the
first. Latencies are of requests in sequence, throughputs over 16 connections.

read.warm, read.cold, read.bulk100, pages.*   requests per second, as without --scale
search_ms_p99       GET /explore/search for a term that about 0.6% of the agents match
deep_page_ms_p99    HTML of the leaderboard around page 10,000, or the last page
pipeline.*          outcomes resolved per second, commits and CPU milliseconds of each
settle_ms           settling one outcome of the agent with the most
read_ms_p99         GET /reputation of a wallet that the cache does not hold
refresh.read_ms_p99   the same while the daily refresh runs in that process
refresh.agents_per_second   scores per second that the daily refresh brings up to the next day
database_mb         size of the seeded database
memory_mb           peak of the resident memory of a service process
`;

/** Measures every size on a database of its own. Returns the figures of all sizes. */
export async function measureScale(
  env: BenchEnvironment,
  { sizes, processes, log }: { sizes: number[]; processes: number; log: (line: string) => void },
): Promise<SizeFigure[]> {
  const figures: SizeFigure[] = [];
  for (const agents of sizes) {
    const scale = { agents, outcomes: agents * OUTCOMES };
    figures.push(...(await measureSize(env, { scale, processes, log })));
  }
  return figures;
}

/** Formats a row for each figure with a column for each size, and the growth from first to last. */
export function formatScale(figures: SizeFigure[]): string {
  const sizes = [...new Set(figures.map(({ agents }) => agents))];
  const names = [...new Set(figures.map(({ name }) => name))];
  const rows = names.map((name) => {
    const own = figures.filter((figure) => figure.name === name);
    const values = sizes.map((size) => own.find(({ agents }) => agents === size)?.value);
    const [first, last] = [values[0], values.at(-1)];
    const growth = first && last ? (last / first).toFixed(2) : "";
    return [name, own[0]?.unit ?? "", ...values.map((value) => String(value ?? "")), growth];
  });
  const head = ["name", "unit", ...sizes.map((size) => size.toLocaleString("en")), "growth"];
  return formatTable([head, ...rows], [...sizes.map((_, index) => index + 2), sizes.length + 2]);
}
