import { PartyLink } from "@/components/network/list-cells";
import { formatAmount } from "@/components/ui/format";
import { Table } from "@/components/ui/table";
import type { AgentLimit } from "@/server/explorer/schema";
import { LIMIT_RULES } from "@/server/lib/describe-limit";

/** Shows how much an agent can be trusted with, as a sum, and the clients behind it. */
export function LimitDetails({ limit }: { limit: AgentLimit }) {
  const { limitUsdc, earnedUsdc, failedUsdc, reservedUsdc, clients } = limit;
  const rows = [
    ...clients.map(
      (client, index) =>
        [
          <PartyLink key={client.walletAddress} party={client} />,
          index === 0 ? "the largest client is left out" : "anchored client",
          client.paidUsdc,
        ] as const,
    ),
    ["Earned", `successes for anchored clients, ${LIMIT_RULES.earnedDays} days`, earnedUsdc],
    ["Failed", `paid for failed work, ${LIMIT_RULES.failedDays} days`, -failedUsdc],
    ["Reserved", "signed upfront agreements without a result", -reservedUsdc],
    ["Limit", "under an agreement; plain payments are not covered", limitUsdc],
  ] as const;
  return (
    <Table
      caption="How the limit comes about"
      className="text-sm"
      rows={rows}
      columns={[
        ["Part", "py-2 text-left", ([name]) => name],
        ["", "py-2 pl-4 text-left text-muted", ([, meaning]) => meaning],
        ["USDC", "py-2 pl-4 text-right tabular-nums", ([, , usdc]) => formatAmount(usdc)],
      ]}
    />
  );
}
