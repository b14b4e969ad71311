import { AgentLink } from "@/components/agents/agent-link";
import { Term } from "@/components/site/term";
import { UntrustedText } from "@/components/site/untrusted-text";
import { capitalize, formatUsdc } from "@/components/ui/format";
import { Mark } from "@/components/ui/mark";
import { Time } from "@/components/ui/time";
import { getWinner } from "@/server/disputes/parties";
import type { Dispute, Party } from "@/server/disputes/schema";
import type { Names } from "@/server/explorer/schema";
import { removeBidiControls } from "@/server/lib/bidi";
import { PARTY_NAMES } from "./describe-dispute";

/** Shows both parties side by side: claim, statement, evidence, stake and result. */
export function Claims({ dispute, names }: { dispute: Dispute; names: Names }) {
  return (
    <div className="grid grid-cols-1 gap-px overflow-hidden rounded-lg border border-line bg-line md:grid-cols-2">
      {dispute.stakes.map((stake) => (
        <PartyClaim key={stake.party} dispute={dispute} stake={stake} names={names} />
      ))}
    </div>
  );
}

type Stake = Dispute["stakes"][number];
type Statement = Dispute["statements"][number];

interface PartyProps {
  dispute: Dispute;
  stake: Stake;
  names: Names;
}

const CLAIMS: Record<Party, string> = {
  contractor: "Claims the work succeeded",
  requester: "Claims the work failed",
};

function PartyClaim({ dispute, stake, names }: PartyProps) {
  const { party, walletAddress } = stake;
  const statement = dispute.statements.find((one) => one.party === party);
  const isOpener = party === dispute.openedBy;
  return (
    <section className="flex min-w-0 flex-col bg-raised p-5 sm:p-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="min-w-0 text-xl font-semibold break-words">
          <AgentLink wallet={walletAddress} name={names[walletAddress]} />
        </h2>
        {dispute.verdict && <WonOrLost hasWon={getWinner(dispute.verdict) === party} />}
      </div>
      <p className="mt-0.5 text-sm text-muted">
        {capitalize(PARTY_NAMES[party])}
        {statement && (
          <>
            , {isOpener ? "opened" : "answered"} <Time at={statement.at} isExact />
          </>
        )}
      </p>
      {statement ? (
        <div className="mt-4">
          <p className="font-medium">{CLAIMS[party]}</p>
          <StatementText statement={statement} party={party} />
        </div>
      ) : (
        <p className="mt-4 text-muted">
          {dispute.phase === "awaiting-answer" ? "Has not answered yet." : "Did not answer."}
        </p>
      )}
      <p className="mt-auto pt-5 text-sm">
        <span className="text-muted">
          <Term>Stake</Term>{" "}
        </span>
        {stake.amountUsdc !== null && (
          <span className="font-medium">{formatUsdc(stake.amountUsdc)}, </span>
        )}
        {STAKE_STATES[stake.state]}
      </p>
    </section>
  );
}

const STAKE_STATES: Record<Stake["state"], string> = {
  none: "not paid",
  held: "held until the dispute is resolved",
  returning: "being returned once its payment is final on chain",
  returned: "returned",
  forfeited: "forfeited to the operator of this service",
  gone: "removed by a chain reorg; doesn't count",
};

/** Shows who won. */
export const WonOrLost = ({ hasWon }: { hasWon: boolean }) => (
  <Mark mark={hasWon ? "yes" : "no"}>{hasWon ? "Won" : "Lost"}</Mark>
);

/** Shows a statement and its evidence. Evidence URLs are untrusted: text, not links. */
export function StatementText({ statement, party }: { statement: Statement; party: Party }) {
  const { text, evidenceUrl, evidenceHash, evidenceFailure, deliverableHash } = statement;
  const isDocument = deliverableHash !== null && deliverableHash === evidenceHash;
  return (
    <>
      {text ? (
        <blockquote
          dir="auto"
          className="mt-2 border-l-2 border-line pl-4 break-words whitespace-pre-line"
        >
          {removeBidiControls(text)}
        </blockquote>
      ) : (
        <p className="mt-2 text-muted">No statement.</p>
      )}
      {evidenceUrl && (
        <p className="mt-2 text-sm break-all text-muted">
          {isDocument ? "Document" : "Evidence"}: <UntrustedText>{evidenceUrl}</UntrustedText>
        </p>
      )}
      {evidenceFailure && <p className="mt-1 text-sm">Document not used: {evidenceFailure}</p>}
      {deliverableHash && (
        <p className="mt-3 text-sm">
          The {PARTY_NAMES[party]} supplied {isDocument ? "this document" : "a text"} as its
          deliverable. The judge reviews it instead of the client's version. Nothing but the
          contractor's word shows that it was delivered earlier.
        </p>
      )}
    </>
  );
}
