import { z } from "zod";
import {
  type CheckResult,
  createGeneralRequirement,
  type TextCheck,
} from "@/server/judging/checks/check";
import { extractFencedBlocks } from "@/server/judging/checks/text/fenced-blocks";
import { splitSentences } from "@/server/judging/checks/text/statements";
import { tokenise, tokeniseText } from "./prose";

/** Tasks whose correct answer repeats sentences. */
const MAY_REPEAT =
  /\b(?:repeat\w*|repetitions?|repetitive|refrains?|chorus|songs?|lyrics|poems?|poetry|raps?|chants?|mantras?|villanelle|ballads?|litany|rhymes?|rhyming|loops?|times|copies|each line|every line|every sentence|logs?|sample data|test data|seed|anaphora|prayers?|nursery)\b/i;
const MIN_WORDS = 4;
const MIN_COPIES = 4;
/** Share of the sentences that must be copies. */
const MIN_SHARE = 0.5;
const MAX_SENTENCES = 20_000;

/** Finds texts that say the same sentence again and again, as a model caught in a loop does. */
export const REPETITION: TextCheck<Record<string, never>> = {
  name: "repetition",
  parameters: z.strictObject({}),
  extract: () => [createGeneralRequirement("repetition")],
  describe: () => "Does not say the same sentence again and again",
  run: ({ task, text }): CheckResult => {
    if (MAY_REPEAT.test(task) || extractFencedBlocks(text).length > 0) {
      return { outcome: "not-applicable", observed: "the work may contain repetitions" };
    }
    const sentences = splitSentences(text)
      .slice(0, MAX_SENTENCES)
      .filter((sentence) => !sentence.startsWith("|"))
      .map((sentence) => tokenise(sentence).join(" "));
    const long = sentences.filter((sentence) => sentence.split(" ").length >= MIN_WORDS);
    const copies = Math.max(0, ...countEach(long).values());
    const isLoop = copies >= MIN_COPIES && copies >= sentences.length * MIN_SHARE;
    if (!isLoop && !endsInLoop(long) && !repeatsOneWord(text)) {
      return { outcome: "pass", observed: "no loop of sentences" };
    }
    return {
      outcome: "fail",
      observed: copies >= MIN_COPIES ? `one sentence ${copies} times` : "one word again and again",
    };
  },
};

function countEach(sentences: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const sentence of sentences) counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
  return counts;
}

/** Returns whether the last sentences are the same one or two in turn, before the text stops. */
function endsInLoop(sentences: readonly string[]): boolean {
  return [1, 2].some((period) => {
    const tail = sentences.slice(-period * (MIN_COPIES + 1), -1);
    return (
      tail.length >= period * MIN_COPIES &&
      tail.every((sentence, index) => sentence === tail[index % period])
    );
  });
}

const WORD_RUN = 12;

function repeatsOneWord(text: string): boolean {
  const tokens = tokeniseText(text.slice(0, 100_000));
  let run = 1;
  for (let at = 1; at < tokens.length; at += 1) {
    run = tokens[at] === tokens[at - 1] && /\p{L}{2}/u.test(tokens[at] ?? "") ? run + 1 : 1;
    if (run >= WORD_RUN) return true;
  }
  return false;
}
