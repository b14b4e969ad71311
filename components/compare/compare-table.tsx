import type { CSSProperties, ReactNode } from "react";
import { canAnswer } from "@/components/agents/advice";
import { TierMark } from "@/components/agents/agent-marks";
import { Identicon } from "@/components/agents/identicon";
import { describeSuccess, formatPrices } from "@/components/agents/score-summary";
import { Bar } from "@/components/charts/proportion-bar";
import { SeriesKey } from "@/components/charts/series-key";
import { AdviceLabel } from "@/components/site/risk-icon";
import { Term } from "@/components/site/term";
import { UntrustedText } from "@/components/site/untrusted-text";
import {
  capitalizeFirst,
  formatAgo,
  formatAmount,
  formatPercent,
  formatRank,
  formatScore,
  formatSuccessRate,
  formatValue,
  shortenHex,
} from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { ACTIONS, EVIDENCE_LEVELS } from "@/server/explorer/risk/schema";
import type { PastJobs, WalletProfile } from "@/server/explorer/schema";
import { nameCategory } from "@/server/lib/category-name";
import { TIERS } from "@/server/lib/schema";
import { EVIDENCE_LABELS } from "@/server/reputation/policy";
import { buildCompareUrl, type Job } from "./job";

export type ComparedAgent = WalletProfile & Pick<PastJobs, "prices">;

interface Props {
  agents: ComparedAgent[];
  job: Job;
  /** ISO 8601; relative times are computed from it. */
  now: string;
}

export const getName = ({ agent }: WalletProfile): string => agent?.name ?? "Unregistered wallet";

