import Link from "next/link";
import { UntrustedText } from "@/components/site/untrusted-text";
import { formatAgo, formatDateTime, formatUsdc, shortenHex } from "@/components/ui/format";
import type { SiteStats } from "@/server/explorer/schema";
import { VerdictMark } from "./verdict-mark";

interface Props {
  verdicts: SiteStats["newest"];
  /** Outcome IDs of verdicts that arrived while the page was open. */
  fresh: Set<string>;
  now: string;
}

/** Lists the latest recorded verdicts with parties, category and value. */
export function LatestVerdicts({ verdicts, fresh, now }: Props) {
  if (verdicts.length === 0) {
    return (
      <p className="mt-4 rounded-lg border border-dashed border-line px-6 py-8 text-center text-muted">
        No verdicts yet. The first appears here seconds after an outcome is submitted through the
        API.
      </p>
    );
  }
  return (
    <ul className="mt-3 grid border-t border-line">
      {verdicts.map((verdict) => (
        <li
          key={verdict.outcomeId}
          className={`relative grid grid-cols-[1fr_auto] items-baseline gap-x-3 border-b border-line py-2 hover:bg-sunken sm:grid-cols-[6.5rem_1fr_auto] ${fresh.has(verdict.outcomeId) ? "new-arrival" : ""}`}
        >
          <span className="max-sm:row-start-3">
            <VerdictMark verdict={verdict.finalVerdict} />
          </span>
          <span className="min-w-0 max-sm:contents">
            <Link
              href={`/outcomes/${verdict.outcomeId}`}
              className="block truncate font-medium underline-offset-2 after:absolute after:inset-0 hover:underline"
            >
              <PartyName {...verdict.contractor} />
            </Link>
            <span className="block text-sm text-muted max-sm:col-span-2 max-sm:row-start-2 sm:truncate">
              {verdict.taskCategory} for <PartyName {...verdict.requester} />,{" "}
              {formatUsdc(verdict.valueUsdc)}
              {verdict.paidUsdc > 0 && ", paid"}
            </span>
          </span>
          <span className="text-right text-sm whitespace-nowrap text-muted max-sm:contents">
            <time
              dateTime={verdict.resolvedAt}
              title={formatDateTime(verdict.resolvedAt)}
              className="block max-sm:col-start-2 max-sm:row-start-1"
            >
              {formatAgo(verdict.resolvedAt, now)}
            </time>
            <span className="max-sm:col-start-2 max-sm:row-start-3">
              {verdict.byBuiltin && !verdict.simulated && "built-in judge"}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function PartyName({ name, walletAddress }: SiteStats["newest"][number]["contractor"]) {
  return name === null ? shortenHex(walletAddress) : <UntrustedText>{name}</UntrustedText>;
}
