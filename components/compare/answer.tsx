import { buildAgreementUrl, type Choice, canAnswer } from "@/components/agents/advice";
import { UntrustedText } from "@/components/site/untrusted-text";
import { FullLink, TextLink } from "@/components/ui/text-link";
import type { LeaderboardRow } from "@/server/explorer/agent-list/schema";
import { ACTIONS } from "@/server/explorer/risk/schema";
import { buildUrl } from "@/server/lib/build-url";
import { nameCategory } from "@/server/lib/category-name";
import { type ComparedAgent, getName } from "./compare-table";
import { describeJob, type Job } from "./job";

type NamedChoice = Choice & Pick<LeaderboardRow, "walletAddress" | "name">;

interface Props {
  choices: NamedChoice[];
  job: Job;
  /** Whether the choices are those that are compared, not the best of all agents. */
  isAmongThese: boolean;
}

/** Names the agent to hire for the job, or says why it names none. */
export function Answer({ choices, job, isAmongThese }: Props) {
  const best = findBest(choices);
  const subject = describeJob(job);
  if (!best) return <p className={ANSWER}>{explainNone(choices, job, isAmongThese)}</p>;
  const { action, label, summary } = best.recommendation;
  return (
    <p className={ANSWER}>
      {subject ? `For ${subject}` : isAmongThese ? "Best of these" : "Best of all"}:{" "}
      <TextLink href={buildUrl(`/agents/${best.walletAddress}`, { ...job })}>
        <UntrustedText>{best.name}</UntrustedText>
      </TextLink>
      <span className="ml-2 text-base font-normal text-muted">
        {action === "hire" ? (
          label
        ) : (
          <>
            <FullLink href={buildAgreementUrl(best.walletAddress, best.recommendation, job)}>
              Only with escrow
            </FullLink>
            {summary.replace("Use escrow", "").slice(0, -1)}
          </>
        )}
      </span>
    </p>
  );
}

function explainNone(choices: Choice[], job: Job, isAmongThese: boolean): string {
  const isOne = choices.length === 1;
  const has = isAmongThese ? (isOne ? "This agent has not" : "None of these has") : "No agent has";
  const subject = describeJob(job);
  if (job.category && choices.every(({ score }) => score === undefined)) {
    return `${has} done ${nameCategory(job.category)} work.`;
  }
  return choices.length > 0 && choices.every(isDangerous)
    ? `Do not hire ${isOne ? "this agent" : "any of these"}.`
    : `${has} shown enough evidence${subject && ` for ${subject}`} yet.`;
}

const isDangerous = ({ recommendation: { action } }: Choice) => action === "do-not-hire";

const ANSWER = "mt-3 text-xl font-medium";

/** Describes a compared agent as a possible answer. */
export const toChoice = (agent: ComparedAgent, { category }: Job): NamedChoice => ({
  ...agent,
  name: getName(agent),
  score: category ? agent.reputation.categoryScores[category] : agent.reputation.score,
});

/** Returns the one with the kindest recommendation, then the highest score; none without evidence. */
export function findBest(choices: NamedChoice[]): NamedChoice | undefined {
  const rate = ({ score = 0, categoryScore = score, recommendation: { action } }: Choice) =>
    categoryScore - ACTIONS.indexOf(action) * 1_000;
  return choices.filter(canAnswer).sort((a, b) => rate(b) - rate(a))[0];
}
