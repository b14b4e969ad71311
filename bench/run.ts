import { join } from "node:path";
import { ensureBuild } from "@/scripts/lib/build.mjs";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { parseCommandLine, runMain } from "@/scripts/lib/command-line";
import { closeWorkerPool } from "@/server/lib/process/worker-pool";
import { formatCapacity, writeCapacity } from "./capacity";
import { withBenchEnvironment } from "./environment";
import { COLD } from "./http";
import { type Figure, formatElapsed, formatFigures } from "./measure";
import { AGENTS, BLOCK_MS, type Effort, PARTS } from "./parts";
import { describeRun, readLoad, writeResults } from "./results-file";
import { formatScale, measureScale, SCALE_HEADER } from "./scale/measure-scale";

const USAGE = `Usage: npm run bench -- [--quick | --smallest] [--only ${Object.keys(PARTS).join(",")}]
       npm run bench -- --scale [--agents 10000,100000,1000000] [--processes 1] [--smallest]
--quick and --smallest shorten a run and --only selects parts; neither writes results.`;
const RESULTS = join(import.meta.dirname, "results/latest.jsonl");
const SCALE_RESULTS = (processes: string) =>
  join(
    import.meta.dirname,
    `results/scale${processes === "1" ? "" : `-${processes}-processes`}.jsonl`,
  );

const HEADER = `Each figure is printed next to a yardstick from the same run; the ratio of the two is what counts.
Servers run in separate processes on one Postgres that syncs to disk; autocannon sends requests over
16 connections. Figure and yardstick are measured alternately; medians of the rounds are shown.

read.warm, read.cold       GET /reputation/{wallet} per second: 200 wallets that the cache holds, and
                           ${COLD.toLocaleString("en")} wallets in turn, more than it can hold. Yardstick: node:http and
                           postgres.js, one indexed query per request.
read.bulk100               POST /reputation/bulk per second, each of 100 wallets that the cache does
                           not hold. Yardstick: the same, one query for 100.
submit                     POST /outcome per second, by ${AGENTS.toLocaleString("en")} agents with their usual rate limits,
                           while the judge does not respond. Yardstick: node:http and one SQL
                           transaction that writes the same rows.
agreement.propose, .accept, .check, .deliver
                           requests per second, of terms with three requirements. Yardstick: node:http and one
                           SQL transaction that writes the same rows, or reads them, without checking signatures
                           and deciding requirements.
pipeline.overhead_ms_p99   from sending a submission to reading it RESOLVED, minus the judge's time, one
                           at a time, with a block every ${BLOCK_MS} ms and one confirmation. Yardstick: that time
                           between blocks.
pipeline.per_second        outcomes submitted, judged by the built-in judge, recorded and settled.
                           Yardstick: a bare program that stores, records and settles them with the same
                           rows on the same chain and database.
pipeline.agreed            the same under agreements. Yardstick: without.
pipeline.of_recording      the same as per_second. Yardstick: verdicts per second that a bare program records on the same
                           chain, one transaction each, without waiting between them.
pipeline.commits           commits in PostgreSQL for each of these outcomes. Yardstick: one.
pipeline.cpu_*             CPU milliseconds of each in the service with its threads, in all processes of
                           PostgreSQL, and in the chain's node. Yardstick: the sum of the three.
verdict.ms_p50             from sending a submission to reading it RESOLVED, with a block every two seconds.
                           Yardstick: the time in which each model answers.
engine.first_step_ms_p50   from publishing an event to its function's first step. Yardstick: a bare
                           program that inserts a row, is notified and deletes it.
fairness.*_ms_p95          from submission to RESOLVED of an ordinary text and of a program, while one address
                           floods the service with long texts and programs. Yardstick: without the flood.
settle.history_ratio       settling one recorded outcome of an agent with 50,000 earlier ones, and with
                           10,000. Yardstick: an agent with 100.
settle.blocked_ms          the longest time that this blocks the event loop, with 50,000 earlier ones.
                           Yardstick: with 100.
refresh.agents_per_second  scores that the daily refresh brings up to the next day. Yardstick: the same
                           rows, written in the same batches without computing.
requirements.ten_ms_p99    from a deliverable of 10,000 words to the results of ten agreed requirements, in the
                           worker thread. Yardstick: all checks of the built-in judge on the same text.
requirements.trial_ms_p99, .busy_ms_p99
                           from sending such a trial to its results, while the service is idle, and while it
                           resolves outcomes without a pause. Yardstick: the goal of 50 ms.
identities.indexed         ERC-8004 registrations per second read from a node over HTTP and stored in the index, of
                           300,000. Yardstick: decoding the same logs.
sandbox.beside_endless_ms_p50  a Python program in the sandbox, beside ten endless ones of another wallet.
                           Yardstick: the same program alone.
pages.home, .leaderboard   pages per second, compressed. Yardstick: node:http that sends the same bytes.
pages.*_bytes              size of the HTML. Yardstick: its compressed size.
gas.*                      gas per verdict, alone and in batches of 10 and 50, and of the verification of a
                           signed statement. Yardstick: an EAS attest.
`;

const FULL: Effort = { rounds: 9, seconds: 0.8, warmUp: 3, samples: 100, outcomes: 1_000 };
/** For changes to the benchmarks themselves. */
const QUICK: Effort = { rounds: 5, seconds: 0.5, warmUp: 3, samples: 10, outcomes: 200 };
/** For tests, which only see whether every part still runs. */
const SMALLEST: Effort = { rounds: 1, seconds: 5, warmUp: 0, samples: 2, outcomes: 20 };

async function main(args: string[]): Promise<number> {
  const { values } = parseCommandLine(args, USAGE, {
    options: {
      quick: { type: "boolean" },
      smallest: { type: "boolean" },
      only: { type: "string" },
      scale: { type: "boolean" },
      agents: { type: "string", default: "10000,100000,1000000" },
      processes: { type: "string", default: "1" },
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
      const figures = await measureScale(env, { sizes, processes: Number(values.processes), log });
      console.log(`\n${formatScale(figures)}\n`);
      if (values.smallest) return;
      run.load.push(readLoad());
      await writeResults(SCALE_RESULTS(values.processes), run, figures);
      return;
    }
    const effort = values.smallest ? SMALLEST : values.quick ? QUICK : FULL;
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
    await writeCapacity(formatCapacity(figures, run));
  });
  // Long ledgers are computed in its threads.
  await closeWorkerPool();
  log(`done, load average ${readLoad()}`);
  return 0;
}

await runMain(main);
// After a failure, clients of autocannon would connect to a stopped server for ever.
process.exit();
