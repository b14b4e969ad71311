import type { Criterion, KeptVote, Met } from "@/server/judging/schema";
import type { Verdict } from "@/server/lib/schema";
import { countVotes, decide, drawVerdict } from "./tally";

/** The part of a pass that counts. */
export interface WeighedPass {
  votes: readonly {
    findings: readonly Pick<KeptVote["findings"][number], "id" | "met" | "standing">[];
  }[];
}

export interface Weighed {
  finalVerdict: Verdict;
  /** Ids of the musts on which every pass contradicts the recorded finding. */
  flipped: string[];
}

const UNMET: readonly Met[] = ["no", "partial"];

/**
 * Decides whether a recorded verdict is overturned: only if all passes come to the opposite one,
 * and all contradict the recorded finding on at least one common must, with a verified quotation.
 * Unverified findings overturn nothing.
 */
export function weighReview(
  rubric: readonly Pick<Criterion, "id" | "kind">[],
  recorded: { verdict: Verdict; metOf: (id: string) => Met },
  passes: readonly WeighedPass[],
): Weighed {
  const opposite = recorded.verdict === "SUCCESS" ? "FAILURE" : "SUCCESS";
  const turnedTo: readonly Met[] = opposite === "SUCCESS" ? ["yes"] : UNMET;
  const turns = ({ votes }: WeighedPass, id: string) =>
    turnedTo.includes(decide(countVotes(votes, id))) &&
    votes.some(({ findings }) =>
      findings.some((found) => found.id === id && turnedTo.includes(found.met) && found.standing),
    );
  const flipped = rubric
    .filter(({ kind }) => kind === "must")
    .filter(({ id }) => (recorded.metOf(id) === "yes") === (opposite === "FAILURE"))
    .filter(({ id }) => passes.length > 0 && passes.every((pass) => turns(pass, id)))
    .map(({ id }) => id);
  const agree = passes.every(({ votes }) => drawVerdict(rubric, votes) === opposite);
  return { finalVerdict: agree && flipped.length > 0 ? opposite : recorded.verdict, flipped };
}
