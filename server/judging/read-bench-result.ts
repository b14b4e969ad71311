import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type BenchResult, benchResultSchema } from "./bench-result";

const FILE = join("bench", "results", "judge.json");

/** Reads the last committed bench results. Returns null if they are missing or invalid. */
export async function readBenchResult(folder = process.cwd()): Promise<BenchResult | null> {
  try {
    const text = await readFile(join(/* turbopackIgnore: true */ folder, FILE), "utf8");
    return benchResultSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
