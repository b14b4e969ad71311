import type { Finding } from "@/server/judging/judge";
import type {
  Criterion,
  Escalation,
  Flag,
  Met,
  StoredVote,
  VoteFinding,
} from "@/server/judging/schema";
import type { Verdict } from "@/server/lib/schema";
import type { CodeFindings } from "./rubric/code-findings";

export type Counts = Record<Met, number>;
type RubricLine = Pick<Criterion, "id" | "kind">;

/** The part of a vote that counts. A criterion without a finding is unverified. */
export interface CountedVote {
  findings: readonly Pick<VoteFinding, "id" | "met">[];
}

/** A vote with the findings of code, which are the same in every vote. */
export interface CompletedVote extends Pick<StoredVote, "outcome"> {
  findings: Pick<VoteFinding, "id" | "met" | "standing">[];
}

/** Adds what code decided to the findings of each vote. */
export function addCodeFindings(
  votes: readonly StoredVote[],
  decided: CodeFindings["decided"],
): CompletedVote[] {
  const byCode = [...decided].map(([id, { met }]) => ({ id, met, standing: true }));
  return votes.map(({ outcome, findings }) => ({ outcome, findings: [...findings, ...byCode] }));
}

export function getMet(vote: CountedVote, id: string): Met {
  return vote.findings.find((finding) => finding.id === id)?.met ?? "cannot_verify";
}

export function countVotes(votes: readonly CountedVote[], id: string): Counts {
  const counts: Counts = { yes: 0, no: 0, partial: 0, cannot_verify: 0 };
  for (const vote of votes) counts[getMet(vote, id)] += 1;
  return counts;
}

/**
 * Combines votes: "yes" if more than half of all votes say so; otherwise the most frequent other
 * answer, or "cannot_verify" on a tie.
 */
export function decideByMajority(counts: Counts): Met {
  const all = counts.yes + counts.no + counts.partial + counts.cannot_verify;
  if (counts.yes * 2 > all) return "yes";
  const others = (["no", "partial", "cannot_verify"] as const).filter((met) => counts[met] > 0);
  const most = Math.max(0, ...others.map((met) => counts[met]));
  const leading = others.filter((met) => counts[met] === most);
  return leading.length === 1 ? (leading[0] as Met) : "cannot_verify";
}

/** Returns `SUCCESS` if every must is met by a majority of all votes, else `FAILURE`. */
export function deriveVerdict(
  rubric: readonly RubricLine[],
  votes: readonly CountedVote[],
): Verdict {
  const musts = getMustIds(rubric);
  const isMet = (id: string) => decideByMajority(countVotes(votes, id)) === "yes";
  return musts.length > 0 && musts.every(isMet) ? "SUCCESS" : "FAILURE";
}

/** How strongly votes support a verdict; both values are from 0 to 1. */
export interface Support {
  /** Share of the votes that individually lead to this verdict. */
  share: number;
  /**
   * Clarity of the musts: of the weakest must for a `SUCCESS`, of the most clearly failed one for a
   * `FAILURE`. Unverified answers count for neither.
   */
  margin: number;
}

const WEIGHT: Record<Met, number> = { yes: 1, partial: -0.5, no: -1, cannot_verify: 0 };

export function computeSupport(
  rubric: readonly RubricLine[],
  votes: readonly CountedVote[],
  verdict: Verdict,
): Support {
  const agreeing = votes.filter((vote) => deriveVerdict(rubric, [vote]) === verdict);
  const musts = getMustIds(rubric).map((id) => mean(votes.map((vote) => WEIGHT[getMet(vote, id)])));
  const clear = verdict === "SUCCESS" ? Math.min(...musts) : -Math.min(...musts);
  return {
    share: votes.length === 0 ? 0 : agreeing.length / votes.length,
    margin: musts.length === 0 ? 0 : Math.min(1, Math.max(0, clear)),
  };
}

/**
 * Returns whether votes without an answer decide the verdict: without them there would be none, or
 * a different one. Such a verdict reflects the model, not the work.
 */
export function isDecidedByMissingAnswers(
  rubric: readonly RubricLine[],
  votes: readonly (CountedVote & Pick<StoredVote, "outcome">)[],
): boolean {
  const answered = votes.filter(({ outcome }) => outcome === "answer");
  if (answered.length === votes.length) return false;
  return answered.length === 0 || deriveVerdict(rubric, answered) !== deriveVerdict(rubric, votes);
}

