import type { Metadata } from "next";
import { formatAmount, formatCount, formatDateTime } from "@/components/ui/format";
import { Mark } from "@/components/ui/mark";
import { PageTitle } from "@/components/ui/page-title";
import { FullLink } from "@/components/ui/text-link";
import { countOverdue, findDownParts, type Health } from "@/server/bootstrap/health";
import { getStatus } from "@/server/pages/page-api";
import { CheckAgain } from "./check-again";
import { StatusHistory } from "./status-history";

export const metadata: Metadata = {
  title: "Status",
  description: "Whether every part of the service is up, now and in the last 90 days.",
};

/**
 * Renders each part's health, checked when the page is requested. Needs nothing else, so that it also
 * works without the database, which has the history.
 */
export default async function StatusPage() {
  const { health, days } = await getStatus();
  const parts = listParts(health);
  const failing = parts.filter(({ isUp }) => !isUp);
  return (
    <>
      <PageTitle>
        {failing.length === 0
          ? "All systems operational"
          : failing.every(({ name }) => name === QUEUE)
            ? "Work is delayed"
            : "Some systems are down"}
      </PageTitle>
      <p className="mt-2 text-muted">
        Checked <time dateTime={new Date().toISOString()}>just now</time>, and again every minute.
        <CheckAgain />
      </p>
      <ul className="mt-6 divide-y divide-line rounded-lg border border-line bg-raised px-5 sm:px-6">
        {parts.map(({ name, fact, whenDown, isUp, since }) => (
          <li
            key={name}
            className="grid grid-cols-[1fr_auto] items-center gap-x-6 py-3.5 md:grid-cols-[8rem_1fr_auto]"
          >
            <p className="font-medium">{name}</p>
            <p className="text-sm text-muted max-md:order-last max-md:col-span-2">
              {fact}
              {!isUp && `. ${whenDown}`}
            </p>
            <StateMark isUp={isUp} label={name === QUEUE ? "Delayed" : "Down"} since={since} />
          </li>
        ))}
      </ul>
      {days && <StatusHistory days={days} />}
      <p className="mt-6 text-sm text-muted">
        For monitoring: <FullLink href="/api/health">/api/health</FullLink> returns 503 while the
        database is down.
      </p>
    </>
  );
}

interface Part {
  name: string;
  /** What it is at the moment. */
  fact: string;
  /** What it means for users if it is down. */
  whenDown: string;
  isUp: boolean;
  /** Start of the outage, if known. */
  since?: string | null;
}

const QUEUE = "Queue";
/** For a part whose check failed, most likely with the database. */
const UNKNOWN = "State unknown";

function listParts(health: Health): Part[] {
  const { database, engine, chain, judge, work } = health;
  const isUp = ({ status }: { status: string }) => status === "ok";
  const down = findDownParts(health);
  return [
    {
      name: "Database",
      fact: isUp(database) ? `PostgreSQL ${database.version ?? ""}` : "Not responding",
      whenDown: "Hardly a page or request works.",
      isUp: isUp(database),
    },
    {
      name: "Engine",
      fact: describeEngine(engine),
      whenDown: "You can submit and read; verdicts and webhooks wait.",
      isUp: isUp(engine),
    },
    {
      name: "Chain",
      fact: chain.blockNumber
        ? `Block ${formatAmount(Number(chain.blockNumber))}`
        : "No block read",
      whenDown: "Verdicts and stakes wait; nothing is lost.",
      isUp: !down.includes("chain"),
    },
    {
      name: "Judge",
      fact: `${judge.kind === "heuristic" ? "Automated checks" : (judge.id ?? UNKNOWN)}${judge.status === "untested" ? ", not tested yet" : ""}`,
      whenDown: `Jobs wait.${judge.kind === "llm" ? " The other of two models may decide alone later." : ""}`,
      isUp: !down.includes("judge"),
      since: typeof judge.since === "string" ? judge.since : null,
    },
    {
      name: QUEUE,
      fact: describeQueue(isUp(work), countOverdue(health)),
      whenDown: "Overdue work is retried automatically.",
      isUp: !down.includes("queue"),
    },
  ];
}

function describeEngine({ pending, server }: Health["engine"]): string {
  if (server === "unavailable") return "Its server doesn't answer";
  return pending === undefined ? UNKNOWN : `${formatCount(Number(pending), "task")} waiting`;
}

function describeQueue(isKnown: boolean, overdue: ReturnType<typeof countOverdue>): string {
  if (!isKnown) return UNKNOWN;
  if (overdue.outcomes + overdue.other === 0) return "Nothing is late";
  return [
    ...(overdue.outcomes > 0 ? [`${formatCount(overdue.outcomes, "job")} over a minute`] : []),
    ...(overdue.other > 0 ? [`${formatAmount(overdue.other)} overdue`] : []),
  ].join(", ");
}

function StateMark({ isUp, label, since }: Pick<Part, "isUp" | "since"> & { label: string }) {
  return (
    <div className="text-right">
      <Mark mark={isUp ? "yes" : "no"}>{isUp ? "Up" : label}</Mark>
      {!isUp && since && (
        <span className="block text-sm text-bad">since {formatDateTime(since)}</span>
      )}
    </div>
  );
}
