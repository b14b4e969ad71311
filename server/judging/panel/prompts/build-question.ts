import { z } from "zod";
import { removeInvisible, toStorableText } from "@/server/judging/canonicalise";
import { hashJson } from "@/server/judging/evidence";
import type { Question } from "@/server/judging/model-client/ask";

/** Untrusted texts by the name that the model sees, in order. */
export type Sections = readonly (readonly [name: string, text: string])[];

export type QuestionOptions = Pick<Question<unknown>, "model" | "queue" | "signal">;

interface QuestionParts<T> extends Pick<Question<T>, "purpose" | "name" | "schema"> {
  system: string;
  sections: Sections;
  mark: string;
  /** Follows the texts. */
  reminder: string;
  /** What is asked in the end, and the same without words of this case. */
  request?: { text: string; template: string };
}

/** Builds a question, whose prompt hash covers everything but the texts of this case. */
export function buildQuestion<T>(
  { system, sections, mark, reminder, request, ...question }: QuestionParts<T>,
  options: QuestionOptions,
): Question<T> {
  const build = (...message: Parameters<typeof buildUserMessage>): Question<T>["messages"] => [
    { role: "system", content: system },
    { role: "user", content: buildUserMessage(...message) },
  ];
  return {
    ...question,
    ...options,
    messages: build(sections, mark, [reminder, request?.text]),
    promptHash: hashJson(build([], "", [reminder, request?.template])),
  };
}

/**
 * Builds the user message of a question: each text of this case between two lines that carry `mark`,
 * then `lines` of ours. Texts are not escaped. The mark is random and occurs in none of them, so no text
 * can form the line that ends it. Throws if one contains the mark.
 *
 * Everything before the last line is the same for all questions with the same texts and mark, so that
 * providers' prompt caches hit.
 */
export function buildUserMessage(
  sections: Sections,
  mark: string,
  lines: readonly (string | undefined)[],
): string {
  const enclosed = sections.map(([name, text]) => {
    if (text.includes(mark)) throw new Error("a text contains the mark");
    return `<<<${mark} ${name}\n${text}\n${mark}>>>`;
  });
  return [...enclosed, ...lines].filter((line) => line !== undefined).join("\n");
}

/**
 * Schema of a model's own words: in one line, cut to `limit` characters rather than rejected, since
 * a long-winded answer is still an answer. Public pages show them line by line, so a line break
 * could forge a line of ours, and invisible characters could reverse the text.
 */
export function lineSchema(limit: number) {
  return z.string().overwrite((value) =>
    toVisible(value.slice(0, limit))
      .replace(/[\s\p{Cc}]+/gu, " ")
      .trim(),
  );
}

/** Schema of a passage that a model copied: like `lineSchema`, but with its line breaks. */
export function passageSchema(limit: number) {
  return z.string().overwrite((value) => toVisible(value.slice(0, limit)).trim());
}

const toVisible = (value: string) => toStorableText(removeInvisible(value));
