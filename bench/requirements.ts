import { createCheckRunner } from "@/server/judging/checks/run-checks";
import { createRequirementDecider } from "@/server/judging/requirements/decide-requirements";
import type { Requirement } from "@/server/judging/requirements/schema";
import { createFigure, type Figure, percentile } from "./measure";

const SENTENCE =
  "The river carries water to the sea, and in March 2026 the delta grows by 12 metres. ";
/** 10,000 words. */
const TEXT = `# Rivers\n\n${`${SENTENCE.repeat(25)}\n\n`.repeat(25)}`;
const TEN: Requirement[] = [
  { check: "word-count", min: 9_000, max: 11_000 },
  { check: "sentence-count", min: 600 },
  { check: "paragraph-count", min: 20 },
  { check: "character-count", max: 100_000 },
  { check: "contains", phrases: ["the delta", "2026", "metres"] },
  { check: "excludes", phrases: ["lake", "ocean"] },
  { check: "matches", pattern: "[0-9]+ metres", min: 600 },
  { check: "language", tag: "en" },
  { check: "sections", titles: ["Rivers"] },
  { check: "list-item-count", max: 0 },
];
const WARM_UP = 20;

/**
 * Measures the 99th percentile of the milliseconds in which ten requirements are decided on 10,000
 * words. Yardstick: all checks of the built-in judge on the same text.
 */
export async function measureRequirements({ samples }: { samples: number }): Promise<Figure[]> {
  const io = {
    fetchCitedPage: async () => ({ kind: "unreachable" as const, reason: "offline" }),
    runCode: async () => ({ kind: "unavailable" as const, reason: "offline" }),
  };
  const decide = createRequirementDecider(io);
  const check = createCheckRunner(io);
  const delivered = { text: TEXT, source: TEXT, file: null, problem: null };
  const input = { task: "Write about rivers.", category: "content" as const, text: TEXT };
  const times = { decided: [] as number[], checked: [] as number[] };
  for (let n = -WARM_UP; n < samples; n += 1) {
    const started = performance.now();
    const results = await decide(delivered, TEN);
    const decided = performance.now();
    await check(input);
    if (!results.every(({ passed }) => passed)) throw new Error("A requirement failed");
    if (n < 0) continue;
    times.decided.push(decided - started);
    times.checked.push(performance.now() - decided);
  }
  const [value, yardstick] = [percentile(times.decided, 99), percentile(times.checked, 99)];
  return [createFigure("requirements.ten_ms_p99", "ms", value, yardstick)];
}
