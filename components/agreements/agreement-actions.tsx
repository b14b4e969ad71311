"use client";

import dynamic from "next/dynamic";
import { ActionButton, ConfirmAction } from "@/components/account/action-button";
import { trpc } from "@/components/trpc";
import { CopyLine } from "@/components/ui/code-block";
import { Fold } from "@/components/ui/fold";
import { formatDateTime, formatUsdc } from "@/components/ui/format";
import { Hex } from "@/components/ui/hex";
import { Notice } from "@/components/ui/notice";
import type { Agreement } from "@/server/agreements/schema";
import { toCancellationTypedData } from "@/server/agreements/typed-data";
import type { Party } from "@/server/disputes/schema";
import type { EscrowJobView } from "@/server/escrows/schema";
import { fromMicro } from "@/server/lib/usdc";
import { DeliverForm } from "./deliver-form";
import type { NextStep } from "./next-step";
import { Signature } from "./signature";
import { SignedSummary } from "./signed-summary";

const AgreementPayment = dynamic(() =>
  import("./agreement-payment").then((all) => all.AgreementPayment),
);
const DeliveryPayment = dynamic(() =>
  import("./delivery-payment").then((all) => all.DeliveryPayment),
);
const EscrowFunding = dynamic(() => import("./escrow-forms").then((all) => all.EscrowFunding));
const EscrowSubmission = dynamic(() =>
  import("./escrow-forms").then((all) => all.EscrowSubmission),
);

interface PartyProps {
  agreement: Agreement;
  wallet: string;
  role: Party;
}

interface Props extends PartyProps {
  next: NextStep;
  /** The escrow's job that holds its value, once the service has seen it. */
  job: EscrowJobView | undefined;
  /** Whether it is this owner's turn. */
  isOwn: boolean;
  /** Address of the agreement's page. */
  url: string;
}

/** Offers what the owner can do about an agreement now. */
export function AgreementActions({ agreement, job, next, isOwn, wallet, role, url }: Props) {
  const { agreementId } = agreement;
  const cancel = trpc.agreements.cancel.useMutation();
  const report = trpc.outcomes.submit.useMutation();
  const party = { agreement, wallet, role };
  switch (next.step) {
    case "sign":
      return isOwn ? (
        <Answer {...party} />
      ) : (
        <div className="grid gap-4">
          <p>Send this link to the other party. Only the two of you can open it.</p>
          <CopyLine text={url} label="Copy the link to the agreement" />
          <div>
            <ConfirmAction
              label="Cancel proposal"
              target="to the other party"
              question="The proposal ends and can no longer be accepted."
              confirm="Cancel the proposal"
              run={() => cancel.mutateAsync({ agreementId })}
            />
          </div>
        </div>
      );
    case "pay":
      return agreement.outcomeId ? (
        <DeliveryPayment {...party} deadline={next.deadline} />
      ) : (
        <Work {...party} isDue={false} />
      );
    case "fund":
      return <Work {...party} isDue={false} />;
    case "submit":
      return isOwn && job ? (
        <EscrowSubmission agreement={agreement} job={job} wallet={wallet} />
      ) : (
        <p>The contractor submits the hash of its text to the escrow, which then pays a success.</p>
      );
    case "deliver":
      return <Work {...party} isDue={isOwn} />;
    case "report":
      return isOwn ? (
        <div className="grid justify-items-start gap-4">
          <p>
            Nothing was delivered in time. A report makes it a failure at once, without a judge.
          </p>
          <ActionButton variant="primary" run={() => report.mutateAsync({ agreementId })}>
            Report non-delivery
          </ActionButton>
        </div>
      ) : (
        <p>Nothing was delivered in time. A minute later the client can report it as a failure.</p>
      );
    default:
      return null;
  }
}

/** Shows what is paid before the work, takes the deliverable, and lets a party cancel. */
function Work({ isDue, ...party }: PartyProps & { isDue: boolean }) {
  const { agreement } = party;
  return (
    <div className="grid grid-cols-1 gap-6">
      <UpfrontPayment {...party} />
      {agreement.terms.payment === "escrow" && <Escrow {...party} />}
      {isDue ? (
        <DeliverForm agreement={agreement} isDue />
      ) : (
        <Fold summary="Try a deliverable">
          <DeliverForm agreement={agreement} isDue={false} />
        </Fold>
      )}
      <Cancellation {...party} />
    </div>
  );
}

