import type { Finding } from "@/server/judging/judge";
import type { Criterion, KeptVote } from "@/server/judging/schema";
import { countVotes, decide } from "./tally";

/** What the votes together found on each criterion, in the words of the first that says the same. */
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
