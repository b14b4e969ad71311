import type { Criterion, KeptVote, Met } from "@/server/judging/schema";
import type { Verdict } from "@/server/lib/schema";

/** How many votes said what of one criterion. */
export type Counts = Record<Met, number>;

/** The part of a vote that counts. Without findings (no usable answer) it verifies nothing. */
export interface CountedVote {
  findings: readonly Pick<KeptVote["findings"][number], "id" | "met">[];
}

/** What `vote` says of the criterion `id`. */
export function metBy(vote: CountedVote, id: string): Met {
  return vote.findings.find((finding) => finding.id === id)?.met ?? "cannot_verify";
}

export function countVotes(votes: readonly CountedVote[], id: string): Counts {
  const counts: Counts = { yes: 0, no: 0, partial: 0, cannot_verify: 0 };
  for (const vote of votes) counts[metBy(vote, id)] += 1;
  return counts;
}

/**
 * What the votes together say: "yes" by more than half of all of them; else what most of the others
 * said, and where those are level, that it could not be verified.
 */
export function decide(counts: Counts): Met {
  const all = counts.yes + counts.no + counts.partial + counts.cannot_verify;
  if (counts.yes * 2 > all) return "yes";
  const others = (["no", "partial", "cannot_verify"] as const).filter((met) => counts[met] > 0);
  const most = Math.max(0, ...others.map((met) => counts[met]));
  const leading = others.filter((met) => counts[met] === most);
  return leading.length === 1 ? (leading[0] as Met) : "cannot_verify";
}

/** `SUCCESS` where every must is met by the majority of all votes; anything else is `FAILURE`. */
export function drawVerdict(
  rubric: readonly Pick<Criterion, "id" | "kind">[],
  votes: readonly CountedVote[],
): Verdict {
  const musts = rubric.filter(({ kind }) => kind === "must");
  const met = ({ id }: { id: string }) => decide(countVotes(votes, id)) === "yes";
  return musts.length > 0 && musts.every(met) ? "SUCCESS" : "FAILURE";
}

/**
 * What most votes call it themselves; level counts as `FAILURE`. Only with the defence
 * "compute-verdict" taken out.
 */
export function verdictOfModels(votes: readonly Pick<KeptVote, "modelVerdict">[]): Verdict {
  const passing = votes.filter(({ modelVerdict }) => modelVerdict === "SUCCESS").length;
  return passing * 2 > votes.length ? "SUCCESS" : "FAILURE";
}

/** How well votes back a verdict; both from 0 to 1. */
export interface Backing {
  /** Of the votes that, each alone, come to this verdict. */
  share: number;
  /**
   * How clear the musts are: of a `SUCCESS` the weakest must, of a `FAILURE` the one failed most
   * clearly. What could not be verified speaks for neither.
   */
  margin: number;
}

const WEIGHT: Record<Met, number> = { yes: 1, partial: -0.5, no: -1, cannot_verify: 0 };

export function backingOf(
  rubric: readonly Pick<Criterion, "id" | "kind">[],
  votes: readonly CountedVote[],
  verdict: Verdict,
): Backing {
  const agreeing = votes.filter((vote) => drawVerdict(rubric, [vote]) === verdict);
  const musts = rubric
    .filter(({ kind }) => kind === "must")
    .map(({ id }) => meanOf(votes.map((vote) => WEIGHT[metBy(vote, id)])));
  const clear = verdict === "SUCCESS" ? Math.min(...musts) : -Math.min(...musts);
  return {
    share: votes.length === 0 ? 0 : agreeing.length / votes.length,
    margin: musts.length === 0 ? 0 : Math.min(1, Math.max(0, clear)),
  };
}

/**
 * Whether votes without an answer decide: without them there is no verdict, or another one. Such a
 * verdict tells of the model, not of the work.
 */
export function decidedByNoAnswer(
  rubric: readonly Pick<Criterion, "id" | "kind">[],
  votes: readonly (CountedVote & Pick<KeptVote, "outcome">)[],
): boolean {
  const answered = votes.filter(({ outcome }) => outcome === "answer");
  if (answered.length === votes.length) return false;
  return answered.length === 0 || drawVerdict(rubric, answered) !== drawVerdict(rubric, votes);
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
