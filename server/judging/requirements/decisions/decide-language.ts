import { eld } from "eld/small";
import { replaceFencedBlocks } from "@/server/judging/checks/text/layout";
import type { Decide } from "./reading";

/** Long enough to be detected; the detector reads no more than 1,000 characters. */
const CHUNK_LENGTH = 300;
const MAX_CHUNKS = 100;
/** The share of the text that must be in the language; names and quotations may be in others. */
const MIN_SHARE = 2 / 3;

/** Codes of the detector for languages that have another one in BCP 47. */
const DETECTED_AS: Record<string, string> = { nb: "no", nn: "no", fil: "tl" };

/** The languages that can be detected, as subtags of BCP 47. */
export const DETECTABLE_LANGUAGES: readonly string[] = [
  ...Object.values(eld.info().Languages),
  ...Object.keys(DETECTED_AS),
];

export const decideLanguage: Decide<"language"> = ({ text }, { tag }) => {
  const [subtag = ""] = tag.split("-", 1);
  const wanted = DETECTED_AS[subtag] ?? subtag;
  const prose = replaceFencedBlocks(text, " ").replace(/https?:\/\/\S+/g, " ");
  const detected = splitEvenly(prose).map((chunk) => {
    const result = eld.detect(chunk);
    return result.isReliable() ? result.language : null;
  });
  const inLanguage = detected.filter((language) => language === wanted).length;
  const passed = detected.length > 0 && inLanguage >= detected.length * MIN_SHARE;
  if (passed) return { passed, observed: "detected" };
  const known = [...new Set(detected.filter((language) => language !== null))];
  return {
    passed,
    observed: known.length > 0 ? `detected: ${known.slice(0, 5).join(", ")}` : "none detected",
  };
};

/** Splits a text into parts of about equal length; of a long text, returns some of them. */
function splitEvenly(text: string): string[] {
  const parts = Math.ceil(text.length / CHUNK_LENGTH);
  const used = Math.min(parts, MAX_CHUNKS);
  return Array.from({ length: used }, (_, index) => {
    const from = Math.floor((index * text.length) / used);
    const to = Math.floor(((index + 1) * text.length) / used);
    return text.slice(from, Math.min(to, from + CHUNK_LENGTH));
  });
}
