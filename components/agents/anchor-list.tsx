"use client";

import Link from "next/link";
import { ListHead } from "@/components/network/list-head";
import { UntrustedText } from "@/components/site/untrusted-text";
import { formatAmount, formatCount, shortenHex } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Time } from "@/components/ui/time";
import type { AnchorEffects } from "@/server/explorer/schema";
import { removeBidiControls } from "@/server/lib/bidi";
import type { PublicAnchor } from "@/server/reputation/schema";
import styles from "./anchor-list.module.css";
import { Identicon } from "./identicon";

interface Props {
  anchors: PublicAnchor[];
  /** What the anchors back. */
  effects?: AnchorEffects;
  /** ISO 8601; decides which anchors have expired. */
  now: string;
  explorerUrl: string | null;
}

const TITLES = ["Anchor", "Reason", "State", "Since", "Until", "Effect", "Record"] as const;

/**
 * Lists anchors with the operator's reason, their validity, effect and on-chain records. A client
 * component, so that the page contains its markup once.
 */
export function AnchorList({ anchors, effects = [], now, explorerUrl }: Props) {
  return (
    <table className={styles.table}>
      <caption className="sr-only">Anchors, latest record first</caption>
      <ListHead titles={TITLES} />
      <tbody>
        {anchors.map((anchor) => (
          <tr key={anchor.seq}>
            <th scope="row">
              <AnchorName anchor={anchor} />
            </th>
            <td dir="auto">{anchor.reason ? removeBidiControls(anchor.reason) : "Not stated"}</td>
            <td>
              <State anchor={anchor} now={now} />
            </td>
            <td>
              <Time at={anchor.from} />
            </td>
            <td>
              {anchor.until !== null && <Time at={anchor.until} />}
              {anchor.until === null && (anchor.revoked ? "–" : "No end date")}
            </td>
            <td>
              <Effect anchor={anchor} effect={effects.find(({ seq }) => seq === anchor.seq)} />
            </td>
            <td>
              <RecordLink seq={anchor.seq} hash={anchor.onChainTx} explorerUrl={explorerUrl} />
              {anchor.revokedTx && (
                <RecordLink
                  seq={anchor.revokedSeq}
                  hash={anchor.revokedTx}
                  explorerUrl={explorerUrl}
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function AnchorName({ anchor: { walletAddress, name } }: { anchor: PublicAnchor }) {
  return (
    <>
      <Identicon wallet={walletAddress} className="size-8" />
      <Link href={`/agents/${walletAddress}`} prefetch={false} title={walletAddress}>
        {name ? <UntrustedText>{name}</UntrustedText> : "Unregistered"}
      </Link>
      <code>{shortenHex(walletAddress)}</code>
    </>
  );
}

/** Shows by shape and word whether the anchor counts for new outcomes. */
function State({ anchor: { until, revoked }, now }: { anchor: PublicAnchor; now: string }) {
  const isExpired = until !== null && until <= now;
  const [label, tone, path] = revoked
    ? ["Revoked", "text-bad", "M5.5 5.5l9 9m0-9l-9 9"]
    : isExpired
      ? ["Expired", "text-muted", "M10 5v5l3 2M10 2.8a7.2 7.2 0 100 14.4 7.2 7.2 0 000-14.4z"]
      : ["Active", "text-good", "M4.5 10.5l3.5 3.5 7.5-8"];
  return (
    <span className={tone}>
      <Icon path={path} className="mr-1.5 inline size-4 align-[-0.1875em]" strokeWidth={2} />
      {label}
    </span>
  );
}

interface EffectProps {
  anchor: PublicAnchor;
  effect: AnchorEffects[number] | undefined;
}

function Effect({ anchor, effect }: EffectProps) {
  if (anchor.revoked) return <span className="text-muted">None, past or future</span>;
  if (!effect) return <span className="text-muted">No anchored outcome yet</span>;
  const { outcomes, agents, paidUsdc } = effect;
  return (
    <>
      {formatCount(outcomes, "outcome")}
      <small>
        {formatCount(agents, "agent")}
        {paidUsdc > 0 && `, ${formatAmount(Math.round(paidUsdc))} USDC paid`}
      </small>
    </>
  );
}

interface RecordLinkProps {
  seq: number | null;
  hash: string;
  explorerUrl: string | null;
}

function RecordLink({ seq, hash, explorerUrl }: RecordLinkProps) {
  const label = shortenHex(hash);
  return (
    <code title={`Record ${seq}, transaction ${hash}`}>
      {explorerUrl ? <a href={`${explorerUrl}/tx/${hash}`}>{label}</a> : label}
    </code>
  );
}
