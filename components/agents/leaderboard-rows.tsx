"use client";

import { Sparkline } from "@/components/charts/sparkline";
import { type Job, MAX_AGENTS } from "@/components/compare/job";
import { GLOSSARY } from "@/components/site/glossary";
import { AdviceLabel } from "@/components/site/risk-icon";
import { Term } from "@/components/site/term";
import { UntrustedText } from "@/components/site/untrusted-text";
import { shortenHex } from "@/components/ui/format";
import { HiddenFields } from "@/components/ui/hidden-fields";
import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import type { RankedInput } from "@/server/explorer/agent-list/schema";
import { isolateText } from "@/server/lib/bidi";
import { buildUrl } from "@/server/lib/build-url";
import { TIER_LABELS } from "@/server/reputation/policy";
import type { Advice } from "./advice";
import { VerifiedMark } from "./agent-marks";

type Sort = RankedInput["sort"];

/** An agent's row, formatted. Missing values are not shown. */
export interface AgentRow {
  wallet: string;
  name: string;
  isVerified: boolean;
  isTrusted: boolean;
  /** Declared categories, and the shortened wallet where there is room or need. */
  about: string;
  /** Whether another agent of the list has the same name. */
  hasNamesake: boolean;
  rank: { place: number; tied: boolean } | null;
  advice: Advice;
  score: string;
  /** Overall score in place of the last 30 days, if `score` is the one in a category. */
  overall?: string;
  /** Path of the line of 30 days. */
  path: string;
  change: string;
  trend: keyof typeof TRENDS | null;
  /** Position in `TIERS`. */
  tier: number;
  /** These and the score are empty without an outcome. */
  success: string;
  outcomes: string;
  clients: string;
  active: string;
  /** Part of the description that matches the search. */
  match?: string | undefined;
}

/** The current order, and the URLs of all that the list can have. */
export interface Sorting {
  sort: Sort;
  urls: Record<string, string>;
}

interface Props {
  agents: AgentRow[];
  /** Without it the headers are no links, and rows can't be ticked. */
  sorting?: Sorting | undefined;
  /**
   * What the list is for; so are its links and a comparison of ticked agents. With a category, the overall
   * score is a column, beside figures of the category.
   */
  job: Job;
}

const TIER_NAMES = Object.values(TIER_LABELS);
const TRENDS = {
  rise: "text-good",
  fall: "text-bad",
};

/**
 * The leaderboard's table, with boxes to tick if it can be sorted. A client component, because the markup
 * of a server component is sent twice; of this one, the second copy is only its props.
 */
export function LeaderboardRows({ agents, sorting, job }: Props) {
  const { category } = job;
  const isRanked = sorting !== undefined || agents.some(({ rank }) => rank);
  const isExplained = agents.some(({ match }) => match);
  const hidden = [
    ...(isRanked ? [] : ["#"]),
    ...(category ? ["Tier", "30 days"] : ["Overall"]),
    // Why an agent was found takes the room of columns that matter less to a search.
    ...(isExplained ? ["30 days", "Clients"] : []),
  ];
  const columns = listColumns(sorting !== undefined, job)
    .filter(([title]) => !hidden.includes(title))
    .map(([title, className, cell]): Column<AgentRow> => {
      const head = <Header key={title} {...{ title, sorting }} />;
      return [title, className, cell, head];
    });
  return (
    <div className="group [counter-reset:ticked]" onChange={limitTicks}>
      <Table
        caption="Agents with a recommendation, score, tier, success rate, jobs, paying clients and last activity"
        className="leaderboard"
        columns={columns}
        rows={agents}
        headerColumn={isRanked ? 1 : 0}
        sorted={sorting && [SORTED[sorting.sort] ?? "", getDirection(sorting.sort)]}
        getRowProps={({ wallet, advice }) => ({
          id: wallet,
          className: isRanked && advice.level === "danger" ? "not-recommended" : "",
        })}
      />
      {sorting && (
        <form
          id={COMPARE_FORM}
          action="/compare"
          // Enter on a box submits the form, though none is ticked yet.
          onSubmit={(event) => {
            if (!new FormData(event.currentTarget).has("agents")) event.preventDefault();
          }}
          className="sticky bottom-4 z-20 mx-auto mt-4 hidden w-fit items-center gap-3 rounded-lg border border-line bg-raised py-2 pr-4 pl-2 text-sm text-muted shadow-lg group-has-[tbody_:checked]:flex"
        >
          <button
            type="submit"
            className="h-9 rounded-md bg-accent px-4 font-medium text-accent-ink after:content-['_('_counter(ticked)_')'] hover:opacity-90"
          >
            Compare
          </button>
          <HiddenFields values={job} />
          <span>Choose two to four agents</span>
        </form>
      )}
    </div>
  );
}

/** Id of the form that compares the agents whose boxes are ticked. */
const COMPARE_FORM = "compare";

/** Titles of the columns by the order that they link to. */
const SORTED: Partial<Record<Sort, string>> = {
  name: "Agent",
  score: "Score",
  successRate: "Success",
  outcomes: "Jobs",
  clients: "Clients",
  activity: "Active",
};
/** Entries of the glossary whose titles are shorter. */
const ENTRIES: Record<string, string> = { Success: "success rate", Clients: "paying clients" };
const getDirection = (sort: Sort) => (sort === "name" ? "ascending" : "descending");

