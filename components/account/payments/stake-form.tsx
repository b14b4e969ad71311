"use client";

import { formatDuration } from "@/components/disputes/describe-dispute";
import {
  areWordsWeighed,
  describeGrounds,
  getGrounds,
  getLoser,
} from "@/components/disputes/dispute-option";
import { getVerdict, nameResult } from "@/components/outcomes/result";
import { trpc } from "@/components/trpc";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { TextLink } from "@/components/ui/text-link";
import { getProblem } from "@/components/wallet/error-notice";
import type { Network } from "@/components/wallet/network";
import { KEEPS_PAGE, useNetwork } from "@/components/wallet/wallet-shell";
import type { Party } from "@/server/disputes/schema";
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
export function StakeForm({ subject, wallet, onClose, ...job }: Props) {
  const labels = LABELS[subject.action];
  const network = useNetwork();
  const { stakeUsdc, stakeAddress } = network;
  const facts = useCase({ subject, ...job });
  const { outcome, terms } = facts;
  const me = outcome?.contractorAgentAddress === wallet ? "contractor" : "requester";
  const stake = useStake({ subject, wallet, ...job });
  const isWeighed = outcome === undefined || areWordsWeighed(outcome, network);
  const isSupplied =
    stake.form.watch("deliverableContent") !== "" ||
    (me === "contractor" && outcome?.submittedBy.role === "requester" && !outcome.agreed);
  const isNeeded =
    subject.action === "open" &&
    outcome !== undefined &&
    getGrounds(outcome, network) === "deliverable";
  const field: typeof stake.form.field = (name, rules) => ({
    ...stake.form.field(name, rules),
    readOnly: stake.stage !== "idle",
  });
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
  return (
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
      terms={<StakeTerms subject={subject} me={me} {...facts} />}
    >
      <StatementFields {...{ subject, field, isSupplied, isNeeded, isWeighed }} />
    </PaymentForm>
  );
}

interface StatementProps {
  subject: Subject;
  field: ReturnType<typeof useStake>["form"]["field"];
  /** Whether the contractor can supply its own deliverable. */
  isSupplied: boolean;
  /** Whether nothing else can change the verdict. */
  isNeeded: boolean;
  isWeighed: boolean;
}

/** Asks for a statement, and for what the review can use besides it. */
function StatementFields({ subject, field, isSupplied, isNeeded, isWeighed }: StatementProps) {
  return (
    <>
      <TextField
        {...field("text", subject.action === "open" && isWeighed ? REASON : {})}
        label={LABELS[subject.action].text}
        optional={!isWeighed || subject.action === "answer"}
        hint="Becomes public, with your name and your stake."
        rows={4}
      />
      {isSupplied && (
        <TextField
          {...field("deliverableContent", isNeeded ? DELIVERABLE : {})}
          label="Your deliverable"
          optional={!isNeeded}
          hint="Reviewed in place of the text that your client submitted. Only the two of you can read it."
          rows={8}
        />
      )}
      {(isSupplied || isWeighed) && (
        <TextField
          {...field("evidenceUrl", { pattern: HTTP_URL })}
          label={isSupplied ? "Or its URL" : "URL of a document that shows it"}
          optional
          hint={`The URL becomes public. We fetch it once, when you submit. ${isSupplied ? "It is your deliverable, or evidence if you gave one above." : "The judge reads that copy."}`}
          type="url"
          placeholder="https://"
        />
      )}
    </>
  );
}

/** Loads the time limits, the outcome unless the page has it, and what winning would change. */
function useCase({ subject, outcomeId, outcome: known }: Omit<Props, "wallet">) {
  const { data: terms } = trpc.disputes.terms.useQuery();
  const { data: outcome = known } = trpc.outcomes.get.useQuery({ outcomeId }, { enabled: !known });
  const { data: effects } = trpc.explorer.outcomeEffects.useQuery(
    { outcomeId },
    { enabled: subject.action === "open" },
  );
  return { terms, outcome, ifOverturned: effects?.ifOverturned ?? null };
}

/** What a client that disputes a success should know. */
const UNASSESSED: Term = [
  "If the work can't be assessed",
  "You lose: it counts as a success without weight, and you have to prove a failure.",
];

/** Says what is disputed, and why it was decided so. */
const describeVerdict = (outcome: PublicOutcome): Term => [
  `The verdict: ${nameResult(getVerdict(outcome))}`,
  outcome.llmJudgeReasoning?.split("\n")[0] ?? "",
];

function describeWords(outcome: PublicOutcome, me: Party, network: Network): string {
  if (areWordsWeighed(outcome, network)) {
    return "Are published, and weighed by a language model, together with the work.";
  }
  const use =
    me === getLoser(outcome) ? "decide nothing here" : "count only if they clearly concede";
  return `Are published. They ${use}.`;
}

type CaseProps = ReturnType<typeof useCase> & { subject: Subject; me: Party };

/** Says before the payment what decides, what it costs, and which deadlines apply. */
function StakeTerms({ subject, me, terms, outcome, ifOverturned }: CaseProps) {
  const network = useNetwork();
  const stake = `${network.stakeUsdc} USDC stake. Returned if you win. If you lose, the operator of this service keeps it.`;
  const whose = me === "contractor" ? "your" : undefined;
  const effects: Term[] =
    subject.action === "open"
      ? [
          ...(me === "requester" ? [UNASSESSED] : []),
          ["Your deadline", formatDeadline(outcome, terms)],
          [
            "Their deadline to answer",
            terms ? `${formatDuration(terms.responseWindowMs)} after you open the dispute` : "…",
          ],
          ["If they don't answer", "The judge decides on the evidence. You don't win by default."],
        ]
      : [
          ["After your answer", "The review begins at once. You can answer only once."],
          [
            "If you don't answer",
            "The judge decides on the evidence. Not answering doesn't mean losing.",
          ],
        ];
  const decides: Term[] = outcome
    ? [
        describeVerdict(outcome),
        ["What can change it", describeGrounds(outcome, { ...network, ifOverturned, whose })],
        ["Your words", describeWords(outcome, me, network)],
      ]
    : [["…", "…"]];
  return (
    <div className="grid content-start gap-5">
      <TermList title="What decides" terms={decides} />
      <TermList title="Before you pay" terms={[["Cost", stake], ...effects]} />
    </div>
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
