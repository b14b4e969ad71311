import { join } from "node:path";
import { ensureBuild } from "@/scripts/lib/build.mjs";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { parseCommandLine, runMain } from "@/scripts/lib/command-line";
import { closeWorkerPool } from "@/server/lib/process/worker-pool";
import { withBenchEnvironment } from "./environment";
import { type Figure, formatElapsed, formatFigures } from "./measure";
import { type Effort, PARTS } from "./parts";
import { describeRun, readLoad, writeResults } from "./results-file";
import { formatScale, measureScale } from "./scale/measure-scale";

const USAGE = `Usage: npm run bench -- [--smallest] [--only ${Object.keys(PARTS).join(",")}]
       npm run bench -- --scale [--agents 10000,100000,1000000] [--smallest]
--smallest shortens a run and --only selects parts; neither writes results.`;
const RESULTS = join(import.meta.dirname, "results/latest.jsonl");
const SCALE_RESULTS = join(import.meta.dirname, "results/scale.jsonl");

const HEADER = `Each figure is printed next to a yardstick from the same run; docs/decisions/benchmarks.md says which.
Servers run in separate processes on one Postgres that syncs to disk. Figure and yardstick are measured
alternately; medians of the rounds are shown.
`;
const SCALE_HEADER = `Each figure is measured at several numbers of agents, on the built service with its pages;
docs/decisions/benchmarks.md says how.
`;

const FULL: Effort = { rounds: 9, seconds: 0.8, warmUp: 3, samples: 100, outcomes: 1_000 };
/** For tests, which only see whether every part still runs. */
const SMALLEST: Effort = { rounds: 1, seconds: 5, warmUp: 0, samples: 2, outcomes: 20 };

async function main(args: string[]): Promise<number> {
  const { values } = parseCommandLine(args, USAGE, {
    options: {
      smallest: { type: "boolean" },
      only: { type: "string" },
      scale: { type: "boolean" },
      agents: { type: "string", default: "10000,100000,1000000" },
    },
  });
  const selected = values.only?.split(",") ?? Object.keys(PARTS);
  const unknown = selected.filter((part) => !(part in PARTS));
  if (unknown.length > 0) {
    throw new CommandError(`There is no part ${unknown.join(", ")}.\n${USAGE}`);
  }
  const run = describeRun();
  console.log(values.scale ? SCALE_HEADER : HEADER);
  await ensureBuild();
  console.log(`${run.cores} cores, Node ${run.node}, load average ${run.load[0]} at the start\n`);
  const started = performance.now();
  const log = (line: string) => console.log(`${formatElapsed(started)}  ${line}`);
  await withBenchEnvironment(async (env) => {
    if (values.scale) {
      const sizes = values.agents.split(",").map(Number);
      const figures = await measureScale(env, { sizes, log });
      console.log(`\n${formatScale(figures)}\n`);
      if (values.smallest) return;
      run.load.push(readLoad());
      await writeResults(SCALE_RESULTS, run, figures);
      return;
    }
    const effort = values.smallest ? SMALLEST : FULL;
    const figures: Figure[] = [];
    for (const [part, measure] of Object.entries(PARTS)) {
      if (!selected.includes(part)) continue;
      const measured = await measure(env, effort);
      figures.push(...measured);
      for (const { name, value, unit, ratio } of measured) {
        log(`${name.padEnd(26)} ${value} ${unit}, ratio ${ratio}`);
      }
    }
    console.log(`\n${formatFigures(figures)}\n`);
    if (effort !== FULL || values.only) return;
    run.load.push(readLoad());
    await writeResults(RESULTS, run, figures);
  });
  // Long ledgers are computed in its threads.
  await closeWorkerPool();
  log(`done, load average ${readLoad()}`);
  return 0;
}

await runMain(main);
// After a failure, clients of autocannon would connect to a stopped server for ever.
process.exit();
