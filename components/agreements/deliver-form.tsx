"use client";

import { ConfirmAction } from "@/components/account/action-button";
import { trpc } from "@/components/trpc";
import { KEEPS_PAGE } from "@/components/wallet/wallet-shell";
import type { Agreement } from "@/server/agreements/schema";
import { DeliverableForm } from "./deliverable-form";

/** Lets the contractor try a deliverable as often as it likes, and deliver once. */
export function DeliverForm({ agreement: { agreementId, terms } }: { agreement: Agreement }) {
  const attempt = trpc.agreements.check.useMutation(KEEPS_PAGE);
  const deliver = trpc.outcomes.submit.useMutation();
  const hasFailed = attempt.data?.passed === false;
  return (
    <DeliverableForm
      name="Deliver"
      attempt={attempt}
      takesUrl={terms.delivery === "content-or-url"}
      onTry={(deliverable) => attempt.mutateAsync({ agreementId, ...deliverable })}
      actions={(deliverable) => (
        <ConfirmAction
          label="Deliver"
          small={false}
          disabled={deliverable === null}
          target="this deliverable"
          variant={hasFailed ? "danger" : "primary"}
          question={
            hasFailed ? "It fails, so the verdict will be a failure." : "You can deliver only once."
          }
          confirm="Deliver it"
          run={() => deliver.mutateAsync({ agreementId, ...deliverable })}
        />
      )}
    />
  );
}
