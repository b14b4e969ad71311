import { PartyLink } from "@/components/network/list-cells";
import { KeyFigures } from "@/components/site/key-figures";
import { Fold } from "@/components/ui/fold";
import { formatAmount, formatCount, formatUsdc } from "@/components/ui/format";
import type { AgentLimit, Recommendation } from "@/server/explorer/risk/schema";
import { LIMIT_RULES } from "@/server/lib/describe-limit";
import { POLICY } from "@/server/reputation/policy";

interface Props {
  limit: AgentLimit;
  recommendation: Recommendation;
}

/**
 * Shows how much an agent can be trusted with, as a sum, and the clients behind it on demand. The sum is
 * folded if something else than it decides that the limit is 0.
 */
export function LimitDetails({ limit, recommendation }: Props) {
  if (recommendation.limitUsdc === limit.limitUsdc) return <LimitSum limit={limit} name="Limit" />;
  return (
    <>
      <p className="text-lg font-medium">
        {formatAmount(recommendation.limitUsdc)} USDC: {recommendation.label}
      </p>
      <Fold summary="What its payments add up to">
        <LimitSum limit={limit} name="Sum" />
      </Fold>
    </>
  );
}

function LimitSum({ limit, name }: Pick<Props, "limit"> & { name: string }) {
  const { limitUsdc, earnedUsdc, failedUsdc, reservedUsdc, clients } = limit;
  const figures = [
    [earnedUsdc, "Earned", `Successes for known clients, ${LIMIT_RULES.earnedDays} days`],
    [-failedUsdc, "Failed", `Paid for failed work, ${LIMIT_RULES.failedDays} days`],
    [-reservedUsdc, "Reserved", "Signed upfront terms without a result"],
    [limitUsdc, name, `From an overall score of ${POLICY.trustedFrom}, without warnings`],
  ] as const;
  return (
    <div className="grid gap-3 text-sm">
      <KeyFigures
        figures={figures.map(([usdc, label, note]) => ({ label, value: formatUsdc(usdc), note }))}
      />
      {clients.length > 0 && (
        <Fold summary={`${formatCount(clients.length, "known client")}, the largest left out`}>
          <ul className="gap-x-10 sm:columns-2">
            {clients.map((client) => (
              <li key={client.walletAddress} className="flex justify-between gap-4 py-1">
                <PartyLink party={client} />
                <span className="tabular-nums">{formatAmount(client.paidUsdc)}</span>
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </div>
  );
}
