import type { Criterion, Escalation, Flag, KeptVote } from "@/server/judging/schema";
import { metBy } from "./tally";

/** Returns why the first votes are not enough. If there is no reason, they decide. */
export function escalationReasons(
  rubric: readonly Criterion[],
  votes: readonly KeptVote[],
  { flags, highValue }: { flags: readonly Flag[]; highValue: boolean },
): Escalation["reasons"] {
  const musts = rubric
    .filter(({ kind }) => kind === "must")
    .map(({ id }) => votes.map((vote) => metBy(vote, id)));
  const reasons: [Escalation["reasons"][number], boolean][] = [
    ["dissent", musts.some((said) => new Set(said).size > 1)],
    ["unverified-must", musts.some((said) => said.includes("cannot_verify"))],
    ["flag", flags.length > 0],
    ["high-value", highValue],
    ["no-answer", votes.some(({ outcome }) => outcome !== "answer")],
  ];
  return reasons.filter(([, applies]) => applies).map(([reason]) => reason);
}

/** Returns the flags raised by the votes themselves. */
export function flagsOf(votes: readonly KeptVote[]): Flag[] {
  const answered = votes.filter(({ outcome }) => outcome === "answer");
  const flags: Flag[] = [];
  if (answered.some((vote) => vote.injectionSuspected)) flags.push("injection-suspected");
  if (answered.some((vote) => !vote.canaryKept)) flags.push("canary-lost");
  return flags;
}
