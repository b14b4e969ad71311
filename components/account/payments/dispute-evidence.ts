import type { Party } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";

/** A piece of evidence in a dispute, and what it does. */
type Evidence = readonly [name: string, role: string];

interface Facts {
  outcome: Pick<PublicOutcome, "disputeScope" | "submittedBy">;
  me: Party;
  review: "model" | "checks-only";
}

/** Returns whether the parties' words can decide more than by a concession. */
export const areWordsWeighed = ({ outcome, review }: Pick<Facts, "outcome" | "review">): boolean =>
  review === "model" && outcome.disputeScope === "work";

/** Lists the evidence of a dispute for one party, what decides first, with the reason why it does. */
export function listEvidence({ outcome, me, review }: Facts): Evidence[] {
  const isMine = outcome.submittedBy.role === me;
  if (outcome.disputeScope === "terms") {
    return [
      [
        "The signed terms",
        "Decide, because you both agreed on them: code checks the requirements again, and criteria are examined again.",
      ],
      ["The stored deliverable", "Decides, because only it was delivered under the agreement."],
      ["Your words", "Are published. They count only if they clearly concede."],
    ];
  }
  return [
    me === "contractor" && !isMine
      ? ["Your deliverable", "Decides, because your client submitted this job. Add it below."]
      : ["The deliverable", describeDeliverable(me, isMine)],
    areWordsWeighed({ outcome, review })
      ? ["Your words and document", "Are weighed by a language model, together with the work."]
      : [
          "Your words",
          "Are published, but code can't weigh them: no language model is configured. Only a clear concession counts.",
        ],
  ];
}

function describeDeliverable(me: Party, isMine: boolean): string {
  if (!isMine) return "Decides, as the contractor submitted it.";
  return me === "contractor"
    ? "Decides, as you submitted it. It can't be replaced."
    : "Decides, unless the contractor supplies its own: you submitted this job.";
}
