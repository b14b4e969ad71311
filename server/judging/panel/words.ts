import { z } from "zod";
import { withoutUnseen } from "@/server/judging/canonicalise";
import { storable } from "@/server/judging/storable";

/**
 * A model's own words, in one line, cut to `limit` characters rather than refused: a long-winded
 * answer is still an answer. Public pages show them line by line, so a break in them could pass for
 * a line of ours, and characters that a reader does not see could turn one around.
 */
export function words(limit: number) {
  return z.string().overwrite((value) =>
    seen(value.slice(0, limit))
      .replace(/[\s\p{Cc}]+/gu, " ")
      .trim(),
  );
}

/** A passage that a model copied, as `words`, with its line breaks. */
export function passage(limit: number) {
  return z.string().overwrite((value) => seen(value.slice(0, limit)).trim());
}

const seen = (value: string) => storable(withoutUnseen(value));
