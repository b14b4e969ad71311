import type { CallRecord, Criterion, KeptVote } from "@/server/judging/schema";
import { askTwice, type Panel } from "./ask-twice";
import type { QuoteCheck } from "./quotes";
import { drawFresh, shuffled } from "./randomness";
import { askedId, type VoteAnswer, voteQuestion } from "./vote-prompt";

/** Input shared by all votes on one deliverable. */
export interface Case {
  task: string;
  /** The deliverable as shown to the votes. */
  shown: string;
  rubric: readonly Criterion[];
  quotes: QuoteCheck;
}

export interface Cast {
  vote: KeptVote;
  /** A first answer that was unusable. */
  spent: CallRecord[];
}

/**
 * Casts one vote: every criterion answered separately, in an order drawn for this vote, with each
 * quotation checked. Draws all randomness before its first await, so concurrent votes draw in a
 * fixed order.
 */
export async function castVote(
  panel: Panel,
  { task, shown, rubric, quotes }: Case,
  {
    silenceCounts,
    ...asked
  }: {
    model: string;
    purpose: "vote" | "escalated-vote";
    signal?: AbortSignal | undefined;
    /** As in `askTwice`. */
    silenceCounts?: boolean | undefined;
  },
): Promise<Cast> {
  const { defences, randomBytes } = panel;
  const criteria = defences.has("vote") ? shuffled(rubric, randomBytes) : [...rubric];
  const tries = [drawFresh(randomBytes), drawFresh(randomBytes)] as const;
  const { answered, at, spent } = await askTwice(
    panel,
    tries,
    (fresh) => voteQuestion({ task, deliverable: shown, criteria }, fresh, { ...asked, defences }),
    { silenceCounts },
  );
  const base = { call: answered.call, order: criteria.map(({ id }) => id) };
  if (answered.outcome !== "answer") {
    return { vote: { ...base, ...NOTHING, outcome: answered.outcome }, spent };
  }
  const { value } = answered;
  const isChecked = defences.has("check-quotes");
  return {
    vote: {
      ...base,
      outcome: "answer",
      findings: criteria.map((criterion, index) =>
        findingOn(criterion, answerTo(value, askedId(index, at)), quotes, isChecked),
      ),
      injectionSuspected: value.injectionSuspected,
      canaryKept: value.canary.trim().toLowerCase() === at.canary,
      summary: value.summary,
      modelVerdict: value.modelVerdict,
    },
    spent,
  };
}

/** The content of a vote without an answer. */
export const NOTHING: Omit<KeptVote, "call" | "order" | "outcome"> = {
  findings: [],
  injectionSuspected: false,
  canaryKept: false,
  summary: "",
  modelVerdict: "",
};

type Answer = VoteAnswer["criteria"][number];

function answerTo({ criteria }: VoteAnswer, id: string): Answer {
  const answer = criteria.find((each) => each.id === id);
  if (!answer) throw new Error("the schema lets no answer through that lacks a criterion");
  return answer;
}

/** Treats a "yes" without a proving quotation as unverified, unless the criterion allows none. */
function findingOn(
  criterion: Criterion,
  { quote, finding, met }: Answer,
  quotes: QuoteCheck,
  isChecked: boolean,
): KeptVote["findings"][number] {
  const isUnproven =
    isChecked && met === "yes" && criterion.proof === "quote" && !quotes.proves(quote, criterion);
  return {
    id: criterion.id,
    met: isUnproven ? "cannot_verify" : met,
    quote,
    finding,
    standing: quotes.stands(quote),
  };
}