/** Shows the title of a column: as a link to its order, or with its meaning. */
function Header({ title, sorting }: { title: string } & Pick<Props, "sorting">) {
  const entry = ENTRIES[title] ?? title;
  const sort = (Object.keys(SORTED) as Sort[]).find((one) => SORTED[one] === title);
  const url = sort && sorting?.urls[sort];
  if (!url) {
    return <Term entry={entry}>{title}</Term>;
  }
  return (
    <Link href={url} title={GLOSSARY[entry.toLowerCase()]}>
      {title}
      <span aria-hidden="true" className="ml-0.5 text-xs">
        {sort !== sorting.sort ? "↕" : getDirection(sort) === "ascending" ? "↑" : "↓"}
      </span>
    </Link>
  );
}

/** Returns all columns, with room for the widest usual value, so that none moves when a row arrives. */
const listColumns = (canCompare: boolean, job: Job): Column<AgentRow>[] => [
  [
    "#",
    `text-muted md:pl-2 ${canCompare ? "min-w-13 md:min-w-15" : ""}`,
    (row) => <Place row={row} canCompare={canCompare} />,
  ],
  ["Agent", "w-full max-w-0", (row) => <AgentCell row={row} job={job} />],
  [
    "Recommendation",
    "min-w-45 whitespace-normal max-lg:hidden xl:min-w-62",
    ({ advice }) => (
      <>
        <AdviceLabel {...advice} />
        {advice.warning && <small>{advice.warning}</small>}
      </>
    ),
  ],
  [
    "Score",
    "min-w-15 text-right",
    ({ score, advice }) => (
      <b className={`text-base ${advice.level === "danger" ? "text-muted" : ""}`.trim()}>{score}</b>
    ),
  ],
  [
    "30 days",
    "min-w-16 text-right text-muted max-md:pr-0 md:min-w-30",
    ({ path, trend, change }) => (
      <span className={trend ? TRENDS[trend] : undefined}>
        {path && <Sparkline path={path} />}
        <span className="inline-block min-w-11">{change}</span>
      </span>
    ),
  ],
  ["Overall", "text-right text-muted max-md:pr-0", ({ overall }) => overall],
  [
    "Tier",
    "min-w-26 max-md:hidden",
    ({ tier, advice }) => (
      <span className={`tier-${tier} ${advice.level === "danger" ? "text-muted" : ""}`.trim()}>
        {TIER_NAMES[tier]}
      </span>
    ),
  ],
  [
    "Success",
    "text-right max-md:hidden",
    ({ success, advice }) => {
      const [rate, assessed] = success.split(/ (?=of )/);
      return (
        <span className={advice.level === "none" ? "" : "text-muted"}>
          {rate}
          {assessed && <small>{assessed}</small>}
        </span>
      );
    },
  ],
  ["Jobs", "text-right max-md:hidden", ({ outcomes }) => outcomes],
  ["Clients", "text-right max-lg:hidden", ({ clients }) => clients],
  ["Active", "min-w-24 pr-2 text-right text-muted max-xl:hidden", ({ active }) => active],
];

/** Keeps more boxes from being ticked than agents can be compared. */
function limitTicks({ currentTarget }: { currentTarget: Element }) {
  const boxes = [...currentTarget.querySelectorAll("input")];
  const isFull = boxes.filter(({ checked }) => checked).length >= MAX_AGENTS;
  for (const box of boxes) box.disabled = isFull && !box.checked;
}

/** Shows the rank, and a box to tick, which is a larger target than it looks. */
function Place({ row, canCompare }: { row: AgentRow; canCompare: boolean }) {
  const { wallet, name, advice } = row;
  // A rank would praise an agent that should not be hired.
  const rank = advice.level === "danger" ? null : row.rank;
  return (
    <>
      {canCompare && (
        <input
          type="checkbox"
          name="agents"
          value={wallet}
          form={COMPARE_FORM}
          aria-label={`Compare ${isolateText(name)}`}
          className="relative z-1 mr-2 size-4 align-[-0.125rem] accent-accent before:absolute before:-inset-2 checked:[counter-increment:ticked]"
        />
      )}
      {rank?.tied && <span aria-hidden="true">=</span>}
      {rank?.place}
      {rank?.tied && <span className="sr-only">, tied</span>}
    </>
  );
}

/** Names an agent; below, what it does, or on a narrow screen what the columns have no room for. */
function AgentCell({ row, job }: { row: AgentRow; job: Job }) {
  const { wallet, name, isVerified, isTrusted, about, advice, tier, match } = row;
  const { overall, outcomes, hasNamesake } = row;
  const figures = [
    hasNamesake && shortenHex(wallet),
    !overall && TIER_NAMES[tier],
    outcomes && `${outcomes} ${outcomes === "1" ? "job" : "jobs"}`,
    advice.warning,
  ].filter(Boolean);
  return (
    <>
      <Link href={buildUrl(`/agents/${wallet}`, { ...job })}>
        <span className="truncate">
          <UntrustedText>{name}</UntrustedText>
        </span>{" "}
        <VerifiedMark verified={isVerified} brief isTrusted={isTrusted} />
      </Link>
      <small className="truncate max-lg:hidden">{about}</small>
      <span className="block whitespace-normal lg:hidden">
        <AdviceLabel {...advice} />
        <small>{figures.join(" · ")}</small>
      </span>
      {match && (
        <small className="pb-1.5 whitespace-normal text-ink">
          Description: <UntrustedText>{match}</UntrustedText>
        </small>
      )}
    </>
  );
}
