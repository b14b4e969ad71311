import { PartyLink } from "@/components/network/list-cells";
import { formatAmount, formatCount } from "@/components/ui/format";
import { Table } from "@/components/ui/table";
import type { AgentLimit } from "@/server/explorer/schema";
import { LIMIT_RULES } from "@/server/lib/describe-limit";

/** Shows how much an agent can be trusted with, as a sum, and the clients behind it on demand. */
export function LimitDetails({ limit }: { limit: AgentLimit }) {
  const { limitUsdc, earnedUsdc, failedUsdc, reservedUsdc, clients } = limit;
  const rows = [
    ["Earned", `successes for anchored clients, ${LIMIT_RULES.earnedDays} days`, earnedUsdc],
    ["Failed", `paid for failed work, ${LIMIT_RULES.failedDays} days`, -failedUsdc],
    [
      "Reserved",
      "upfront terms that it signed, without a result: the service’s word",
      -reservedUsdc,
    ],
    ["Limit", "under an agreement; plain payments are not covered", limitUsdc],
  ] as const;
  return (
    <div className="grid gap-3 text-sm">
      <Table
        caption="How the limit comes about"
        rows={rows}
        columns={[
          [
            "Part",
            "py-2 text-left",
            ([name, meaning], index) => (
              <>
                <span className={index === 3 ? "font-medium" : ""}>{name}</span>{" "}
                <span className="text-muted max-sm:block sm:pl-2">{meaning}</span>
              </>
            ),
          ],
          ["USDC", "py-2 pl-4 text-right tabular-nums", ([, , usdc]) => formatAmount(usdc)],
        ]}
      />
      {clients.length > 0 && (
        <details>
          <summary className="cursor-pointer text-muted">
            {formatCount(clients.length, "anchored client")}, the largest left out
          </summary>
          <ul className="mt-2 gap-x-10 sm:columns-2">
            {clients.map((client) => (
              <li key={client.walletAddress} className="flex justify-between gap-4 py-1">
                <PartyLink party={client} />
                <span className="tabular-nums">{formatAmount(client.paidUsdc)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
