import {
  countCodePoints,
  countListItems,
  countParagraphs,
  countSentences,
  countWords,
} from "@/server/judging/checks/text/counts";
import { count, type Decision, isWithin, type Limits, type Reading } from "./reading";

/** Decides by a count of something, which must be within the requirement's limits. */
const decideByCount =
  (countIn: (text: string) => number, singular: string) =>
  ({ text }: Reading, limits: Limits): Decision => {
    const amount = countIn(text);
    return { passed: isWithin(amount, limits), observed: count(amount, singular) };
  };

export const decideWordCount = decideByCount(countWords, "word");
export const decideCharacterCount = decideByCount(countCodePoints, "character");
export const decideSentenceCount = decideByCount(countSentences, "sentence");
export const decideParagraphCount = decideByCount(countParagraphs, "paragraph");
export const decideListItemCount = decideByCount(countListItems, "list item");