/** Shows agents as columns and what speaks for and against hiring them as rows. */
export function CompareTable({ agents, job, now }: Props) {
  const wallets = agents.map(({ walletAddress }) => walletAddress);
  const categories = agents.flatMap(({ reputation }) => Object.keys(reputation.categoryScores));
  const [recommendation, ...others] = ROWS;
  const rows = job.category
    ? [recommendation, createScoreRow(job.category), ...others]
    : [...ROWS, ...[...new Set(categories)].sort().map(createScoreRow)];
  return (
    // On a phone each row's title is above its values, which then have room for four agents.
    <table
      className="w-full table-fixed border-collapse text-sm max-md:grid max-md:grid-cols-[repeat(var(--agents),minmax(0,1fr))] max-md:gap-x-3"
      style={{ "--agents": agents.length } as CSSProperties}
    >
      <caption className="sr-only">Agents side by side</caption>
      <thead className="max-md:contents">
        <tr className="max-md:contents">
          <td className={`w-40 max-md:hidden ${CELL}`} />
          {agents.map((agent, index) => (
            <th key={agent.walletAddress} scope="col" className={`py-2 ${CELL}`}>
              <AgentHead
                agent={agent}
                index={index}
                removeUrl={buildCompareUrl(
                  wallets.filter((one) => one !== agent.walletAddress),
                  job,
                )}
              />
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:contents">
        {rows.map((row) => (
          <Row key={row[0]} row={row} agents={agents} now={now} />
        ))}
      </tbody>
    </table>
  );
}

const CELL = "border-b border-line pr-4 align-top max-md:pr-0 max-md:wrap-anywhere";

type CompareRow = readonly [
  title: string,
  /** Returns what the agents are compared by: of numbers more is better, words are shown as they are. */
  get: (agent: ComparedAgent, now: string) => number | string | null,
  show?: (value: number, agent: ComparedAgent) => ReactNode,
  /** Fewest jobs of the best agent; 0 if omitted. */
  fewestJobs?: number,
];

/** Fewest jobs from which a rate speaks for an agent. */
const FEWEST_FOR_RATE = 10;

const ROWS: readonly [CompareRow, ...CompareRow[]] = [
  [
    "Recommendation",
    // The limit decides between agents with the same recommendation.
    ({ recommendation: { action, limitUsdc } }) =>
      limitUsdc - ACTIONS.indexOf(action) * Number.MAX_SAFE_INTEGER,
    (_, agent) => <Advice {...agent} />,
  ],
  ["Price of a job", ({ prices }) => prices && formatPrices(prices)],
  [
    "Score",
    ({ reputation: { score } }) => score,
    (score) => (
      <>
        <span className="font-serif text-xl font-semibold sm:text-2xl">{formatScore(score)}</span>
        <Bar fraction={score / 100} />
      </>
    ),
  ],
  [
    "Tier",
    ({ reputation: { tier } }) => TIERS.indexOf(tier),
    // Four agents leave no room for the bars on a phone.
    (_, { reputation: { tier } }) => (
      <span className="max-sm:*:before:hidden">
        <TierMark tier={tier} />
      </span>
    ),
  ],
  [
    "Evidence",
    ({ evidence }) => EVIDENCE_LEVELS.indexOf(evidence),
    (_, { evidence }) => EVIDENCE_LABELS[evidence],
  ],
  [
    "Success rate",
    ({ reputation: { assessedSuccessRate: rate, confirmedOutcomes } }) =>
      confirmedOutcomes === 0 ? null : (rate ?? formatSuccessRate(rate)),
    (rate, { reputation }) => (
      <>
        {describeSuccess(reputation)}
        <Bar fraction={rate} />
      </>
    ),
    FEWEST_FOR_RATE,
  ],
  [
    "Counted jobs",
    ({ reputation: { confirmedOutcomes } }) => confirmedOutcomes,
    (jobs, { reputation }) => `${formatAmount(jobs)} of ${formatAmount(reputation.totalOutcomes)}`,
  ],
  ["Paying clients", ({ confirmedClients }) => confirmedClients, formatAmount],
  [
    "Dispute rate",
    ({ reputation: { disputeRate, confirmedOutcomes } }) =>
      confirmedOutcomes === 0 ? null : -disputeRate,
    (rate) => formatPercent(-rate),
    FEWEST_FOR_RATE,
  ],
  [
    "Limit",
    ({ recommendation: { limitUsdc, label } }) => limitUsdc || `0 USDC: ${label}`,
    formatValue,
  ],
  ["Rank", ({ rank, reputation: { score } }) => formatRank(rank, score)],
  ["Last active", ({ lastActive }, now) => lastActive && formatAgo(lastActive, now)],
];

const createScoreRow = (category: string): CompareRow => [
  `Score in ${nameCategory(category)}`,
  ({ reputation }) => reputation.categoryScores[category] ?? null,
  showScore,
];

const showScore = (score: number) => (
  <>
    {formatScore(score)}
    <Bar fraction={score / 100} />
  </>
);

interface RowProps {
  row: CompareRow;
  agents: ComparedAgent[];
  now: string;
}

function Row({ row: [title, get, show, fewestJobs = 0], agents, now }: RowProps) {
  const values = agents.map((agent) => get(agent, now));
  const best = findBest(values.map((value) => (typeof value === "number" ? value : null)));
  return (
    <tr className="max-md:contents">
      <th
        scope="row"
        className={`py-2 text-muted max-md:col-span-full max-md:border-b-0 max-md:pb-0 max-md:text-[0.8125rem] ${CELL}`}
      >
        <Term>{title}</Term>
      </th>
      {agents.map((agent, index) => {
        const value = values[index] ?? <span className="text-muted">–</span>;
        return (
          <td key={agent.walletAddress} className={`relative py-2 max-md:pt-0.5 ${CELL}`}>
            {typeof value === "number" ? show?.(value, agent) : value}
            {index === best && canBeBest(agent, fewestJobs) && (
              <span className="absolute top-2 right-4 rounded bg-good/10 px-1.5 text-xs leading-5 font-medium text-good max-md:static max-md:mt-1 max-md:table">
                Best
              </span>
            )}
          </td>
        );
      })}
    </tr>
  );
}

const canBeBest = ({ recommendation, reputation }: ComparedAgent, fewestJobs: number) =>
  canAnswer({ recommendation, score: reputation.score }) &&
  reputation.confirmedOutcomes >= fewestJobs;

/** Returns the index of the only highest value; none if it is shared or nothing is compared. */
export function findBest(values: readonly (number | null)[]): number | undefined {
  const highest = Math.max(...values.map((value) => value ?? Number.NEGATIVE_INFINITY));
  const index = values.indexOf(highest);
  const isOnly = index >= 0 && index === values.lastIndexOf(highest);
  return isOnly && values.length > 1 ? index : undefined;
}

interface AgentHeadProps {
  agent: WalletProfile;
  index: number;
  removeUrl: string;
}

function AgentHead({ agent, index, removeUrl }: AgentHeadProps) {
  const name = getName(agent);
  return (
    <div className="grid gap-1.5">
      <div className="flex items-start justify-between gap-2">
        <Identicon wallet={agent.walletAddress} className="size-8" />
        <Link
          href={removeUrl}
          className="grid size-7 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink"
        >
          <Icon path="M5.5 5.5l9 9m0-9l-9 9" className="size-4" />
          <span className="sr-only">
            Remove <UntrustedText>{name}</UntrustedText>
          </span>
        </Link>
      </div>
      <Link
        href={`/agents/${agent.walletAddress}`}
        className="font-medium wrap-anywhere underline-offset-2 hover:underline sm:text-base"
      >
        <UntrustedText>{name}</UntrustedText>
      </Link>
      <span className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
        <SeriesKey index={index} />
        {shortenHex(agent.walletAddress)}
      </span>
    </div>
  );
}

/** Shows whether to hire the agent: the sentence that begins with the label, in two parts. */
function Advice({ recommendation: { label, summary }, risk: { level } }: WalletProfile) {
  return (
    <>
      <b className="block font-semibold">
        <AdviceLabel label={label} level={level} />
      </b>
      <span className="text-muted">
        {capitalizeFirst(summary.slice(label.length).replace(/^\W+/, ""))}
      </span>
    </>
  );
}
