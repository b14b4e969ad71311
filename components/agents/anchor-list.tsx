"use client";

import { UntrustedText } from "@/components/site/untrusted-text";
import { formatCount, formatUsdc, shortenHex } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { AnchorEffects, Revocations } from "@/server/explorer/schema";
import { removeBidiControls } from "@/server/lib/bidi";
import type { PublicAnchor } from "@/server/reputation/schema";
import { Identicon } from "./identicon";

/** Of a second line, which is beside the first on a narrow screen. */
const INLINE = "max-lg:ml-2 max-lg:inline";

interface Props {
  anchors: PublicAnchor[];
  /** What the anchors back. */
  effects: AnchorEffects;
  revocations: Revocations;
  /** ISO 8601; decides which anchors have expired. */
  now: string;
  explorerUrl: string | null;
}

/**
 * Lists known clients with the operator's reason, their validity, effect and on-chain records. A client
 * component, so that the page contains its markup once.
 */
export function AnchorList({ anchors, effects, revocations, now, explorerUrl }: Props) {
  const findEffect = (anchor: PublicAnchor) => effects.find(({ seq }) => seq === anchor.seq);
  return (
    <Table
      caption="Known clients, latest record first"
      className="list"
      rows={anchors}
      columns={[
        ["Client", "both lg:w-56", (anchor) => <AnchorName anchor={anchor} />],
        [
          "Reason",
          "whitespace-normal! max-lg:col-span-full max-lg:row-start-2",
          ({ reason }) => <p dir="auto">{removeBidiControls(reason || "Not stated")}</p>,
        ],
        [
          "State",
          "lg:w-28 max-lg:col-start-3 max-lg:text-right",
          (anchor) => (
            <>
              <State anchor={anchor} now={now} />
              {revocations.map(
                ({ seq, at }) =>
                  seq === anchor.seq && (
                    <small key={seq}>
                      <Time at={at} />
                    </small>
                  ),
              )}
            </>
          ),
        ],
        [
          "Valid",
          "lg:w-40 max-lg:col-span-2 max-lg:row-start-3",
          (anchor) => <Validity anchor={anchor} />,
        ],
        [
          "Jobs that count",
          "lg:w-52 max-lg:col-span-full max-lg:row-start-4",
          (anchor) => <Effect anchor={anchor} effect={findEffect(anchor)} />,
        ],
        [
          "Record",
          "end lg:w-30 max-lg:row-start-3",
          ({ seq, onChainTx, revokedSeq, revokedTx }) => (
            <>
              <RecordLink seq={seq} hash={onChainTx} explorerUrl={explorerUrl} />
              {revokedTx && (
                <small>
                  revoked <RecordLink seq={revokedSeq} hash={revokedTx} explorerUrl={explorerUrl} />
                </small>
              )}
            </>
          ),
        ],
      ]}
    />
  );
}

function AnchorName({ anchor: { walletAddress, name } }: { anchor: PublicAnchor }) {
  return (
    <span className="flex items-center gap-3 py-2">
      <Identicon wallet={walletAddress} className="size-8" />
      <span className="min-w-0">
        <Link href={`/agents/${walletAddress}`} title={walletAddress}>
          {name ? <UntrustedText>{name}</UntrustedText> : "Unregistered"}
        </Link>
        <small>{shortenHex(walletAddress)}</small>
      </span>
    </span>
  );
}

function Validity({ anchor: { from, until, revoked } }: { anchor: PublicAnchor }) {
  return (
    <>
      Since <Time at={from} />
      {until !== null && !revoked && (
        <small className={INLINE}>
          until <Time at={until} />
        </small>
      )}
      {(revoked || until === null) && (
        <small className={INLINE}>{revoked ? "void from the start" : "no end date"}</small>
      )}
    </>
  );
}

/** Shows whether the anchor counts for new outcomes. */
function State({ anchor: { until, revoked }, now }: { anchor: PublicAnchor; now: string }) {
  if (revoked) return <Mark mark="no">Revoked</Mark>;
  const isExpired = until !== null && until <= now;
  return isExpired ? <Mark mark="unclear">Expired</Mark> : <Mark mark="yes">Active</Mark>;
}

interface EffectProps {
  anchor: PublicAnchor;
  effect: AnchorEffects[number] | undefined;
}

function Effect({ anchor, effect }: EffectProps) {
  if (anchor.revoked) return <span className="text-muted">None</span>;
  if (!effect) return <span className="text-muted">No outcome yet</span>;
  const { outcomes, agents, paidUsdc } = effect;
  return (
    <>
      {formatCount(outcomes, "job")}
      <small className={INLINE}>
        {formatCount(agents, "agent")}
        {paidUsdc > 0 && `, ${formatUsdc(paidUsdc)} paid`}
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
