import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { DAY_SECONDS } from "@/server/lib/time";
import { BULK } from "./http";
import type { Figure } from "./measure";
import type { Run } from "./results-file";

const DOCUMENT = "docs/operations.md";
const [BEGIN, END] = ["<!-- capacity: written by npm run bench -->", "<!-- end of capacity -->"];

/** One line of the table: what, how much, and the arithmetic. */
type Row = [load: string, capacity: string, from: string];

/**
 * Returns the capacity of the measured machine as a Markdown table. A line appears once all figures
 * that it needs are measured.
 */
export function formatCapacity(figures: Figure[], run: Run): string {
  const values = new Map(figures.map(({ name, value }) => [name, value]));
  const rows: Row[] = [];
  const add = (names: string[], build: (...values: number[]) => Row) => {
    const found = names.map((name) => values.get(name) ?? Number.NaN);
    if (!found.some(Number.isNaN)) rows.push(build(...found));
  };
  add(["read.warm"], (warm) => ["Reads from the cache, a process", rate(warm), "`read.warm`"]);
  add(["read.cold"], (cold) => ["Other reads, a process", rate(cold), "`read.cold`"]);
  add(["read.bulk100"], (bulk) => [
    "Wallets in bulk reads, a process",
    rate(bulk * BULK),
    `\`read.bulk100\`: ${format(bulk)} × ${BULK}`,
  ]);
  add(["pages.leaderboard"], (pages) => ["Pages, a process", rate(pages), "`pages.leaderboard`"]);
  add(["submit"], (submit) => ["Submissions accepted, a process", rate(submit), "`submit`"]);
  add(["pipeline.per_second"], (settled) => [
    "Outcomes from submission to settlement, everything on this machine",
    `${rate(settled)}, ${format(settled * DAY_SECONDS)} a day`,
    `\`pipeline.per_second\`: ${format(settled)} × ${format(DAY_SECONDS)}`,
  ]);
  add(["pipeline.cpu_server", "pipeline.cpu_postgres"], (server, postgres) => [
    "Outcomes a core, with the chain's node elsewhere",
    rate(1000 / (server + postgres)),
    `1,000 ms ÷ (${format(server)} ms service + ${format(postgres)} ms PostgreSQL)`,
  ]);
  add(["pipeline.cpu_server"], (server) => [
    "Outcomes until a process is saturated",
    rate(1000 / server),
    `1,000 ms ÷ ${format(server)} ms, on one thread`,
  ]);
  add(["pipeline.cpu_postgres"], (postgres) => [
    "Outcomes until a core of PostgreSQL is saturated",
    rate(1000 / postgres),
    `1,000 ms ÷ ${format(postgres)} ms`,
  ]);
  add(["refresh.agents_per_second"], (refreshed) => [
    "Scores that the daily refresh finishes in ten minutes",
    format(refreshed * 600),
    `\`refresh.agents_per_second\`: ${format(refreshed)} × 600 s`,
  ]);
  add(["gas.batch50"], (gas) => [
    "Verdicts for every 10 million gas of a block",
    format(Math.floor(1e7 / gas)),
    `10,000,000 ÷ ${format(gas)} (\`gas.batch50\`)`,
  ]);
  const table = [["Load", "Capacity", "From"], ["---", "---", "---"], ...rows];
  const lines = table.map((cells) => `| ${cells.join(" | ")} |`);
  return [...lines, "", formatRun(run)].join("\n");
}

const formatRun = ({ date, cores, cpu, memoryGb, load }: Run) =>
  `Measured on ${date.slice(0, 10)} on ${cores} cores (${cpu}, ${memoryGb} GB), load ${load.join(" to ")}.`;

const rate = (perSecond: number) => `${format(perSecond)} a second`;

/** Formats values of a hundred and more as whole numbers, smaller ones with decimals. */
const format = (value: number) =>
  value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });

/** Returns the document up to the table, the table, and the rest. */
export function splitDocument(): [before: string, table: string, after: string] {
  const text = readFileSync(DOCUMENT, "utf8");
  const [begin, end] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)];
  return [text.slice(0, begin), text.slice(begin, end), text.slice(end)];
}

/** Replaces the table in the document. */
export async function writeCapacity(table: string): Promise<void> {
  const [before, , after] = splitDocument();
  await writeFile(DOCUMENT, `${before}\n${table}\n${after}`);
}