function getMustIds(rubric: readonly RubricLine[]): string[] {
  return rubric.filter(({ kind }) => kind === "must").map(({ id }) => id);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns the reasons for a second round of votes. If there are none, the first round decides. */
export function findEscalationReasons(
  rubric: readonly RubricLine[],
  votes: readonly StoredVote[],
  { flags, highValue }: { flags: readonly Flag[]; highValue: boolean },
): Escalation["reasons"] {
  const musts = getMustIds(rubric).map((id) => votes.map((vote) => getMet(vote, id)));
  const reasons: [Escalation["reasons"][number], boolean][] = [
    ["dissent", musts.some((answers) => new Set(answers).size > 1)],
    ["unverified-must", musts.some((answers) => answers.includes("cannot_verify"))],
    ["flag", flags.length > 0],
    ["control-met", votes.some(meetsControl)],
    ["high-value", highValue],
    ["no-answer", votes.some(({ outcome }) => outcome !== "answer")],
  ];
  return reasons.filter(([, applies]) => applies).map(([reason]) => reason);
}

/** Returns whether a vote found that the deliverable meets a criterion on another subject. */
export const meetsControl = ({ controlMet }: Pick<StoredVote, "controlMet">) =>
  controlMet === "yes" || controlMet === "partial";

export function getVoteFlags(
  votes: readonly Pick<StoredVote, "injectionSuspected" | "canaryKept">[],
): Flag[] {
  const flags: Flag[] = [];
  if (votes.some((vote) => vote.injectionSuspected)) flags.push("injection-suspected");
  if (votes.some((vote) => vote.canaryKept === false)) flags.push("canary-lost");
  return flags;
}

/**
 * Combines the deciding votes into one finding per criterion, worded by the first vote that agrees
 * with it. A criterion that code decided has no votes.
 */
export function combineFindings(
  rubric: readonly Criterion[],
  votes: readonly StoredVote[],
  decided: CodeFindings["decided"],
): Finding[] {
  return rubric.map(({ id, text, kind }) => {
    const byCode = decided.get(id);
    if (byCode) return { id, text, met: byCode.met, kind, note: byCode.fact.result.observed };
    const counts = countVotes(votes, id);
    const met = decideByMajority(counts);
    const agreeing = votes
      .flatMap(({ findings }) => findings)
      .filter((finding) => finding.id === id && finding.met === met);
    const first = agreeing.find(({ standing }) => standing) ?? agreeing[0];
    return {
      id,
      text,
      met,
      kind,
      votes: counts,
      ...(first?.standing ? { quote: first.quote } : {}),
      ...(first ? { note: first.finding } : {}),
    };
  });
}

/** The part of a pass that counts. */
export interface WeighedPass {
  votes: readonly { findings: readonly Pick<VoteFinding, "id" | "met" | "standing">[] }[];
}

/**
 * Decides whether a recorded verdict is overturned: only if all passes result in the opposite
 * verdict and, on at least one must, all contradict the recorded finding with a verified quotation.
 * Unverified findings overturn nothing. `flipped` has the ids of the musts on which every pass
 * contradicts the recorded finding. `assessed`: every pass results in the final verdict by a finding,
 * not for want of one.
 */
export function weighReview(
  rubric: readonly RubricLine[],
  { verdict, getRecordedMet }: { verdict: Verdict; getRecordedMet: (id: string) => Met },
  passes: readonly WeighedPass[],
): { finalVerdict: Verdict; flipped: string[]; assessed: boolean } {
  const opposite = verdict === "SUCCESS" ? "FAILURE" : "SUCCESS";
  const contrary: readonly Met[] = opposite === "SUCCESS" ? ["yes"] : ["no", "partial"];
  const contradicts = ({ votes }: WeighedPass, id: string) =>
    contrary.includes(decideByMajority(countVotes(votes, id))) &&
    votes.some(({ findings }) =>
      findings.some((found) => found.id === id && contrary.includes(found.met) && found.standing),
    );
  const flipped = getMustIds(rubric)
    .filter((id) => (getRecordedMet(id) === "yes") === (opposite === "FAILURE"))
    .filter((id) => passes.length > 0 && passes.every((pass) => contradicts(pass, id)));
  const agree = passes.every(({ votes }) => deriveVerdict(rubric, votes) === opposite);
  const finalVerdict = agree && flipped.length > 0 ? opposite : verdict;
  const supporting: readonly Met[] = finalVerdict === "SUCCESS" ? ["yes"] : ["no", "partial"];
  const supports = ({ votes }: WeighedPass) =>
    deriveVerdict(rubric, votes) === finalVerdict &&
    getMustIds(rubric).some((id) => supporting.includes(decideByMajority(countVotes(votes, id))));
  return { finalVerdict, flipped, assessed: passes.length > 0 && passes.every(supports) };
}
