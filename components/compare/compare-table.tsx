import type { ReactNode } from "react";
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
  formatScore,
  formatSuccessRate,
  shortenHex,
} from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { ACTIONS } from "@/server/explorer/risk/schema";
import type { PastJobs, WalletProfile } from "@/server/explorer/schema";
import { nameCategory } from "@/server/lib/category-name";
import { type Category, TIERS } from "@/server/lib/schema";
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
  const groups = job.category
    ? [
        [RECOMMENDATION, PRICE, createScoreRow(job.category)],
        [SCORE, ...OVERALL],
      ]
    : [[RECOMMENDATION, PRICE, createScoreRow(), ...OVERALL]];
  return (
    <div className="relative max-md:-mx-4 max-md:overflow-x-auto max-md:px-4">
      <table className="w-full table-fixed border-collapse text-sm max-md:w-max max-md:min-w-full">
        <caption className="sr-only">Agents side by side</caption>
        <thead>
          <tr>
            <td className={`w-40 ${TITLE} ${CELL}`} />
            {agents.map((agent, index) => (
              <th key={agent.walletAddress} scope="col" className={`py-2 max-md:w-32 ${CELL}`}>
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
        {groups.map((rows, group) => (
          <tbody key={rows[0]?.[0]}>
            {group > 0 && (
              <tr>
                <th
                  scope="rowgroup"
                  colSpan={agents.length + 1}
                  className={`pt-6 pb-2 font-medium ${CELL}`}
                >
                  In all categories
                </th>
              </tr>
            )}
            {rows.map((row) => (
              <Row key={row[0]} row={row} agents={agents} now={now} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

const CELL = "border-b border-line pr-4 align-top";
/** Of a row, which stays in view on a phone. */
const TITLE = "max-md:sticky max-md:left-0 max-md:z-1 max-md:w-22 max-md:bg-paper";

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

const RECOMMENDATION: CompareRow = [
  "Recommendation",
  // The limit decides between agents with the same recommendation.
  ({ recommendation: { action, limitUsdc } }) =>
    limitUsdc - ACTIONS.indexOf(action) * Number.MAX_SAFE_INTEGER,
  (_, agent) => <Advice {...agent} />,
];
const PRICE: CompareRow = ["Price of a job", ({ prices }) => prices && formatPrices(prices)];
const OVERALL: readonly CompareRow[] = [
  [
    "Tier",
    ({ reputation: { tier } }) => TIERS.indexOf(tier),
    (_, { reputation: { tier } }) => <TierMark tier={tier} />,
  ],
  [
    "Success rate",
    ({ reputation: { assessedSuccessRate: rate, confirmedOutcomes } }) =>
      confirmedOutcomes === 0 ? null : (rate ?? formatSuccessRate(rate)),
    (_, { reputation }) => describeSuccess(reputation),
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
  ["Last active", ({ lastActive }, now) => lastActive && formatAgo(lastActive, now)],
];

const SCORE: CompareRow = ["Score", ({ reputation: { score } }) => score, formatScore];

const createScoreRow = (category?: Category): CompareRow => [
  category ? `Score in ${nameCategory(category)}` : "Score",
  ({ reputation: { score, categoryScores } }) =>
    category ? (categoryScores[category] ?? null) : score,
  (score) => (
    <>
      <span className="font-serif text-2xl font-semibold">{formatScore(score)}</span>
      <Bar fraction={score / 100} />
    </>
  ),
];

interface RowProps {
  row: CompareRow;
  agents: ComparedAgent[];
  now: string;
}

function Row({ row: [title, get, show, fewestJobs = 0], agents, now }: RowProps) {
  const values = agents.map((agent) => get(agent, now));
  const best = findBest(values.map((value) => (typeof value === "number" ? value : null)));
  return (
    <tr>
      <th scope="row" className={`py-2 text-muted ${TITLE} ${CELL}`}>
        <Term>{title}</Term>
      </th>
      {agents.map((agent, index) => {
        const value = values[index] ?? <span className="text-muted">–</span>;
        const isBest = index === best && canBeBest(agent, fewestJobs);
        return (
          <td key={agent.walletAddress} className={`py-2 ${isBest ? "font-semibold" : ""} ${CELL}`}>
            {typeof value === "number" ? show?.(value, agent) : value}
            {isBest && <span className="sr-only">, best</span>}
          </td>
        );
      })}
    </tr>
  );
}

const canBeBest = ({ recommendation, reputation }: ComparedAgent, fewestJobs: number) =>
  canAnswer({ recommendation, score: reputation.score }) &&
  reputation.confirmedOutcomes >= fewestJobs;

/** Returns the index of the only highest value; none if it is shared or there is no other. */
export function findBest(values: readonly (number | null)[]): number | undefined {
  const known = values.filter((value) => value !== null);
  const highest = Math.max(...known);
  const index = values.indexOf(highest);
  return known.length > 1 && index === values.lastIndexOf(highest) ? index : undefined;
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
      <b className="block font-[inherit]">
        <AdviceLabel label={label} level={level} />
      </b>
      <span className="font-normal text-muted max-md:hidden">
        {capitalizeFirst(summary.slice(label.length).replace(/^\W+/, ""))}
      </span>
    </>
  );
}
