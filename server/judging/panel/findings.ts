import type { Finding } from "@/server/judging/judge";
import type { Criterion, KeptVote } from "@/server/judging/schema";
import { countVotes, decide } from "./tally";

/**
 * Combines the votes into one finding per criterion, worded by the first vote that agrees with it.
 */
export function findingsOf(rubric: readonly Criterion[], votes: readonly KeptVote[]): Finding[] {
  return rubric.map(({ id, text, kind }) => {
    const counts = countVotes(votes, id);
    const met = decide(counts);
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
