"use client";

import dynamic from "next/dynamic";
import { ActionButton, ConfirmAction } from "@/components/account/action-button";
import { trpc } from "@/components/trpc";
import { CopyLine } from "@/components/ui/code-block";
import { Fold } from "@/components/ui/fold";
import type { AgreementWithClient } from "@/server/agreements/schema";
import { toCancellationTypedData } from "@/server/agreements/typed-data";
import type { Party } from "@/server/disputes/schema";
import type { EscrowJobView } from "@/server/escrows/schema";
import { DeliverForm } from "./deliver-form";
import type { NextStep } from "./next-step";
import { Signature } from "./signature";
import { SignedSummary } from "./signed-summary";

const AgreementPayment = dynamic(() =>
  import("./agreement-payment").then((all) => all.AgreementPayment),
);
const DeliveryPayment = dynamic(() =>
  import("./agreement-payment").then((all) => all.DeliveryPayment),
);
const EscrowFunding = dynamic(() => import("./escrow-forms").then((all) => all.EscrowFunding));
const EscrowSubmission = dynamic(() =>
  import("./escrow-forms").then((all) => all.EscrowSubmission),
);

interface PartyProps {
  agreement: AgreementWithClient;
  wallet: string;
  role: Party;
}

interface Props extends PartyProps {
  next: NextStep;
  /** The escrow's job that holds its value, once the service has seen it. */
  job: EscrowJobView | undefined;
  /** Address of the agreement's page. */
  url: string;
}

/** Offers the one thing that the owner can do about an agreement now, and its cancellation. */
export function AgreementActions(props: Props) {
  const { agreement, next } = props;
  return (
    <div className="grid grid-cols-1 gap-5 empty:hidden">
      <StepAction {...props} />
      {agreement.status === "AGREED" && next.step !== "report" && <Cancellation {...props} />}
    </div>
  );
}

function StepAction({ next, job, url, ...party }: Props) {
  const { agreement, role } = party;
  const { agreementId, outcomeId } = agreement;
  const { mutateAsync: report } = trpc.outcomes.submit.useMutation();
  const isOwn = next.party === role;
  switch (next.step) {
    case "sign":
      return isOwn ? <Answer {...party} /> : <Invitation agreementId={agreementId} url={url} />;
    case "pay":
      if (outcomeId) return <DeliveryPayment {...party} deadline={next.deadline} />;
      return isOwn ? <AgreementPayment {...party} /> : <p>Start once it has arrived.</p>;
    case "fund":
      return isOwn ? (
        <EscrowFunding {...party} />
      ) : (
        <p>Start once it is funded. You can deliver then.</p>
      );
    case "deliver":
      return isOwn && <DeliverForm agreement={agreement} />;
    case "submit":
      return isOwn && job ? (
        <EscrowSubmission {...party} job={job} />
      ) : (
        <p>Then a success is paid.</p>
      );
    case "report":
      return (
        isOwn && (
          <div>
            <p className="mb-4">It becomes a failure at once, without a judge.</p>
            <ActionButton variant="primary" run={() => report({ agreementId })}>
              Report non-delivery
            </ActionButton>
          </div>
        )
      );
    default:
      return null;
  }
}

/** Lets the proposer send the link to the other party, or take the proposal back. */
function Invitation({ agreementId, url }: { agreementId: string; url: string }) {
  const { mutateAsync: cancel } = trpc.agreements.cancel.useMutation();
  return (
    <>
      <p>Send this link to the other party. Only the two of you can open it.</p>
      <CopyLine text={url} label="Copy the link to the agreement" />
      <div>
        <ConfirmAction
          label="Cancel proposal"
          target="to the other party"
          question="The proposal ends and can no longer be accepted."
          confirm="Cancel the proposal"
          run={() => cancel({ agreementId })}
        />
      </div>
    </>
  );
}

/** Lets the other party sign or decline a proposal. */
function Answer({ agreement, wallet, role }: PartyProps) {
  const { agreementId, terms, typedData, requesterAsClient } = agreement;
  const { mutateAsync: accept } = trpc.agreements.accept.useMutation();
  const { mutateAsync: decline } = trpc.agreements.decline.useMutation();
  return (
    <>
      {role === "contractor" && <p>{requesterAsClient.summary}</p>}
      <SignedSummary summary={typedData.message.summary} terms={terms} wallet={wallet} />
      <Signature
        wallet={wallet}
        typedData={typedData}
        label="Sign and accept"
        submit={(signature) => accept({ agreementId, signature })}
      >
        <ConfirmAction
          label="Decline"
          small={false}
          target="the agreement"
          question="The proposal ends. You can't accept it later."
          confirm="Decline it"
          run={() => decline({ agreementId })}
        />
      </Signature>
      {role === "requester" && terms.payment === "upfront" && terms.valueMicro !== "0" && (
        <Fold summary="Or accept by paying now">
          <p className="mb-3 text-sm text-muted">
            The payment is your signature, and binds it to this job.
          </p>
          <AgreementPayment agreement={agreement} wallet={wallet} />
        </Fold>
      )}
    </>
  );
}

/** Lets a party sign the cancellation of an agreement that both have signed. */
function Cancellation({ agreement, wallet, role }: PartyProps) {
  const { agreementId, typedData, termsHash, terms, cancellationRequestedBy } = agreement;
  const { mutateAsync: cancel } = trpc.agreements.cancel.useMutation();
  const isPaid = agreement.paidAt !== null;
  if (isPaid && terms.payment !== "escrow") {
    return (
      <p className="text-sm text-muted">
        Only the contractor's refund ends it now, signed with signRefund of the SDK.
      </p>
    );
  }
  if (cancellationRequestedBy === role) {
    return (
      <p role="status" className="text-sm text-muted">
        You signed a cancellation. It takes effect once the other party signs it too.
      </p>
    );
  }
  return (
    <Fold summary="Cancel this agreement" open={cancellationRequestedBy !== null}>
      <div className="grid gap-3 rounded-md bg-sunken p-4 text-sm">
        <p>
          It ends without an outcome once both have signed the cancellation.
          {isPaid && " The escrow then pays the client back."}
        </p>
        <Signature
          wallet={wallet}
          typedData={toCancellationTypedData(typedData.domain.verifyingContract, {
            chainId: terms.chainId,
            summary: typedData.message.summary,
            termsHash,
          })}
          label="Sign the cancellation"
          variant="secondary"
          submit={(signature) => cancel({ agreementId, signature })}
        />
      </div>
    </Fold>
  );
}
