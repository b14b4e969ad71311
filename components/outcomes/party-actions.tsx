import { getOutcomeActions } from "@/components/account/open-tasks";
import { OwnerPageLink } from "@/components/site/owner-page-link";
import { formatDateTime, formatUsdc } from "@/components/ui/format";
import { Panel } from "@/components/ui/panel";
import type { DisputeTerms } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";

interface Props {
  outcome: PublicOutcome;
  terms: DisputeTerms;
  stakeUsdc: string;
  /** Milliseconds. */
  now: number;
}

/**
 * Shows what each party can still do about an outcome, with links to the forms. Pages are the same for
 * everyone, so it names the party instead of asking who looks at it.
 */
export function PartyActions({ outcome, terms, stakeUsdc, now }: Props) {
  const { contractorAgentAddress: contractor, requesterAgentAddress: requester } = outcome;
  const own = getOutcomeActions(outcome, { wallet: contractor, terms, now });
  const clients = getOutcomeActions(outcome, { wallet: requester, terms, now });
  const stake = `It takes a stake of ${stakeUsdc} USDC, returned to whoever wins.`;
  const actions = [
    ...(own.canDispute ? [["Contractor", "Dispute the failure", stake]] : []),
    ...(own.canRefund
      ? [
          [
            "Contractor",
            "Refund the payment",
            `${formatUsdc(outcome.paidUsdc)} back to the client: the outcome then no longer counts.`,
          ],
        ]
      : []),
    ...(clients.canDispute ? [["Client", "Dispute the success", stake]] : []),
  ] as const;
  if (actions.length === 0 || own.until === null) return null;
  return (
    <Panel title="What the parties can do" note={`Until ${formatDateTime(own.until)}`}>
      <ul className="grid gap-3">
        {actions.map(([party, action, effect]) => (
          <li key={action}>
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <OwnerPageLink
                href={`/dashboard/outcomes?outcome=${outcome.outcomeId}`}
                className="font-medium text-accent underline-offset-2 hover:underline"
              >
                {action}
              </OwnerPageLink>
              <span className="text-sm text-muted">{party}</span>
            </p>
            <p className="text-sm text-muted">{effect}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
