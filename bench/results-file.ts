import { writeFile } from "node:fs/promises";
import { cpus, loadavg, totalmem } from "node:os";

/** The first line of a file of results: when and on what machine they were measured. */
export type Run = ReturnType<typeof describeRun>;

/** Describes the machine and this moment. */
export const describeRun = () => ({
  date: new Date().toISOString(),
  cores: cpus().length,
  cpu: cpus()[0]?.model ?? "unknown",
  memoryGb: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  /** Load averages of one minute, at the start and at the end. */
  load: [readLoad()],
});

export const readLoad = (): number => Number(loadavg()[0]?.toFixed(2));

/** Writes the run and its figures, one line of JSON each. */
export async function writeResults(file: string, run: Run, figures: object[]): Promise<void> {
  const lines = [run, ...figures];
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
