import { awaitsAnswerFrom, getOutcomeActions } from "@/components/account/open-tasks";
import { PARTY_NAMES } from "@/components/disputes/describe-dispute";
import {
  areWordsWeighed,
  describeGrounds,
  explainNoDispute,
} from "@/components/disputes/dispute-option";
import { OwnerPageLink } from "@/components/site/owner-page-link";
import { capitalize, formatDateTime, formatUsdc } from "@/components/ui/format";
import { Panel } from "@/components/ui/panel";
import { READABLE_MS } from "@/server/agreements/periods";
import { getOtherParty } from "@/server/disputes/parties";
import type { Dispute, DisputeTerms } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";

interface Props {
  outcome: PublicOutcome;
  dispute: Dispute | null;
  terms: DisputeTerms;
  stakeUsdc: string;
  /** Points by which overturning the verdict would move the contractor's score; null if unknown. */
  ifOverturned: number | null;
  /** Milliseconds. */
  now: number;
}

/**
 * Shows what each party can still do about an outcome and when that pays off, with links to the forms.
 * Pages are the same for everyone, so it names the party instead of asking who looks at it.
 */
export function PartyActions(props: Props) {
  const { outcome, dispute, terms, ifOverturned } = props;
  const actions = listPartyActions(props);
  if (actions.length === 0) return null;
  const canBeDisputed = outcome.resolvedAt && !dispute && !outcome.refund && !outcome.superseded;
  return (
    <Panel title="What the parties can do">
      <ul className="grid gap-4">
        {actions.map(({ party, action, href, effect, until }) => (
          <li key={action}>
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <OwnerPageLink
                href={href}
                className="font-medium text-accent underline-offset-2 hover:underline"
              >
                {action}
              </OwnerPageLink>
              <span className="text-sm text-muted">
                {party}, until {formatDateTime(until)}
              </span>
            </p>
            <p className="mt-0.5 text-sm text-muted">{effect}</p>
          </li>
        ))}
      </ul>
      {canBeDisputed && (
        <p className="mt-4 text-sm text-muted empty:hidden">
          {explainNoDispute(outcome, terms, ifOverturned)}
        </p>
      )}
    </Panel>
  );
}

interface PartyAction {
  party: string;
  action: string;
  href: string;
  /** What it costs, and when it pays off. */
  effect: string;
  /** ISO 8601. */
  until: string;
}

/** Returns what the parties can still do, the contractor's actions first. Simulated ones have no owners. */
export function listPartyActions(props: Props): PartyAction[] {
  const { outcome, terms, stakeUsdc, ifOverturned, now } = props;
  if (outcome.simulated) return [];
  const stake = `Stake ${stakeUsdc} USDC: the winner's is returned, the operator of this service keeps the loser's.`;
  const form = `/dashboard/outcomes?outcome=${outcome.outcomeId}`;
  const actions = (["contractor", "requester"] as const).flatMap((role): PartyAction[] => {
    const wallet =
      role === "contractor" ? outcome.contractorAgentAddress : outcome.requesterAgentAddress;
    const party = capitalize(PARTY_NAMES[role]);
    const { canDispute, canRefund, until } = getOutcomeActions(outcome, { wallet, terms, now });
    if (until === null) return [];
    const recorded = role === "contractor" ? "failure" : "success";
    const result = outcome.assessed === false ? "verdict" : recorded;
    const offer = (applies: boolean, action: string, effect: string) =>
      applies ? [{ party, action, href: `${form}#form`, effect, until }] : [];
    return [
      ...offer(
        canDispute && explainNoDispute(outcome, terms, ifOverturned) === null,
        `Dispute the ${result}`,
        `${describeGrounds(outcome, { ...terms, ifOverturned })} ${stake}`,
      ),
      ...offer(
        canRefund,
        "Refund the payment",
        `Returns ${formatUsdc(outcome.paidUsdc)}, and the job stops counting. Final: no dispute afterwards.`,
      ),
    ];
  });
  const readableUntil = Date.parse(outcome.resolvedAt ?? "") + terms.disputeWindowMs + READABLE_MS;
  const isDelivered = outcome.judge?.kind !== "gate";
  if (now < readableUntil && isDelivered && !outcome.rebuilt) {
    actions.push({
      party: "Both",
      action: "Read the deliverable",
      href: `${form}&show=deliverable`,
      effect: outcome.agreed
        ? "The client once the work has succeeded, or if it paid upfront; the contractor at once."
        : "As it was judged, with its hash.",
      until: new Date(readableUntil).toISOString(),
    });
  }
  return [...listAnswers(props, stake), ...actions];
}

/** Returns the answer to a dispute, if it waits for one. */
function listAnswers({ outcome, dispute, terms }: Props, stake: string): PartyAction[] {
  if (!dispute) return [];
  const other = getOtherParty(dispute.openedBy);
  const wallet =
    other === "contractor" ? outcome.contractorAgentAddress : outcome.requesterAgentAddress;
  if (!awaitsAnswerFrom(dispute, wallet)) return [];
  const use = areWordsWeighed(outcome, terms)
    ? "Pays off if you have evidence for the verdict."
    : "Decides nothing: words count only if they concede.";
  return [
    {
      party: capitalize(PARTY_NAMES[other]),
      action: "Answer the dispute",
      href: `/dashboard/disputes?dispute=${dispute.disputeId}#form`,
      effect: `${use} ${stake} Without an answer, the judge decides on what it has.`,
      until: dispute.expiresAt,
    },
  ];
}
