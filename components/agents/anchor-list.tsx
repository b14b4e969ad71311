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
 * Lists known clients with the operator's reason, their validity and effect. A client
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
          "Valid",
          "lg:w-40 max-lg:col-start-3 max-lg:text-right",
          (anchor) => (
            <Validity
              anchor={anchor}
              revokedAt={revocations.find(({ seq }) => seq === anchor.seq)?.at}
              now={now}
              explorerUrl={explorerUrl}
            />
          ),
        ],
        [
          "Jobs that count",
          "lg:w-52 max-lg:col-span-full max-lg:row-start-3",
          (anchor) => <Effect anchor={anchor} effect={findEffect(anchor)} />,
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

interface ValidityProps {
  anchor: PublicAnchor;
  revokedAt: string | undefined;
  now: string;
  explorerUrl: string | null;
}

/** Shows since when a client is listed, or when that ended, with a link to the record. */
function Validity({ anchor, revokedAt, now, explorerUrl }: ValidityProps) {
  const { from, until, revoked, onChainTx, revokedTx } = anchor;
  const isExpired = until !== null && until <= now;
  const shown = revoked ? (
    <>
      <Mark mark="no">Revoked</Mark>
      {revokedAt && (
        <small>
          <Time at={revokedAt} />
        </small>
      )}
    </>
  ) : (
    <>
      {isExpired ? <Mark mark="unclear">Expired</Mark> : <>Since {<Time at={from} />}</>}
      {until !== null && (
        <small>
          until <Time at={until} />
        </small>
      )}
    </>
  );
  const hash = revokedTx ?? onChainTx;
  return explorerUrl ? <a href={`${explorerUrl}/tx/${hash}`}>{shown}</a> : shown;
}

interface EffectProps {
  anchor: PublicAnchor;
  effect: AnchorEffects[number] | undefined;
}

function Effect({ anchor, effect }: EffectProps) {
  if (anchor.revoked) return <span className="text-muted">No jobs count</span>;
  if (!effect) return <span className="text-muted">No job yet</span>;
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
