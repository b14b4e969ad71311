"use client";

import { formatDuration } from "@/components/disputes/time-left";
import { trpc } from "@/components/trpc";
import { formatDateTime } from "@/components/ui/format";
import { useNetwork } from "@/components/wallet/wallet-shell";
import { type Term, TermList } from "./term-list";
import type { Subject } from "./use-stake";

/** Says before the payment what is weighed, what it costs, and which deadlines apply. */
export function StakeTerms({ subject }: { subject: Subject }) {
  const network = useNetwork();
  const { data: terms } = trpc.disputes.terms.useQuery();
  const outcome = trpc.outcomes.get.useQuery(
    { outcomeId: subject.id },
    { enabled: subject.action === "open" },
  );
  const dispute = trpc.disputes.get.useQuery(
    { disputeId: subject.id },
    { enabled: subject.action === "answer" },
  );
  const stake = `${network.stakeUsdc} USDC stake. Returned if you win, forfeited if you lose.`;
  const { resolvedAt } = outcome.data ?? {};
  const openUntil =
    resolvedAt && terms ? Date.parse(resolvedAt) + terms.disputeWindowMs : undefined;
  const deadlines: Term[] =
    subject.action === "open"
      ? [
          ["Your deadline", formatDeadline(openUntil)],
          [
            "Their deadline to answer",
            terms ? `${formatDuration(terms.responseWindowMs)} after you open the dispute` : "…",
          ],
          ["If they don't answer", "The judge decides on the evidence. You don't win by default."],
        ]
      : [
          ["Your deadline", formatDeadline(dispute.data && Date.parse(dispute.data.expiresAt))],
          ["After your answer", "The review begins at once. You can answer only once."],
          [
            "If you don't answer",
            "The judge decides on the evidence. Not answering doesn't mean losing.",
          ],
        ];
  return (
    <TermList
      title="Before you pay"
      terms={[["What is weighed", REVIEWS[network.disputeReview]], ["Cost", stake], ...deadlines]}
    />
  );
}

const REVIEWS = {
  model:
    "A language model reviews the work again, with the task, the deliverable, both statements and both documents.",
  "checks-only":
    "No language model is configured: only automated checks review this dispute. They check the deliverable again. Statements and documents are published, but not weighed, except for a clear concession.",
} as const;

function formatDeadline(at: number | undefined): string {
  if (at === undefined) return "…";
  const left = at - Date.now();
  const time = formatDateTime(at);
  return left > 0 ? `${time}, ${formatDuration(left)} left` : `${time}, over`;
}
