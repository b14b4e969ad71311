import Link from "next/link";
import { SpriteIcon } from "@/components/agents/leaderboard-sprite";
import { PartyName } from "@/components/site/party-name";
import { formatAgo, formatDateTime } from "@/components/ui/format";
import type { Backing, NamedWallet } from "@/server/explorer/schema";
import type { Verdict } from "@/server/lib/schema";
import styles from "./list.module.css";

/** Shows a verdict by shape and word; null means it is being judged. */
export function ListedVerdict({ verdict }: { verdict: Verdict | null }) {
  if (verdict === null) {
    return (
      <span>
        <SpriteIcon id="pending" />
        Being judged
      </span>
    );
  }
  const isSuccess = verdict === "SUCCESS";
  return (
    <span className={isSuccess ? styles.success : styles.failure}>
      <SpriteIcon id={verdict} />
      {isSuccess ? "Success" : "Failure"}
    </span>
  );
}

const BACKINGS: Record<Backing, string> = {
  anchored: "Anchored",
  paid: "Paid",
  claimed: "Unconfirmed",
};

/** Shows what confirms an outcome besides the submitter's claim. */
export function ListedBacking({ backing }: { backing: Backing }) {
  return (
    <>
      <SpriteIcon id={backing} />
      {BACKINGS[backing]}
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
  const age = formatAgo(at, now);
  return (
    // A new element for a new text: right-aligned text that grows would count as a layout shift.
    <time key={age} dateTime={at} title={formatDateTime(at)}>
      {age}
    </time>
  );
}
