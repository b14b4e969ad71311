import type { Criterion, Met, StoredVote, VoteFinding } from "@/server/judging/schema";
import type { ModelCalls } from "./model-calls";
import type { Panel } from "./panel";
import { type Nonces, shuffle } from "./prompts/randomness";
import {
  buildVoteQuestion,
  getQuestionId,
  type VoteAnswer,
  type VoteMaterial,
} from "./prompts/vote-prompt";
import type { QuoteCheck } from "./quotes";

/** The material of one vote, and a check of its quotations. */
export interface Ballot {
  model: string;
  /** `criteria` is the rubric; each vote shuffles it. */
  material: VoteMaterial;
  role: StoredVote["role"];
  /** A criterion that no deliverable meets, asked among the others. Null to ask none. */
  control: string | null;
  quotes: QuoteCheck;
}

type CriterionAnswer = VoteAnswer["criteria"][number];

interface Round {
  purpose: "vote" | "escalated-vote" | "review";
  /** Marks the lines around the texts; the same for all votes, so that prompt caches hit. */
  mark: string;
  /** Length of the deliverable. */
  shownLength?: number;
  signal?: AbortSignal | undefined;
}

/**
 * Casts a vote for each of `ballots` concurrently. As soon as one vote fails, throws what
 * `ModelCalls.ask` throws and cancels the others.
 */
export async function castVotes(
  panel: Pick<Panel, "randomBytes">,
  calls: ModelCalls,
  ballots: readonly Ballot[],
  round: Round,
): Promise<StoredVote[]> {
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, ...(round.signal ? [round.signal] : [])]);
  try {
    return await Promise.all(
      ballots.map((ballot) => castVote(panel, calls, ballot, { ...round, signal })),
    );
  } catch (error) {
    failed.abort();
    throw error;
  }
}

const CONTROL_ID = "control";

/**
 * Casts one vote, which answers every criterion separately and in random order; asks once more for
 * criteria that the answer omits. Draws the order before its first await, so that concurrent votes
 * draw in a fixed order.
 */
async function castVote(
  { randomBytes }: Pick<Panel, "randomBytes">,
  calls: ModelCalls,
  { model, material, role, control, quotes }: Ballot,
  { purpose, mark, shownLength: length, signal }: Round,
): Promise<StoredVote> {
  const rubric: readonly Criterion[] =
    control === null
      ? material.criteria
      : [...material.criteria, { id: CONTROL_ID, text: control, kind: "should", proof: "quote" }];
  const ordered = shuffle(rubric, randomBytes);
  const ask = (criteria: readonly Criterion[], isOnce = false) =>
    calls.ask(
      model,
      purpose,
      (drawn, options) =>
        buildVoteQuestion(
          { ...material, criteria },
          { ...drawn, mark },
          { ...options, purpose, role },
        ),
      { signal, length, isOnce },
    );
  const first = await ask(ordered);
  const base = {
    call: first.answer.call,
    role,
    order: ordered.map(({ id }) => id).filter((id) => id !== CONTROL_ID),
  };
  if (first.answer.outcome !== "answer") {
    return { ...base, ...NO_ANSWER, outcome: first.answer.outcome };
  }
  const { injectionSuspected, canary, summary, modelVerdict } = first.answer.value;
  const canaryKept = isKept(canary, first.nonces);
  const remarks = { injectionSuspected, canaryKept, summary, modelVerdict };
  if (!canaryKept) {
    return { ...base, ...NO_ANSWER, ...remarks, outcome: "unusable" };
  }
  const answers = matchAnswers(ordered, first.answer.value, first.nonces);
  const missing = ordered.filter(({ id }) => !answers.has(id));
  if (missing.length > 0 && calls.hasRoom(purpose)) {
    const { answer, nonces } = await ask(missing, true);
    calls.record(answer.call);
    if (answer.outcome === "answer" && isKept(answer.value.canary, nonces)) {
      for (const [id, found] of matchAnswers(missing, answer.value, nonces)) answers.set(id, found);
    }
  }
  if (ordered.some(({ id }) => !answers.has(id))) {
    return { ...base, ...NO_ANSWER, ...remarks, outcome: "unusable" };
  }
  const findings = ordered.flatMap((criterion): VoteFinding[] => {
    const answer = answers.get(criterion.id);
    if (!answer || criterion.id === CONTROL_ID) return [];
    return [{ ...answer, id: criterion.id, ...checkQuote(quotes, criterion, answer) }];
  });
  const controlMet: Met | null = answers.get(CONTROL_ID)?.met ?? null;
  return { ...base, ...remarks, outcome: "answer", findings, controlMet };
}

/** The content of a vote that does not count. */
const NO_ANSWER: Omit<StoredVote, "call" | "role" | "order" | "outcome"> = {
  findings: [],
  injectionSuspected: false,
  canaryKept: null,
  controlMet: null,
  summary: "",
  modelVerdict: "",
};

const isKept = (canary: string, nonces: Nonces) => canary.trim().toLowerCase() === nonces.canary;

/** Returns the answers by the id of their criterion. */
function matchAnswers(
  criteria: readonly Criterion[],
  { criteria: answers }: VoteAnswer,
  nonces: Nonces,
): Map<string, CriterionAnswer> {
  const byQuestionId = new Map(answers.map((answer) => [answer.id, answer]));
  return new Map(
    criteria.flatMap(({ id }, index) => {
      const answer = byQuestionId.get(getQuestionId(index, nonces));
      return answer ? [[id, answer] as const] : [];
    }),
  );
}

/**
 * Treats a "yes" without a proving quotation as unverified, unless the criterion requires none. Only the
 * deliverable proves anything: in a review, each party can write its own documents.
 */
function checkQuote(
  deliverable: QuoteCheck,
  criterion: Criterion,
  { met, quote }: CriterionAnswer,
): Pick<VoteFinding, "met" | "standing"> {
  if (met !== "yes") return { met, standing: deliverable.occurs(quote) };
  const standing = deliverable.proves(quote, criterion);
  const isUnproven = criterion.proof !== "absence" && !standing;
  return { met: isUnproven ? "cannot_verify" : met, standing };
}
