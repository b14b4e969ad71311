"use client";

import { formatDuration } from "@/components/disputes/describe-dispute";
import { areWordsWeighed, describeGrounds, getGrounds } from "@/components/disputes/dispute-option";
import { getVerdict, nameResult } from "@/components/outcomes/result";
import { trpc } from "@/components/trpc";
import { TextField } from "@/components/ui/field";
import { Fold } from "@/components/ui/fold";
import { Notice } from "@/components/ui/notice";
import { TextLink } from "@/components/ui/text-link";
import { getProblem } from "@/components/wallet/error-notice";
import { KEEPS_PAGE, useNetwork } from "@/components/wallet/wallet-shell";
import type { DisputeTerms } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { formatDeadline, PaymentForm, type Term, TermList } from "./payment-form";
import { type Statement, usePayment } from "./use-payment";

interface Props {
  subject: Subject;
  outcomeId: string;
  /** The outcome, if the page has it. */
  outcome?: PublicOutcome;
  /** Signed-in wallet, which must pay the stake. */
  wallet: string;
  onClose?: () => void;
}

const LABELS = {
  open: {
    form: "Dispute this verdict",
    text: "Why is the verdict wrong?",
    pay: "and open the dispute",
    done: "Dispute opened",
  },
  answer: {
    form: "Answer the dispute",
    text: "Your statement",
    pay: "and answer",
    done: "Answer submitted",
  },
} as const;

const REASON = {
  validate: (text: string) => text.trim() !== "" || "Say why the verdict is wrong.",
};
const DELIVERABLE = {
  validate: (text: string, { evidenceUrl }: Statement) =>
    Boolean(text.trim() || evidenceUrl.trim()) ||
    "Give your deliverable, or its URL below: without it, the verdict stays.",
};
/** Published as the reason of an opener that gives none, if words decide nothing. */
const NO_REASON = "No statement.";
const HTTP_URL = {
  value: /^https?:\/\/\S+$/i,
  message: "Enter a full URL starting with http:// or https://.",
};

/** Takes a statement, pays the stake from the connected wallet, and submits both. */
export function StakeForm(props: Props) {
  const { subject, outcomeId, outcome: known, wallet, onClose } = props;
  const labels = LABELS[subject.action];
  const network = useNetwork();
  const { stakeUsdc, stakeAddress } = network;
  const { data: terms } = trpc.disputes.terms.useQuery();
  const { data: outcome = known } = trpc.outcomes.get.useQuery({ outcomeId }, { enabled: !known });
  const stake = useStake(props);
  if (stake.stage === "done") {
    return (
      <Notice takesFocus role="status" kind="done" title={labels.done}>
        You need do nothing more.{" "}
        {subject.action === "open" &&
          `The other party has ${terms ? formatDuration(terms.responseWindowMs) : "a while"} to answer. `}
        Then the judge decides, and the winner's stake is returned.{" "}
        <TextLink href="/dashboard/disputes">Follow the dispute</TextLink>
      </Notice>
    );
  }
  if (!outcome || !terms) return null;
  const isContractor = outcome.contractorAgentAddress === wallet;
  const isOpener = subject.action === "open";
  const isWeighed = areWordsWeighed(outcome, network);
  const canSupply = isContractor && outcome.submittedBy.role === "requester" && !outcome.agreed;
  const isNeeded = isOpener && getGrounds(outcome, network) === "deliverable";
  const field: typeof stake.form.field = (name, rules) => ({
    ...stake.form.field(name, rules),
    readOnly: stake.stage !== "idle",
  });
  const form = (
    <PaymentForm
      name={labels.form}
      payment={stake}
      wallet={wallet}
      amountUsdc={stakeUsdc}
      labels={{
        pay: `Pay ${stakeUsdc} USDC ${labels.pay}`,
        sent: "Stake paid",
        note: "It is held until the dispute is resolved.",
        requirements: `${stakeAddress}.`,
      }}
      onClose={onClose}
    >
      {canSupply && (
        <TextField
          {...field("deliverableContent", isNeeded ? DELIVERABLE : {})}
          label="Your deliverable"
          optional={!isNeeded}
          hint="Reviewed in place of the text that your client submitted. Only the two of you can read it."
          rows={8}
        />
      )}
      {(canSupply || isWeighed) && (
        <TextField
          {...field("evidenceUrl", { pattern: HTTP_URL })}
          label={canSupply ? "Or its URL" : "URL of a document that shows it"}
          optional
          hint={`The URL becomes public. We fetch it once, when you submit. ${canSupply ? "It is your deliverable, or evidence if you gave one above." : "The judge reads that copy."}`}
          type="url"
          placeholder="https://"
        />
      )}
      <TextField
        {...field("text", isOpener && isWeighed ? REASON : {})}
        label={labels.text}
        optional={!isOpener || !isWeighed}
        hint={
          isWeighed
            ? "Published, and weighed by a language model together with the work."
            : `Published. Your words ${isOpener ? "decide nothing here" : "count only if they clearly concede"}.`
        }
        rows={4}
      />
      {stake.txHash === null && <StakeTerms {...{ subject, outcome, isContractor, terms }} />}
    </PaymentForm>
  );
  if (isOpener || isWeighed || canSupply) return form;
  return (
    <>
      <p>You need not answer: code decides, and no answer of yours can improve the result.</p>
      {/* A stake that was paid and not submitted must be in view. */}
      <Fold summary="Answer all the same" open={stake.txHash !== null} className="mt-3">
        {form}
      </Fold>
    </>
  );
}

