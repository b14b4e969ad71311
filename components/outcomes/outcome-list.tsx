import Link from "next/link";
import { StrangerText } from "@/components/site/stranger-text";
import { formatDateTime, formatDay, formatUsdc, shortenHex } from "@/components/ui/format";
import { Hex } from "@/components/ui/hex";
import type { ListedOutcome, Names } from "@/server/explorer/schema";
import { BackingMark } from "./backing-mark";
import { VerdictMark } from "./verdict-mark";

interface Props {
  outcomes: ListedOutcome[];
  wallet: string;
  /** Of the other parties that are registered. */
  names: Names;
  explorerUrl: string | null;
}

/** Outcomes as seen from one wallet: what it did in each, and how it ended. */
export function OutcomeList({ outcomes, wallet, names, explorerUrl }: Props) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {outcomes.map((outcome) => {
        const worked = outcome.contractorAgentAddress === wallet;
        const other = worked ? outcome.requesterAgentAddress : outcome.contractorAgentAddress;
        return (
          <li
            key={outcome.outcomeId}
            className="relative grid grid-cols-[1fr_auto] items-baseline gap-x-4 gap-y-1 py-3.5 hover:bg-sunken sm:grid-cols-[6.5rem_1fr_7.5rem_12rem]"
          >
            <div className="flex flex-wrap gap-x-4 max-sm:row-start-2 sm:contents">
              <span className="sm:col-start-1 sm:row-start-1">
                <VerdictMark verdict={outcome.finalVerdict ?? outcome.verdict} />
              </span>
              <span className="sm:col-start-3 sm:row-start-1">
                <BackingMark backing={outcome.backing} />
              </span>
            </div>
            <p className="min-w-0 break-words max-sm:row-start-1 sm:col-start-2 sm:row-start-1">
              <Link
                href={`/outcomes/${outcome.outcomeId}`}
                className="font-medium underline-offset-2 after:absolute after:inset-0 hover:underline"
              >
                {outcome.taskCategory}
              </Link>
              <span className="text-muted">
                {worked ? " for " : " by "}
                <span title={other}>
                  <StrangerText>{names[other] ?? shortenHex(other)}</StrangerText>
                </span>
                {worked ? "" : " (as requester)"}
              </span>
            </p>
            <p className="text-right max-sm:col-start-2 max-sm:row-start-1 sm:col-start-4 sm:row-start-1">
              {formatUsdc(outcome.valueUsdc)}
            </p>
            <time
              dateTime={outcome.submittedAt}
              title={formatDateTime(outcome.submittedAt)}
              className="text-right text-sm text-muted max-sm:col-start-2 max-sm:row-start-2 sm:col-start-4 sm:row-start-2"
            >
              <span className="sm:hidden">{formatDay(outcome.submittedAt)}</span>
              <span className="max-sm:hidden">{formatDateTime(outcome.submittedAt)}</span>
            </time>
            <Notes outcome={outcome} explorerUrl={explorerUrl} />
          </li>
        );
      })}
    </ul>
  );
}

/** Where it is recorded, and what must be known of the verdict. */
function Notes({ outcome, explorerUrl }: { outcome: ListedOutcome; explorerUrl: string | null }) {
  return (
    <div className="col-span-full flex min-w-0 flex-wrap gap-x-4 text-sm text-muted sm:col-span-2 sm:col-start-2 sm:row-start-2">
      {outcome.judge?.kind === "heuristic" && (
        <span title="Judged by the built-in rules: they find obvious defects and assess no correctness">
          Built-in judge
        </span>
      )}
      {outcome.finalVerdict !== outcome.verdict && <span>Changed by a dispute</span>}
      {outcome.refund && (
        <span title="The contractor returned the payment: this outcome counts for nothing">
          Refunded
        </span>
      )}
      {outcome.onChainTx && (
        // Above the link that covers the line.
        <details className="relative z-10 min-w-0 open:basis-full">
          <summary className="w-fit cursor-pointer hover:text-ink">Its record on chain</summary>
          <p className="py-1">
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
    </div>
  );
}
