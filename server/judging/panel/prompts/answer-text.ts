import { z } from "zod";
import { removeInvisible, toStorableText } from "@/server/judging/canonicalise";

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
