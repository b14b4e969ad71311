import type { JudgeOptions } from "@/server/judging/judge";
import type { CallRecord, Criterion, Met, StoredVote, VoteFinding } from "@/server/judging/schema";
import { treatRefusalsAsUnverified } from "./model-probe";
import { askWithRetry, type Panel } from "./panel";
import { type Nonces, shuffle } from "./prompts/randomness";
import {
  buildVoteQuestion,
  getQuestionId,
  type VoteAnswer,
  type VoteMaterial,
} from "./prompts/vote-prompt";
import type { QuoteCheck } from "./quotes";

/** The material of one vote, and a check of its answers. */
export interface Ballot {
  /** `criteria` is the rubric; each vote shuffles it. */
  material: VoteMaterial;
  role: StoredVote["role"];
  /** A criterion that no deliverable meets, asked among the others. Null to ask none. */
  control: string | null;
  check: (criterion: Criterion, answer: CriterionAnswer) => Pick<VoteFinding, "met" | "standing">;
}

type CriterionAnswer = VoteAnswer["criteria"][number];

interface Round {
  model: string;
  purpose: CallRecord["purpose"];
  /** Marks the lines around the texts; the same for all votes, so that prompt caches hit. */
  mark: string;
  shownLength?: number;
}

/**
 * Casts a vote for each of `ballots` concurrently and returns the votes and all other calls. As
 * soon as one vote fails, throws `JudgeUnavailable` and cancels the others. `shownLength` is the
 * length of the deliverable; if given, missing answers count as unverified in the last attempt.
 */
export async function castVotes(
  panel: Panel,
  ballots: readonly Ballot[],
  { shownLength, ...round }: Round,
  options: JudgeOptions,
): Promise<{ votes: StoredVote[]; calls: CallRecord[] }> {
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, ...(options.signal ? [options.signal] : [])]);
  const acceptsNoAnswer = shownLength !== undefined && options.lastAttempt;
  try {
    const cast = await Promise.all(
      ballots.map((ballot) =>
        castVote(panel, ballot, { ...round, queue: options.queue, signal }, acceptsNoAnswer),
      ),
    );
    const answers = cast.map(({ answered }) => answered);
    const probes = await treatRefusalsAsUnverified(
      panel,
      round.model,
      answers,
      options,
      shownLength,
    );
    const votes = cast.map(({ vote }) => vote);
    return { votes, calls: [...cast.flatMap(({ discarded }) => discarded), ...probes] };
  } catch (error) {
    failed.abort();
    throw error;
  }
}

interface CastVote {
  vote: StoredVote;
  /** Whether the model answered, which a vote that lost its canary did. */
  answered: StoredVote["outcome"];
  discarded: CallRecord[];
}

const CONTROL_ID = "control";

/**
 * Casts one vote, which answers every criterion separately and in random order; asks once more for
 * criteria that the answer omits. Draws the order before its first await, so that concurrent votes
 * draw in a fixed order.
 */
async function castVote(
  panel: Panel,
  ballot: Ballot,
  call: Omit<Round, "shownLength"> & Pick<JudgeOptions, "queue" | "signal">,
  acceptsNoAnswer?: boolean,
): Promise<CastVote> {
  const { defences, randomBytes } = panel;
  const { material, role, control } = ballot;
  const rubric: readonly Criterion[] =
    control === null
      ? material.criteria
      : [...material.criteria, { id: CONTROL_ID, text: control, kind: "should", proof: "quote" }];
  const ordered = defences.has("vote") ? shuffle(rubric, randomBytes) : [...rubric];
  const ask = (criteria: readonly Criterion[]) =>
    askWithRetry(
      panel,
      (drawn) =>
        buildVoteQuestion(
          { ...material, criteria },
          { ...drawn, mark: call.mark },
          { ...call, defences, role },
        ),
      acceptsNoAnswer,
    );
  const first = await ask(ordered);
  const base = {
    call: first.answer.call,
    role,
    order: ordered.map(({ id }) => id).filter((id) => id !== CONTROL_ID),
  };
  const { outcome } = first.answer;
  if (first.answer.outcome !== "answer") {
    const vote: StoredVote = { ...base, ...NO_ANSWER, outcome };
    return { vote, answered: outcome, discarded: first.discarded };
  }
  const { injectionSuspected, canary, summary, modelVerdict } = first.answer.value;
  const canaryKept = isKept(canary, first.nonces);
  const remarks = { injectionSuspected, canaryKept, summary, modelVerdict };
  if (!canaryKept && defences.has("void-lost-canary")) {
    const vote: StoredVote = { ...base, ...NO_ANSWER, ...remarks, outcome: "unusable" };
    return { vote, answered: "answer", discarded: first.discarded };
  }
  const answers = matchAnswers(ordered, first.answer.value, first.nonces);
  const missing = ordered.filter(({ id }) => !answers.has(id));
  const discarded = [...first.discarded];
  if (missing.length > 0) {
    const second = await ask(missing);
    discarded.push(...second.discarded, second.answer.call);
    if (second.answer.outcome === "answer" && isKept(second.answer.value.canary, second.nonces)) {
      const found = matchAnswers(missing, second.answer.value, second.nonces);
      for (const [id, answer] of found) answers.set(id, answer);
    }
    if (ordered.some(({ id }) => !answers.has(id))) {
      const vote: StoredVote = { ...base, ...NO_ANSWER, ...remarks, outcome: "unusable" };
      return { vote, answered: "unusable", discarded };
    }
  }
  const findings = ordered.flatMap((criterion): VoteFinding[] => {
    const answer = answers.get(criterion.id);
    if (!answer || criterion.id === CONTROL_ID) return [];
    return [{ ...answer, id: criterion.id, ...ballot.check(criterion, answer) }];
  });
  const controlMet: Met | null = answers.get(CONTROL_ID)?.met ?? null;
  return {
    vote: { ...base, ...remarks, outcome: "answer", findings, controlMet },
    answered: "answer",
    discarded,
  };
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
 * Treats a "yes" without a proving quotation as unverified, unless the criterion requires none or
 * `requiresQuotes` is false.
 */
export function checkAgainstDeliverable(
  quotes: QuoteCheck,
  requiresQuotes: boolean,
): Ballot["check"] {
  return (criterion, { met, quote }) => {
    const isUnproven =
      requiresQuotes &&
      met === "yes" &&
      criterion.proof !== "absence" &&
      !quotes.proves(quote, criterion);
    return { met: isUnproven ? "cannot_verify" : met, standing: quotes.occurs(quote) };
  };
}

/**
 * Checks a vote of a review. A "yes" must be proven by the deliverable, as in a first judgement; any
 * other answer must quote it too. Documents of the parties inform the votes and prove nothing, since
 * each party can write its own.
 */
export function checkReviewVote(deliverable: QuoteCheck): Ballot["check"] {
  return (criterion, { met, quote }) => {
    if (met !== "yes") return { met, standing: deliverable.occurs(quote) };
    const standing = deliverable.proves(quote, criterion);
    const isUnproven = criterion.proof !== "absence" && !standing;
    return { met: isUnproven ? "cannot_verify" : met, standing };
  };
}