/** Has the client fund the escrow, and tells the contractor whether it is funded. */
function Escrow({ agreement, wallet, role }: PartyProps) {
  if (agreement.paidAt) {
    return role === "contractor" ? (
      <p>
        The escrow is funded. Once you have delivered, your wallet submits the hash of your text to
        it.
      </p>
    ) : null;
  }
  return role === "requester" ? (
    <EscrowFunding agreement={agreement} wallet={wallet} />
  ) : (
    <Notice role="status" title="The escrow is not funded yet">
      Work that you deliver now is unpaid. You can deliver here once your client has funded it, by{" "}
      {formatDateTime(agreement.terms.startBy)}.
    </Notice>
  );
}

/** Shows who pays whom upfront, with the form to pay. Renders nothing if the work comes first. */
function UpfrontPayment({ agreement, wallet, role }: PartyProps) {
  const { terms, paymentTxHash } = agreement;
  if (!isPaidUpfront(terms)) return null;
  const amount = formatUsdc(fromMicro(Number(terms.valueMicro)));
  if (paymentTxHash) {
    return (
      <p>
        {role === "contractor" ? "Your client has" : "You have"} paid {amount}, in transaction{" "}
        <Hex value={paymentTxHash} name="payment's transaction hash" />
      </p>
    );
  }
  if (role === "contractor")
    return <p>Your client pays {amount} first. Start once it has arrived.</p>;
  return (
    <div className="grid gap-3">
      <p>
        You pay {amount} first, to <Hex value={terms.contractor} name="contractor's address" />
      </p>
      <AgreementPayment agreement={agreement} wallet={wallet} />
    </div>
  );
}

const isPaidUpfront = ({ payment, valueMicro }: Agreement["terms"]) =>
  payment === "upfront" && valueMicro !== "0";

/** Lets the other party sign or decline a proposal. */
function Answer({ agreement, wallet, role }: PartyProps) {
  const { agreementId, terms, typedData } = agreement;
  const { mutateAsync: accept } = trpc.agreements.accept.useMutation();
  const { mutateAsync: decline } = trpc.agreements.decline.useMutation();
  return (
    <div className="grid gap-4">
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
      {role === "requester" && isPaidUpfront(terms) && (
        <Fold summary="Or accept by paying now">
          <p className="mb-3 text-sm text-muted">
            The payment is your signature, and binds it to this job.
          </p>
          <AgreementPayment agreement={agreement} wallet={wallet} />
        </Fold>
      )}
    </div>
  );
}

/** Lets a party sign the cancellation of an agreement that both have signed. */
function Cancellation({ agreement, wallet, role }: PartyProps) {
  const { agreementId, typedData, termsHash, terms, cancellationRequestedBy } = agreement;
  const { mutateAsync: cancel } = trpc.agreements.cancel.useMutation();
  if (agreement.paidAt && terms.payment !== "escrow") {
    return (
      <p className="text-sm text-muted">
        It is paid: only the contractor's refund ends it, signed with signRefund of the SDK.
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
  const isRequested = cancellationRequestedBy !== null;
  return (
    <Fold
      summary={
        isRequested ? "The other party asks to cancel this agreement" : "Cancel this agreement"
      }
    >
      <div className="grid gap-3 rounded-md bg-sunken p-4 text-sm">
        <p>
          {isRequested
            ? "Your signature ends the agreement for both, without an outcome."
            : "It ends once both have signed the cancellation. A contractor still waiting for an upfront payment can end it alone."}
          {agreement.paidAt && " The escrow then pays the client back."}
        </p>
        <Signature
          wallet={wallet}
          typedData={toCancellationTypedData(typedData.domain.verifyingContract, {
            chainId: terms.chainId,
            summary: typedData.message.summary,
            termsHash,
          })}
          label="Sign the cancellation"
          submit={(signature) => cancel({ agreementId, signature })}
        />
      </div>
    </Fold>
  );
}
