import {
  countCodePoints,
  countListItems,
  countParagraphs,
  countSentences,
  countWords,
} from "@/server/judging/checks/text/counts";
import type { Range } from "@/server/judging/requirements/schema";
import { sha256 } from "@/server/lib/hash";
import { count, type Decision, type Decisions, isWithin, type Reading } from "./reading";

/** Decides by a count of something, which must be within the requirement's limits. */
const decideByCount =
  (countIn: (text: string) => number, singular: string) =>
  ({ text }: Reading, limits: Range): Decision => {
    const amount = countIn(text);
    return { passed: isWithin(amount, limits), observed: count(amount, singular) };
  };

export const LENGTH_DECISIONS = {
  "word-count": decideByCount(countWords, "word"),
  "character-count": decideByCount(countCodePoints, "character"),
  "sentence-count": decideByCount(countSentences, "sentence"),
  "paragraph-count": decideByCount(countParagraphs, "paragraph"),
  "list-item-count": decideByCount(countListItems, "list item"),
};

/** These alone decide on a file that is no text. */
export const FILE_DECISIONS: Decisions<"sha256" | "media-type" | "max-bytes"> = {
  sha256: ({ file, bytes }, { hash }) => {
    const passed = (file?.sha256 ?? sha256(bytes)) === hash;
    return { passed, observed: passed ? "the same hash" : "another hash" };
  },
  "media-type": ({ file }, { type }) => {
    if (!file) return { passed: false, observed: "text without a media type; a URL is needed" };
    return file.mediaType === type
      ? { passed: true, observed: "that type" }
      : { passed: false, observed: "another type", detail: `It is ${file.mediaType}.` };
  },
  "max-bytes": ({ file, bytes }, { bytes: max }) => {
    const size = file?.bytes ?? bytes.length;
    return { passed: size <= max, observed: count(size, "byte") };
  },
};
