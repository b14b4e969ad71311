"use client";

import { keepPreviousData } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { formatDateTime, formatUsdc, shortenHex } from "@/components/ui/format";
import type { DisputeTerms } from "@/server/disputes/schema";
import type { OutcomesPage } from "@/server/explorer/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { StakeForm } from "./stake-form";

interface Props {
  wallet: string;
  initial: OutcomesPage;
  terms: DisputeTerms;
  /** When the page was made. */
  now: number;
}

/** The agent's outcomes; a recorded verdict can be disputed from here. */
export function OutcomesSection({ wallet, initial, terms, now }: Props) {
  const [page, setPage] = useState(0);
  const input = { walletAddress: wallet, page, size: initial.size };
  const outcomes = trpc.explorer.outcomes.useQuery(input, {
    initialData: page === 0 ? initial : undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.content.some(({ status }) => status === "EVALUATING") ? 3_000 : 30_000,
  });
  const { content, totalPages } = outcomes.data ?? initial;
  if (content.length === 0) {
    return (
      <p className="text-muted">
        None yet. Your agent submits an outcome with its API key: <code>POST /api/v1/outcome</code>.
      </p>
    );
  }
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {content.map((outcome) => (
          <OutcomeRow
            key={outcome.outcomeId}
            outcome={outcome}
            wallet={wallet}
            isDisputable={
              outcome.resolvedAt !== undefined &&
              outcome.disputeId === undefined &&
              now < Date.parse(outcome.resolvedAt) + terms.disputeWindowMs
            }
          />
        ))}
      </ul>
      {totalPages > 1 && (
        <div className="mt-4 flex items-center justify-between gap-4 text-sm">
          <Button small disabled={page === 0} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          <span className="text-muted">
            Page {page + 1} of {totalPages}
          </span>
          <Button small disabled={page + 1 >= totalPages} onClick={() => setPage(page + 1)}>
            Older
          </Button>
        </div>
      )}
    </>
  );
}

interface RowProps {
  outcome: PublicOutcome;
  wallet: string;
  isDisputable: boolean;
}

function OutcomeRow({ outcome, wallet, isDisputable }: RowProps) {
  const [disputing, setDisputing] = useState(false);
  const worked = outcome.contractorAgentAddress === wallet;
  const other = worked ? outcome.requesterAgentAddress : outcome.contractorAgentAddress;
  return (
    <li className="py-3.5">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
        <span className="w-28">
          <VerdictMark verdict={outcome.finalVerdict ?? outcome.verdict} />
        </span>
        <span className="min-w-0 flex-1 basis-56">
          <Link
            href={`/outcomes/${outcome.outcomeId}`}
            prefetch={false}
            className="font-medium underline-offset-2 hover:underline"
          >
            {outcome.taskCategory}
          </Link>
          <span className="text-sm text-muted">
            {worked ? " for " : " by "}
            <span title={other}>{shortenHex(other)}</span>
            <span aria-hidden="true"> · </span>
            {formatUsdc(outcome.valueUsdc)}
            <span className="block">{formatDateTime(outcome.submittedAt)}</span>
          </span>
        </span>
        {outcome.disputeId && (
          <a href="#disputes" className="text-sm underline underline-offset-2">
            Disputed
          </a>
        )}
        {isDisputable && (
          <Button
            small
            aria-expanded={disputing}
            aria-label={`Dispute the verdict on ${outcome.taskCategory} of ${formatDateTime(outcome.submittedAt)}`}
            onClick={() => setDisputing(!disputing)}
          >
            Dispute
          </Button>
        )}
      </div>
      {disputing && isDisputable && (
        <div className="mt-4 rounded-lg border border-line p-4 sm:p-5">
          <p className="mb-4 text-sm text-muted">
            The judge looks again at the outcome, with what both of you say and show.
          </p>
          <StakeForm
            subject={{ action: "open", id: outcome.outcomeId }}
            wallet={wallet}
            onClose={() => setDisputing(false)}
          />
        </div>
      )}
    </li>
  );
}
