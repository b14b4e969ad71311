"use client";

import { useRouter } from "next/navigation";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { ErrorNotice } from "@/components/wallet/error-notice";
import type { Agreement } from "@/server/agreements/schema";
import { DeliverableForm } from "./deliverable-form";

/** By whether the deliverable passed, once it was tried. */
const VARIANTS: Record<string, "primary" | "danger"> = { true: "primary", false: "danger" };

interface Props {
  agreement: Agreement;
  /** Whether it is the contractor's turn to deliver; otherwise a deliverable can only be tried. */
  isDue: boolean;
}

/** Lets a party try a deliverable, and the contractor deliver it once. */
export function DeliverForm({ agreement: { agreementId, terms }, isDue }: Props) {
  const router = useRouter();
  const attempt = trpc.agreements.check.useMutation();
  const deliver = trpc.outcomes.submit.useMutation({ onSuccess: () => router.refresh() });
  return (
    <div className="grid grid-cols-1 gap-3">
      {isDue && <p>Try it as often as you like. You can deliver only once.</p>}
      <DeliverableForm
        name={isDue ? "Deliver" : "Try a deliverable"}
        attempt={attempt}
        takesUrl={terms.delivery === "content-or-url"}
        onTry={(deliverable) => attempt.mutateAsync({ agreementId, ...deliverable })}
        actions={(deliverable) =>
          isDue &&
          deliverable && (
            <ConfirmButton
              label="Deliver"
              small={false}
              target="this deliverable"
              variant={VARIANTS[String(attempt.data?.passed)]}
              question={
                attempt.data?.passed === false
                  ? "It fails, so the verdict will be a failure."
                  : "You can't take it back."
              }
              confirm="Deliver it"
              busy={deliver.isPending}
              onConfirm={() => deliver.mutate({ agreementId, ...deliverable })}
            />
          )
        }
      />
      <ErrorNotice error={deliver.error} />
    </div>
  );
}

/** Lets the client report that nothing was delivered in time. */
export function ReportForm({ agreementId }: { agreementId: string }) {
  const router = useRouter();
  const report = trpc.outcomes.submit.useMutation({ onSuccess: () => router.refresh() });
  return (
    <div className="grid gap-4">
      <p>Nothing was delivered in time. A report makes it a failure at once, without a judge.</p>
      <div>
        <Button
          variant="primary"
          busy={report.isPending}
          onClick={() => report.mutate({ agreementId })}
        >
          {report.isPending ? "Reporting…" : "Report non-delivery"}
        </Button>
      </div>
      <ErrorNotice error={report.error} />
    </div>
  );
}
