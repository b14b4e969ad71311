import Link from "next/link";
import { formatAmount, formatDateTime, shortenHex } from "@/components/ui/format";
import { Hex } from "@/components/ui/hex";
import type { ListedOutcome } from "@/server/explorer/schema";
import { BackingMark } from "./backing-mark";
import { VerdictMark } from "./verdict-mark";

/** Outcomes as seen from one wallet: what it did in each, and how it ended. */
export function OutcomeList({
  outcomes,
  wallet,
  explorerUrl,
}: {
  outcomes: ListedOutcome[];
  wallet: string;
  explorerUrl: string | null;
}) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {outcomes.map((outcome) => {
        const worked = outcome.contractorAgentAddress === wallet;
        const other = worked ? outcome.requesterAgentAddress : outcome.contractorAgentAddress;
        return (
          <li
            key={outcome.outcomeId}
            className="relative grid gap-x-6 gap-y-1 py-3.5 hover:bg-sunken sm:grid-cols-[9rem_1fr_auto]"
          >
            <VerdictMark verdict={outcome.finalVerdict ?? outcome.verdict} />
            <div className="min-w-0">
              <Link
                href={`/outcomes/${outcome.outcomeId}`}
                className="font-medium underline-offset-2 after:absolute after:inset-0 hover:underline"
              >
                {outcome.taskCategory}
              </Link>
              <span className="text-sm text-muted">
                {worked ? " for " : " by "}
                <span title={other}>{shortenHex(other)}</span>
                {worked ? "" : " (as requester)"}
              </span>
              <p className="mt-0.5 flex flex-wrap gap-x-4">
                <BackingMark backing={outcome.backing} />
                {outcome.judge?.kind === "heuristic" && (
                  <span
                    className="text-sm text-muted"
                    title="Judged by the built-in rules: they find obvious defects and assess no correctness"
                  >
                    Built-in judge
                  </span>
                )}
                {outcome.finalVerdict !== outcome.verdict && (
                  <span className="text-sm text-muted">Changed by a dispute</span>
                )}
              </p>
            </div>
            <div className="text-sm text-muted sm:text-right">
              {formatAmount(outcome.valueUsdc)} USDC
              <span aria-hidden="true"> · </span>
              <time dateTime={outcome.submittedAt}>{formatDateTime(outcome.submittedAt)}</time>
            </div>
            {outcome.onChainTx && (
              // Above the link that covers the line.
              <details className="relative z-10 min-w-0 text-xs text-muted sm:col-span-2 sm:col-start-2">
                <summary className="w-fit cursor-pointer py-1">Its record on chain</summary>
                <p className="pb-1">
                  Transaction{" "}
                  <Hex
                    value={outcome.onChainTx}
                    name="transaction hash"
                    href={explorerUrl && `${explorerUrl}/tx/${outcome.onChainTx}`}
                  />
                  , log {outcome.recordIndex}
                </p>
              </details>
            )}
          </li>
        );
      })}
    </ul>
  );
}
