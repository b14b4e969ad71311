import Link from "next/link";
import { SpriteIcon } from "@/components/agents/leaderboard-sprite";
import { describeConfirmation, RESULT_LABELS, type Result } from "@/components/outcomes/result";
import { PartyName } from "@/components/site/party-name";
import { UntrustedText } from "@/components/site/untrusted-text";
import { formatAgo } from "@/components/ui/format";
import { Time } from "@/components/ui/time";
import type { Backing, NamedWallet } from "@/server/explorer/schema";
import { removeBidiControls } from "@/server/lib/bidi";
import styles from "./list.module.css";

/** Shows a result by shape and word; null means it is being judged. */
export function ListedVerdict({ verdict }: { verdict: Result | null }) {
  if (verdict === null) {
    return (
      <span>
        <SpriteIcon id="pending" />
        Being judged
      </span>
    );
  }
  return (
    <span className={TONES[verdict]}>
      <SpriteIcon id={verdict} />
      {RESULT_LABELS[verdict]}
    </span>
  );
}

const TONES: Partial<Record<Result, string | undefined>> = {
  SUCCESS: styles.success,
  FAILURE: styles.failure,
  NOT_ASSESSED: styles.unassessed,
};

const BACKINGS: Record<Backing, string> = {
  anchored: "Anchored",
  paid: "Paid",
  claimed: "Unconfirmed",
};

interface BackingProps {
  backing: Backing;
  /** Of a paid outcome: whether the client confirmed it. */
  isConfirmed?: boolean | null | undefined;
}

/** Shows what confirms an outcome besides the submitter's claim. */
export function ListedBacking({ backing, isConfirmed }: BackingProps) {
  const confirmation = describeConfirmation(isConfirmed);
  return (
    <>
      <SpriteIcon id={backing} />
      {BACKINGS[backing]}
      {confirmation && <small>{confirmation}</small>}
    </>
  );
}

/** Names a job by its title, if it has one, and its category. */
export function ListedJob({ job }: { job: { title: string | null; taskCategory: string } }) {
  return (
    <>
      {job.taskCategory}
      {job.title && (
        <small title={removeBidiControls(job.title)}>
          <UntrustedText>{job.title}</UntrustedText>
        </small>
      )}
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

/** Shows how long ago something happened, with the time as a tooltip. */
export function Age({ at, now }: { at: string; now: string }) {
  return (
    // A new element for a new text: right-aligned text that grows would count as a layout shift.
    <Time key={formatAgo(at, now)} at={at} now={now} />
  );
}
