import type { PublicJudgement } from "@/server/judging/schema";

const OUTCOMES = {
  answer: "answered",
  refusal: "refused",
  unusable: "no usable answer",
} as const;

/** Lists every vote with model, result, latency and tokens. */
export function VoteTable({ votes }: { votes: PublicJudgement["votes"] }) {
  return (
    <table className="w-full border-collapse text-sm">
      <caption className="sr-only">Votes</caption>
      <thead>
        <tr className="border-b border-line text-left text-muted">
          <th scope="col" className="py-1.5 pr-3 font-normal">
            Vote
          </th>
          <th scope="col" className="py-1.5 pr-3 font-normal">
            Model
          </th>
          <th scope="col" className="py-1.5 pr-3 text-right font-normal">
            Latency
          </th>
          <th scope="col" className="hidden py-1.5 text-right font-normal sm:table-cell">
            Tokens
          </th>
        </tr>
      </thead>
      <tbody>
        {votes.map((vote, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: votes have no identity but their position.
          <tr key={index} className="border-b border-line align-top">
            <th scope="row" className="py-2 pr-3 text-left font-normal">
              {index + 1}
            </th>
            <td className="w-full max-w-0 py-2 pr-3 break-words">
              {vote.returnedModel ?? vote.requestedModel}
              {vote.purpose === "escalated-vote" && (
                <span className="text-muted"> (additional)</span>
              )}
              {vote.outcome !== "answer" && (
                <span className="block text-bad">{OUTCOMES[vote.outcome]}</span>
              )}
            </td>
            <td className="py-2 pr-3 text-right whitespace-nowrap">
              {(vote.latencyMs / 1000).toFixed(1)} s
            </td>
            <td className="hidden py-2 text-right whitespace-nowrap sm:table-cell">
              {vote.tokens
                ? `${vote.tokens.input.toLocaleString("en")} + ${vote.tokens.output.toLocaleString("en")}`
                : "not reported"}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
