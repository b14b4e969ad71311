import type { CheckIo } from "@/server/judging/checks/check";
import type { QueueKey } from "@/server/lib/process/fair-queue";
import { inWorker, QUICK_CHARACTERS } from "@/server/lib/process/worker-pool";
import { type CodeRequirement, decideCode } from "./decisions/decide-code";
import {
  createNamedPagesFetch,
  decideSources,
  type SourceRequirement,
} from "./decisions/decide-sources";
import type { decideTexts, TextRequirement } from "./decisions/decide-texts";
import { type Decision, describeUnreadable, OVER_LIMITS } from "./decisions/reading";
import { describeRequirement } from "./describe";
import type { Decide, Delivered, RequirementDecider } from "./requirement-decider";
import type { Requirement } from "./schema";

/**
 * Creates the function that decides requirements. Tests pass other limits than the usual ones: CPU time
 * in milliseconds for all requirements of a text together, and for each alone.
 */
export function createRequirementDecider(
  io: CheckIo,
  { togetherMs, aloneMs = 1_000 }: { togetherMs?: number; aloneMs?: number } = {},
): RequirementDecider {
  const deciders: TextDeciders = {
    quick: decideIn("quick", togetherMs),
    long: decideIn("heavy", togetherMs),
    alone: decideIn("heavy", aloneMs),
  };
  const decide: Decide = async (delivered, requirements, options = {}) => {
    const { text } = delivered;
    const texts = requirements.filter(isTextRequirement);
    const sources = text === null ? [] : requirements.filter(isSourceRequirement);
    const code = text === null ? [] : requirements.filter(isCodeRequirement);
    const decisions = [
      ...(await decideTextsInWorker(delivered, texts, deciders, options.queueKey)),
      ...(await decideSources(text ?? "", sources, io, options)),
      ...(await decideCode(text ?? "", code, io, options)),
    ];
    const decided = new Map<Requirement, Decision | undefined>(
      [...texts, ...sources, ...code].map((requirement, index) => [requirement, decisions[index]]),
    );
    return requirements.map((requirement) => {
      const decision = decided.get(requirement) ?? describeUnreadable(delivered);
      const { passed, observed, detail = null } = decision;
      const description = describeRequirement(requirement);
      return { check: requirement.check, description, passed, observed, detail };
    });
  };
  return Object.assign(decide, { fetchNamedPages: createNamedPagesFetch(io) });
}

const isSourceRequirement = (requirement: Requirement): requirement is SourceRequirement =>
  requirement.check === "links-respond" || requirement.check === "quotes-found";

const isCodeRequirement = (requirement: Requirement): requirement is CodeRequirement =>
  ["parses", "examples", "tests"].includes(requirement.check);

const isTextRequirement = (requirement: Requirement): requirement is TextRequirement =>
  !isSourceRequirement(requirement) && !isCodeRequirement(requirement);

type Arguments = Parameters<typeof decideTexts>;
/** The first call in a thread loads language profiles and compiles patterns. */
const WARM_UP: Arguments = [
  { text: "A river.", source: "A river.", file: null, problem: null },
  [
    { check: "language", tag: "en" },
    { check: "matches", pattern: "river" },
    { check: "sentence-count", min: 1 },
  ],
];
const decideIn = (pool: "quick" | "heavy", timeMs?: number) =>
  inWorker<Arguments, Decision[]>(
    "server/judging/requirements/decisions/decide-texts.ts",
    "decideTexts",
    { pool, warmUp: WARM_UP, ...(timeMs && { timeMs }) },
  );
type TextDeciders = Record<"quick" | "long" | "alone", ReturnType<typeof decideIn>>;
/** After so many that exceed the limits, the others count as such too: one alone decides the verdict. */
const MAX_SLOW = 3;

/** Decides all requirements together; if that takes too long, one by one. */
async function decideTextsInWorker(
  delivered: Delivered,
  requirements: readonly TextRequirement[],
  deciders: TextDeciders,
  queueKey: QueueKey | undefined,
): Promise<Decision[]> {
  if (requirements.length === 0) return [];
  if ((delivered.text?.length ?? 0) <= QUICK_CHARACTERS) {
    const quick = await deciders.quick.for(queueKey)(delivered, requirements);
    if (quick.ok) return quick.value;
  }
  const long = await deciders.long.for(queueKey)(delivered, requirements);
  if (long.ok) return long.value;
  const decisions: Decision[] = [];
  let slow = 0;
  for (const requirement of requirements) {
    const one =
      slow < MAX_SLOW ? await deciders.alone.for(queueKey)(delivered, [requirement]) : null;
    if (!one?.ok) slow += 1;
    decisions.push((one?.ok ? one.value[0] : null) ?? OVER_LIMITS);
  }
  return decisions;
}
