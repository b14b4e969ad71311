import { PartyLink } from "@/components/network/list-cells";
import { formatAmount } from "@/components/ui/format";
import { Table } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import type { AgentLimit } from "@/server/explorer/schema";
import { LIMIT_RULES } from "@/server/lib/describe-limit";

/** Shows how much an agent can be trusted with, as a sum, and the clients behind it. */
export function LimitDetails({ limit }: { limit: AgentLimit }) {
  const { limitUsdc, earnedUsdc, failedUsdc, reservedUsdc, clients } = limit;
  const parts = [
    [
      "Earned from known clients",
      `successes of ${LIMIT_RULES.earnedDays} days, without the largest client`,
      earnedUsdc,
    ],
    ["Failed", `paid in ${LIMIT_RULES.failedDays} days for work that failed`, -failedUsdc],
    ["Reserved", "signed upfront agreements without a result", -reservedUsdc],
    ["Limit", "under an agreement; plain payments are not covered", limitUsdc],
  ] as const;
  return (
    <div className="grid gap-x-10 gap-y-6 text-sm lg:grid-cols-2">
      <Table
        caption="How the limit comes about"
        className="self-start"
        rows={parts}
        columns={[
          [
            "Part",
            "py-2 text-left",
            ([name, meaning]) => (
              <>
                {name} <span className="block text-muted">{meaning}</span>
              </>
            ),
          ],
          ["USDC", "py-2 pl-4 text-right tabular-nums", ([, , usdc]) => formatAmount(usdc)],
        ]}
      />
      {clients.length === 0 ? (
        <p className="text-muted">
          No <TextLink href="/anchors">anchored client</TextLink> paid it for work that succeeded in
          the last {LIMIT_RULES.earnedDays} days.
        </p>
      ) : (
        <Table
          caption="Known clients"
          className="self-start"
          rows={clients}
          columns={[
            ["Known client", "py-2 text-left", (client) => <PartyLink party={client} />],
            [
              "Paid, USDC",
              "py-2 pl-4 text-right tabular-nums",
              ({ paidUsdc }, index) => (
                <>
                  {index === 0 && <span className="text-muted">left out: </span>}
                  {formatAmount(paidUsdc)}
                </>
              ),
            ],
          ]}
        />
      )}
    </div>
  );
}
