import { z } from "zod";
import { withoutUnseen } from "@/server/judging/canonicalise";
import { storable } from "@/server/judging/storable";

/**
 * Schema of a model's own words: in one line, cut to `limit` characters rather than rejected, since
 * a long-winded answer is still an answer. Public pages show them line by line, so a line break
 * could forge a line of ours, and invisible characters could reverse the text.
 */
export function words(limit: number) {
  return z.string().overwrite((value) =>
    seen(value.slice(0, limit))
      .replace(/[\s\p{Cc}]+/gu, " ")
      .trim(),
  );
}

/** Schema of a passage that a model copied: like `words`, but with its line breaks. */
export function passage(limit: number) {
  return z.string().overwrite((value) => seen(value.slice(0, limit)).trim());
}

const seen = (value: string) => storable(withoutUnseen(value));
