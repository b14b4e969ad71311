/** Formats the seconds since `since`, a reading of `performance.now()`, as a line prefix. */
export const formatElapsed = (since: number): string =>
  `${((performance.now() - since) / 1000).toFixed(0).padStart(4)} s`;

/**
 * Runs each measurement once per round and returns the medians. A slow phase of the machine then
 * affects a figure and its yardstick alike, and one bad round affects neither. Every other round
 * runs in reverse, so that no measurement always comes second.
 */
export async function measureRounds<K extends string>(
  rounds: number,
  measurements: Record<K, () => Promise<number>>,
): Promise<Record<K, number>> {
  const order = Object.entries(measurements) as [K, () => Promise<number>][];
  const names = order.map(([name]) => name);
  const results = mapKeys(names, (): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of round % 2 ? order.toReversed() : order) {
      results[name].push(await measure());
    }
  }
  return mapKeys(names, (name) => percentile(results[name], 50));
}

/** Returns a record with `value` of each key. */
export function mapKeys<K extends string, V>(
  keys: readonly K[],
  value: (key: K) => V,
): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, V>;
}

/** Returns the smallest value that at least `percent` percent of `values` do not exceed. */
export function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const found = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
  if (found === undefined) throw new Error("Nothing was measured");
  return found;
}

/** One line of `results/latest.jsonl`. `ratio` is `value / yardstick`, both of the same run. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  yardstick: number;
  ratio: number;
}

/** Goals for the ratio of a figure to its yardstick. */
const TARGETS: Record<string, [sign: ">=" | "<=", limit: number]> = {
  "read.warm": [">=", 1.2],
  "read.cold": [">=", 0.8],
  "read.bulk100": [">=", 0.9],
  submit: [">=", 0.3],
  "pipeline.overhead_ms_p99": ["<=", 1.4],
  "pipeline.per_second": [">=", 0.5],
  "pipeline.agreed": [">=", 0.9],
  "pipeline.commits": ["<=", 8],
  "verdict.ms_p50": ["<=", 1.3],
  "fairness.text_ms_p95": ["<=", 3],
  "fairness.python_ms_p95": ["<=", 3],
  "settle.history_ratio": ["<=", 1.5],
  "refresh.agents_per_second": [">=", 1],
  "requirements.busy_ms_p99": ["<=", 1],
  "pages.home": [">=", 0.15],
  "pages.leaderboard": [">=", 0.15],
};

const PRECISE_UNITS = ["ms", "outcomes/s", "commits"];

/** Returns a figure from a value and its yardstick, each rounded to the measurement's precision. */
export function createFigure(name: string, unit: string, value: number, yardstick: number): Figure {
  const digits = PRECISE_UNITS.includes(unit) ? 1 : 0;
  const [shown, base] = [round(value, digits), round(yardstick, digits)];
  return { name, value: shown, unit, yardstick: base, ratio: round(shown / base, 3) };
}

const round = (value: number, digits: number) => Number(value.toFixed(digits));

/** Formats the figures as a table, with their targets. */
export function formatFigures(figures: Figure[]): string {
  const rows = figures.map(({ name, value, unit, yardstick, ratio }) => [
    name,
    String(value),
    unit,
    String(yardstick),
    ratio.toFixed(3),
    compareToTarget(name, ratio),
  ]);
  return formatTable(
    [["name", "value", "unit", "yardstick", "ratio", "target"], ...rows],
    [1, 3, 4],
  );
}

function compareToTarget(name: string, ratio: number): string {
  const [sign, limit] = TARGETS[name] ?? [];
  if (limit === undefined) return "";
  const isMet = sign === ">=" ? ratio >= limit : ratio <= limit;
  return `${sign} ${limit} ${isMet ? "met" : "MISSED"}`;
}

/** Formats rows of cells in columns; those at the indexes in `numeric` are right-aligned. */
export function formatTable(rows: string[][], numeric: readonly number[] = []): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const align = (cell: string, column: number) =>
    numeric.includes(column)
      ? cell.padStart(widths[column] ?? 0)
      : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(align).join("  ").trimEnd()).join("\n");
}

/** Formats a share from 0 to 1 as a percentage. */
export const formatPercent = (share: number, digits = 1): string =>
  `${(share * 100).toFixed(digits)}%`;
