import { PartyLink } from "@/components/network/list-cells";
import { Fold } from "@/components/ui/fold";
import { formatCount, formatUsdc, formatValue } from "@/components/ui/format";
import type { AgentLimit, Recommendation } from "@/server/explorer/risk/schema";
import { LIMIT_RULES } from "@/server/lib/describe-limit";
import { POLICY } from "@/server/reputation/policy";
import { Sum } from "./sum";

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
        {formatValue(recommendation.limitUsdc)}: {recommendation.label}
      </p>
      <Fold summary="What its payments add up to">
        <LimitSum limit={limit} name="Sum" />
      </Fold>
    </>
  );
}

function LimitSum({ limit, name }: Pick<Props, "limit"> & { name: string }) {
  const { limitUsdc, earnedUsdc, failedUsdc, reservedUsdc, clients } = limit;
  const { earnedDays, failedDays } = LIMIT_RULES;
  return (
    <div className="grid grid-cols-1 items-start gap-x-12 gap-y-3 lg:grid-cols-2">
      <Sum
        rows={[
          ["Earned", formatValue(earnedUsdc), `Successes for known clients, ${earnedDays} days`],
          ["Failed", formatValue(-failedUsdc), `Paid for failed work, ${failedDays} days`],
          ["Reserved", formatValue(-reservedUsdc), "Signed upfront terms without a result"],
          [
            name,
            formatValue(limitUsdc),
            `From an overall score of ${POLICY.trustedFrom}, without warnings`,
          ],
        ]}
      />
      {clients.length > 0 && (
        <Fold summary={`${formatCount(clients.length, "known client")}, the largest left out`}>
          <ul className="text-sm">
            {clients.map((client) => (
              <li key={client.walletAddress} className="flex justify-between gap-4 py-1">
                <PartyLink party={client} />
                <span className="tabular-nums">{formatUsdc(client.paidUsdc)}</span>
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </div>
  );
}
