import type { Core } from "@/server/lib/context";
import { findOutage } from "./availability";
import type { Judge } from "./judge";

/** Description of a judge for `/api/health`, the start message and every page that names it. */
interface JudgeHealth {
  kind: Judge["kind"];
  id: string;
  note: string;
}

const NOTES: Record<Judge["kind"], string> = {
  heuristic:
    "No language model is configured. Rules look for obvious defects; correctness is not assessed.",
  llm: "A language model answers one criterion at a time; code computes the verdict.",
};

/** Describes the judge in service, without calling it. */
export function judgeHealth(judge: Judge): JudgeHealth {
  return { kind: judge.kind, id: judge.id, note: NOTES[judge.kind] };
}

/**
 * Returns whether the judge responds, as last recorded, without calling it. `waiting` is only
 * counted while it fails.
 */
export async function judgeState(
  core: Pick<Core, "db">,
  judge: Judge,
  countWaiting: () => Promise<number>,
) {
  const outage = await findOutage(core, judge.id);
  if (!outage) return { status: "ok" as const, ...judgeHealth(judge) };
  return {
    status: "unavailable" as const,
    ...judgeHealth(judge),
    since: outage.since.toISOString(),
    reason: outage.reason,
    waiting: await countWaiting(),
  };
}
