import { isBlank } from "./canonicalise";
import { hashJson } from "./evidence";
import type { AgreedCase, Finding, Judgement, JudgeOptions } from "./judge";
import { type AgreedTerms, createCodeWorld } from "./requirements/agreed-terms";
import type { Delivered } from "./requirements/requirement-decider";
import type { RequirementResult } from "./requirements/schema";

/** Stored with judgements; a change of what a requirement means needs another. */
export const REQUIREMENTS_ID = "requirements/v1";
const NON_DELIVERY_ID = "non-delivery/v1";

/** What code decides, it decides for certain. */
const CERTAIN_PPM = 1_000_000;

/** What code decided about an outcome under an agreement. */
interface AgreedDecision {
  /** In the order of the terms. Empty if nothing that can be read was delivered. */
  requirements: RequirementResult[];
  /** Null if every requirement holds, and criteria are left for the examinations. */
  judgement: Judgement | null;
}

/**
 * Decides an outcome under an agreement, as far as code can. Nothing delivered, nothing that can be
 * read, or a requirement that doesn't hold: FAILURE. All hold and there are no criteria: SUCCESS.
 * Throws only if the service itself fails.
 */
export async function decideAgreed(
  { agreed, delivered }: AgreedCase,
  { decideRequirements, signal, queueKey, pages }: JudgeOptions,
): Promise<AgreedDecision> {
  if (delivered === null) return failDelivery(describeNonDelivery(agreed), NON_DELIVERY_ID);
  const problem = findProblem(delivered, agreed.criteria);
  if (problem !== null) return failDelivery(problem, REQUIREMENTS_ID);
  if (!decideRequirements) throw new Error("no decider of requirements was given");
  const { termsHash, consent } = agreed;
  const world = createCodeWorld({ termsHash, deliverBy: consent.deliverBy }, delivered);
  const options = { signal, queueKey, pages, world };
  const decided =
    agreed.passedCheck?.results ??
    (await decideRequirements(delivered, agreed.requirements, options));
  const hasFailed = decided.some(({ passed }) => !passed);
  const isDecided = hasFailed || agreed.criteria.length === 0;
  return {
    requirements: decided,
    judgement: isDecided ? judgeByRequirements(decided, hasFailed) : null,
  };
}

/** Returns why a delivery fails whatever is required; null if requirements decide. */
export function findProblem({ text, file, problem }: Delivered, criteria: string[]): string | null {
  if (text !== null) return isBlank(text) ? "The deliverable is empty." : problem;
  // A file that is no text can still be the agreed one.
  return file !== null && criteria.length === 0 ? null : problem;
}

/** Returns a deadline as texts show it: `2026-12-01 12:00 UTC`. */
function formatDeadline(unixSeconds: number): string {
  const [date = "", time = ""] = new Date(unixSeconds * 1000).toISOString().split("T");
  return `${date} ${time.slice(0, unixSeconds % 60 === 0 ? 5 : 8)} UTC`;
}

export const describeNonDelivery = ({ consent }: AgreedTerms): string =>
  `Nothing was delivered by ${formatDeadline(consent.deliverBy)}.`;

/** Decides about a delivery that is missing or can't be read. */
function failDelivery(text: string, version: string): AgreedDecision {
  const finding: Finding = { id: "delivery", text, met: "no", shown: { text, note: null } };
  const detail = { version, findings: [finding], hashes: {} };
  return {
    requirements: [],
    judgement: {
      judge: { kind: "gate", id: version },
      verdict: "FAILURE",
      confidencePpm: CERTAIN_PPM,
      reasoning: text,
      detail,
    },
  };
}

const judgeByRequirements = (decided: RequirementResult[], hasFailed: boolean): Judgement =>
  addRequirements(
    {
      judge: { kind: "heuristic", id: REQUIREMENTS_ID },
      verdict: hasFailed ? "FAILURE" : "SUCCESS",
      confidencePpm: CERTAIN_PPM,
      reasoning: "",
      detail: { version: REQUIREMENTS_ID, findings: [], hashes: {} },
    },
    decided,
  );

/** Returns the judgement on the criteria, together with what code decided before. */
export function addRequirements(judgement: Judgement, decided: RequirementResult[]): Judgement {
  const { detail, reasoning } = judgement;
  return {
    ...judgement,
    reasoning: [describeRequirements(decided), ...(reasoning ? [reasoning] : [])].join("\n"),
    detail: {
      ...detail,
      findings: [...decided.map(toFinding), ...detail.findings],
      requirements: decided,
      hashes: { ...detail.hashes, checks: hashJson(decided) },
    },
  };
}

/** Returns how many requirements hold, and which do not, without words of the parties. */
export function describeRequirements(decided: readonly RequirementResult[]): string {
  const failed = decided.filter(({ passed }) => !passed);
  const total = decided.length;
  if (failed.length === 0) {
    return total === 1 ? "The requirement holds." : `All ${total} requirements hold.`;
  }
  const held = total - failed.length;
  const named = failed.map(({ description, observed }) => `${description} (${observed})`);
  return `${held} of ${total} ${total === 1 ? "requirement holds" : "requirements hold"}. Failed: ${named.join("; ")}.`;
}

function toFinding(result: RequirementResult, index: number): Finding {
  const { description: text, observed, detail, passed } = result;
  return {
    id: `r${index + 1}`,
    text,
    note: detail ?? observed,
    met: passed ? "yes" : "no",
    shown: { text, note: observed },
  };
}
