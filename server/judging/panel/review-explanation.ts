import type { Criterion, Met } from "@/server/judging/schema";
import type { Verdict } from "@/server/lib/schema";
import { privateWords, UNKNOWN_WORDS } from "./private-words";

const MET: Record<Met, string> = {
  yes: "met",
  no: "not met",
  partial: "met in part",
  cannot_verify: "not verified",
};

export interface Explained {
  recorded: Verdict;
  finalVerdict: Verdict;
  flipped: readonly string[];
  /** The recorded finding on each must, and that of each pass. */
  musts: readonly { criterion: Criterion; recorded: Met; passes: readonly Met[] }[];
  refused: number;
  votes: number;
}

/**
 * Returns the public explanation. It quotes nothing from task, deliverable or documents, and omits
 * the words of criteria if `privateTexts` is null. Pure; may be slow for long texts.
 */
export function reviewExplanation(of: Explained, privateTexts: readonly string[] | null): string {
  const { recorded, finalVerdict, flipped, musts, refused, votes } = of;
  const known = privateTexts ? privateWords(privateTexts) : UNKNOWN_WORDS;
  const lines = musts.map(({ criterion, recorded: before, passes }, index) => {
    const { id, text } = criterion;
    const name = known.quotedIn(text)
      ? `Required criterion ${index + 1}`
      : text.replace(/[.:\s]+$/, "");
    const turned = flipped.includes(id) ? " This one turned the verdict." : "";
    const said = passes.map((met) => MET[met]).join(", ");
    return `${name}: recorded as ${MET[before]}; found now: ${said}.${recorded === finalVerdict ? "" : turned}`;
  });
  return [
    finalVerdict === recorded
      ? `The recorded verdict, ${recorded}, stands: the passes do not all find a required criterion otherwise on a quotation that stands.`
      : `The recorded verdict, ${recorded}, falls: every pass comes to ${finalVerdict}.`,
    "The work was examined anew in three passes: with the parties' documents but neither their statements nor the earlier findings; with all of it, the contractor first; and with all of it, the requester first.",
    ...lines,
    ...(refused > 0
      ? [`The model gave no usable answer to ${refused} of ${votes} votes; they verify nothing.`]
      : []),
  ].join("\n");
}
