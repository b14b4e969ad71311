"use client";

import { ConfirmAction } from "@/components/account/action-button";
import { trpc } from "@/components/trpc";
import { KEEPS_PAGE } from "@/components/wallet/wallet-shell";
import type { Agreement } from "@/server/agreements/schema";
import { DeliverableForm } from "./deliverable-form";

/** By whether the deliverable passed, once it was tried. */
const VARIANTS = { true: "primary", false: "danger", undefined: "secondary" } as const;

interface Props {
  agreement: Agreement;
  /** Whether it is the contractor's turn to deliver; otherwise a deliverable can only be tried. */
  isDue: boolean;
}

/** Lets a party try a deliverable, and the contractor deliver it once. */
export function DeliverForm({ agreement: { agreementId, terms }, isDue }: Props) {
  const attempt = trpc.agreements.check.useMutation(KEEPS_PAGE);
  const deliver = trpc.outcomes.submit.useMutation();
  return (
    <div className="grid grid-cols-1 gap-3">
      {isDue && <p>Try it as often as you like. You can deliver only once.</p>}
      <DeliverableForm
        name={isDue ? "Deliver" : "Try a deliverable"}
        attempt={attempt}
        takesUrl={terms.delivery === "content-or-url"}
        onTry={(deliverable) => attempt.mutateAsync({ agreementId, ...deliverable })}
        actions={(deliverable) =>
          isDue && (
            <ConfirmAction
              label="Deliver"
              small={false}
              disabled={deliverable === null}
              target="this deliverable"
              variant={VARIANTS[`${attempt.data?.passed}`]}
              question={
                attempt.data?.passed === false
                  ? "It fails, so the verdict will be a failure."
                  : "You can't take it back."
              }
              confirm="Deliver it"
              run={() => deliver.mutateAsync({ agreementId, ...deliverable })}
            />
          )
        }
      />
    </div>
  );
}
