import Link from "next/link";
import { formatDateTime, shortenHex, withArticle } from "@/components/ui/format";
import type { Names, SearchResults } from "@/server/explorer/schema";
import { isolateText } from "@/server/lib/bidi";
import { getResult } from "./result";
import { VerdictMark } from "./verdict-mark";

interface Props {
  results: Omit<SearchResults, "agents" | "categories">;
  /** Names of the registered parties. */
  names: Names;
}

/** Lists the records that match an ID, address or transaction. */
export function SearchRecords({ results, names }: Props) {
  const nameOf = (wallet: string) => {
    const name = names[wallet];
    return name ? isolateText(name) : shortenHex(wallet);
  };
  const { outcomes, totalOutcomes, disputes, anchorSeqs } = results;
  return (
    <section className="mt-8">
      <h2 className="text-xl font-semibold">
        {totalOutcomes > outcomes.length
          ? `Latest ${outcomes.length} of ${totalOutcomes} outcomes`
          : "Records"}
      </h2>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {outcomes.map((outcome) => (
          <Entry
            key={outcome.outcomeId}
            href={`/outcomes/${outcome.outcomeId}`}
            name={
              outcome.title
                ? isolateText(outcome.title)
                : `Outcome of ${withArticle(outcome.taskCategory)} job`
            }
            detail={`${nameOf(outcome.contractorAgentAddress)} for ${nameOf(outcome.requesterAgentAddress)}, ${formatDateTime(outcome.submittedAt)}`}
          >
            <VerdictMark verdict={getResult(outcome)} />
          </Entry>
        ))}
        {disputes.map(({ disputeId, openedAt }) => (
          <Entry
            key={disputeId}
            href={`/disputes/${disputeId}`}
            name="Dispute"
            detail={`Opened ${formatDateTime(openedAt)}`}
          />
        ))}
        {anchorSeqs.map((seq) => (
          <Entry key={seq} href="/anchors" name={`Record ${seq}`} detail="Anchor or revocation" />
        ))}
      </ul>
    </section>
  );
}

interface EntryProps {
  href: string;
  name: string;
  detail: string;
  children?: React.ReactNode;
}

function Entry({ href, name, detail, children }: EntryProps) {
  return (
    <li className="relative flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-3.5 hover:bg-sunken">
      <span className="min-w-0">
        <Link
          href={href}
          className="font-medium underline-offset-2 after:absolute after:inset-0 hover:underline"
        >
          {name}
        </Link>
        <span className="block text-sm text-muted">{detail}</span>
      </span>
      {children}
    </li>
  );
}
