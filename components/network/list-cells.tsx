import Link from "next/link";
import { nameListedJob } from "@/components/outcomes/job-name";
import { PartyName } from "@/components/site/party-name";
import { UntrustedText } from "@/components/site/untrusted-text";
import { formatAgo, shortenHex } from "@/components/ui/format";
import { Time } from "@/components/ui/time";
import type { NamedWallet } from "@/server/agents/schema";
import { isolateText, removeBidiControls } from "@/server/lib/bidi";

/** Names a job by its title and its category, or by its category alone. */
export function JobCell({ job }: { job: { title?: string | null; taskCategory: string } }) {
  const { title, taskCategory } = job;
  if (!title) return nameListedJob(taskCategory);
  return (
    <>
      <span title={removeBidiControls(title)}>
        <UntrustedText>{title}</UntrustedText>
      </span>
      <small>{taskCategory}</small>
    </>
  );
}

/** Links a party of a record to its page, by name or, if it isn't registered, by address. */
export function PartyLink({ party }: { party: NamedWallet }) {
  return (
    <Link href={`/agents/${party.walletAddress}`} prefetch={false}>
      <PartyName {...party} />
    </Link>
  );
}

/** Names a party of a record in plain text. */
export const nameParty = ({ name, walletAddress }: NamedWallet) =>
  isolateText(name ?? shortenHex(walletAddress));

/** Shows how long ago something happened, with the time as a tooltip; the day if `now` is missing. */
export function Age({ at, now }: { at: string; now: string | undefined }) {
  // A new element for a new text: right-aligned text that grows would count as a layout shift.
  return now ? <Time key={formatAgo(at, now)} at={at} now={now} /> : <Time at={at} />;
}