/** What a client that disputes a success should know. */
const UNASSESSED: Term = [
  "If the work can't be assessed",
  "You lose: it counts as a success without weight, and you have to prove a failure.",
];

interface CaseProps extends Pick<Props, "subject"> {
  outcome: PublicOutcome;
  isContractor: boolean;
  terms: DisputeTerms;
}

/** Says before the payment what decides, what it costs, and which deadlines apply. */
function StakeTerms({ subject, outcome, isContractor, terms }: CaseProps) {
  const network = useNetwork();
  const isOpener = subject.action === "open";
  const { data: effects } = trpc.explorer.outcomeEffects.useQuery(
    { outcomeId: outcome.outcomeId },
    { enabled: isOpener },
  );
  const grounds = describeGrounds(outcome, {
    ...network,
    ifOverturned: effects?.ifOverturned ?? null,
    whose: isContractor ? "your" : undefined,
  });
  const response = formatDuration(terms.responseWindowMs);
  const effectsOfAction: Term[] = isOpener
    ? [
        ...(isContractor ? [] : [UNASSESSED]),
        ["Your deadline", formatDeadline(outcome, terms)],
        [
          `They have ${response} to answer`,
          "Otherwise the judge decides on the evidence. You don't win by default.",
        ],
      ]
    : [
        [
          "If you don't answer",
          "The judge decides on the evidence. Not answering doesn't mean losing.",
        ],
      ];
  return (
    <TermList
      title="Before you pay"
      terms={[
        [`What can change “${nameResult(getVerdict(outcome))}”`, grounds],
        [
          "Cost",
          `${network.stakeUsdc} USDC stake. Returned if you win. If you lose, the operator of this service keeps it.`,
        ],
        ...effectsOfAction,
      ]}
    />
  );
}

/** The dispute that a stake opens or answers. */
interface Subject {
  action: "open" | "answer";
  /** Outcome to dispute, or dispute to answer. */
  id: string;
}

/** Pays a stake and opens or answers the dispute with it. */
function useStake({ subject, outcomeId, wallet }: Props) {
  const { stakeAddress, stakeUsdc } = useNetwork();
  const { client } = trpc.useUtils();
  const open = trpc.disputes.open.useMutation(KEEPS_PAGE);
  const stake = trpc.disputes.stake.useMutation(KEEPS_PAGE);
  return usePayment({
    subject,
    payment: { from: wallet, to: stakeAddress, amountUsdc: stakeUsdc },
    draftKey: `standing.words.${wallet}.${subject.action}.${subject.id}`,
    report(hash, { text, deliverableContent, evidenceUrl }: Statement) {
      const rest = {
        stakePaymentTxHash: hash,
        ...(deliverableContent.trim() && { deliverableContent }),
        ...(evidenceUrl && { evidenceUrl }),
      };
      return subject.action === "open"
        ? open.mutateAsync({ outcomeId, reason: text.trim() || NO_REASON, ...rest })
        : stake.mutateAsync({
            disputeId: subject.id,
            ...rest,
            ...(text.trim() && { statement: text }),
          });
    },
    async isAccepted(hash, reason) {
      // That of the error `already-disputed`, or the dispute that is answered.
      const { disputeId = subject.id } = (getProblem(reason) ?? {}) as { disputeId?: string };
      const dispute = await client.disputes.get.query({ disputeId }).catch(() => null);
      return dispute?.stakes.some(({ paymentTxHash }) => paymentTxHash === hash) ?? false;
    },
  });
}
