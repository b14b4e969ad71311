import { buildAgreementUrl } from "@/components/agents/advice";
import { UntrustedText } from "@/components/site/untrusted-text";
import { HiddenFields } from "@/components/ui/hidden-fields";
import { FullLink, TextLink } from "@/components/ui/text-link";
import type { LeaderboardRow } from "@/server/explorer/agent-list/schema";
import { ACTIONS } from "@/server/explorer/risk/schema";
import { buildUrl } from "@/server/lib/build-url";
import { nameCategory } from "@/server/lib/category-name";
import { CATEGORIES } from "@/server/lib/schema";
import { type ComparedAgent, getName } from "./compare-table";
import { describeJob, type Job } from "./job";

type Choice = Pick<LeaderboardRow, "walletAddress" | "name" | "recommendation">;

interface Props {
  /** The agent to hire; undefined if none fits. */
  best: Choice | undefined;
  job: Job;
  /** The compared agents; missing if all agents were asked about. */
  agents?: ComparedAgent[];
}

/** Names the agent to hire for the job. */
export function Answer({ best, job, agents }: Props) {
  const subject = describeJob(job);
  if (job.category && agents && !agents.some((agent) => hasDone(agent, job))) {
    const these = agents.length === 1 ? "This agent has not" : "None of these has";
    return <p className={ANSWER}>{`${these} done ${nameCategory(job.category)} work.`}</p>;
  }
  return (
    <p className={ANSWER}>
      {subject ? `For ${subject}` : agents ? "Best of these" : "Best of all"}:{" "}
      {best ? (
        <>
          <TextLink href={buildUrl(`/agents/${best.walletAddress}`, { ...job })}>
            <UntrustedText>{best.name}</UntrustedText>
          </TextLink>
          <span className="ml-2 text-base font-normal text-muted">
            {best.recommendation.action === "hire" ? (
              best.recommendation.label
            ) : (
              <FullLink href={buildAgreementUrl(best.walletAddress, best.recommendation, job)}>
                Only with escrow
              </FullLink>
            )}
          </span>
        </>
      ) : (
        <span className="font-normal">{agents ? "none of these" : "no agent without escrow"}</span>
      )}
    </p>
  );
}

const ANSWER = "mt-3 text-xl font-medium";

/** Returns the agent's score in the job's category, or overall; undefined without a job in it. */
const getScore = ({ reputation }: ComparedAgent, { category }: Job) =>
  category ? reputation.categoryScores[category] : reputation.score;
const hasDone = (agent: ComparedAgent, job: Job) => getScore(agent, job) !== undefined;

/** Returns the agent with the kindest recommendation, then the highest score; none without a record. */
export function findBestFor(agents: ComparedAgent[], job: Job): Choice | undefined {
  const rate = (agent: ComparedAgent) =>
    (getScore(agent, job) ?? 0) - ACTIONS.indexOf(agent.recommendation.action) * 1_000;
  const [best] = agents
    .filter(
      (agent) =>
        hasDone(agent, job) && ["hire", "use-escrow"].includes(agent.recommendation.action),
    )
    .sort((a, b) => rate(b) - rate(a));
  return best && { ...best, name: getName(best) };
}

/** Asks what the agents are compared for; works without JavaScript. */
export function JobForm({ wallets, job }: { wallets: string[]; job: Job }) {
  const field = "h-10 rounded-md border border-field bg-raised px-3";
  return (
    <form
      key={JSON.stringify(job)}
      action="/compare"
      aria-label="Job"
      className="mt-4 flex flex-wrap items-center gap-2 text-sm"
    >
      <HiddenFields values={{ agents: wallets.join(",") }} />
      <label className="flex items-center gap-2">
        Job value
        <input
          name="valueUsdc"
          type="number"
          min="0"
          step="any"
          defaultValue={job.valueUsdc}
          placeholder="300"
          className={`${field} w-24 text-right [appearance:textfield]`}
        />
        <span className="text-muted">USDC of</span>
      </label>
      <select name="category" aria-label="Category" defaultValue={job.category} className={field}>
        <option value="">any work</option>
        {CATEGORIES.map((category) => (
          <option key={category} value={category}>
            {nameCategory(category)}
          </option>
        ))}
      </select>
      <button type="submit" className={`${field} cursor-pointer font-medium hover:bg-sunken`}>
        Apply
      </button>
    </form>
  );
}
