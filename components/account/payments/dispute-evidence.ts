import { areWordsWeighed, getLoser } from "@/components/disputes/dispute-option";
import type { DisputeTerms, Party } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";

/** A piece of evidence in a dispute, and what it does. */
type Evidence = readonly [name: string, role: string];

/** Lists the evidence of a dispute for one party, what decides first, with the reason why it does. */
export function listEvidence(
  outcome: PublicOutcome,
  me: Party,
  terms: Pick<DisputeTerms, "disputeReview">,
): Evidence[] {
  const words = areWordsWeighed(outcome, terms)
    ? "Are weighed by a language model, together with the work."
    : me === getLoser(outcome)
      ? "Are published. They decide nothing."
      : "Are published. They count only if they clearly concede.";
  if (outcome.agreed) {
    return [
      [
        "The signed terms",
        "Decide, because you both agreed on them: code checks the requirements again, and criteria are examined again.",
      ],
      ["The stored deliverable", "Decides, because only it was delivered under the agreement."],
      ["Your words", words],
    ];
  }
  const isMine = outcome.submittedBy.role === me;
  return [
    me === "contractor" && !isMine
      ? ["Your deliverable", "Decides, because your client submitted this job. Add it below."]
      : ["The deliverable", describeDeliverable(me, isMine)],
    ["Your words and document", words],
  ];
}

function describeDeliverable(me: Party, isMine: boolean): string {
  if (!isMine) return "Decides, as the contractor submitted it.";
  return me === "contractor"
    ? "Decides, as you submitted it. It can't be replaced."
    : "Decides, unless the contractor supplies its own: you submitted this job.";
}
