import {
  addressesJudge,
  claimsSuccess,
  hasConfusables,
  hasEncodedText,
} from "@/server/judging/panel/prompt-injection";
import { MIN_QUOTE_LENGTH } from "@/server/judging/panel/prompts/vote-prompt";
import { CLAIM } from "@/server/judging/panel/quotes";
import { decodeDisguise } from "./disguises";
import { countCommonWords, countLetters, createForeignCheck, isReadable } from "./languages";
import { SIGNS } from "./signs";

/**
 * A deliverable in two parts: the passages that may be meant for its judge, and the work without
 * them. An order has no effect on a vote that sees only the work, and a model that finds everything
 * met in the passages alone does not read what it quotes.
 */
export interface Separation {
  work: string;
  passages: string;
}

/**
 * Splits `text` into passages that may be meant for a judge, and the rest. Returns null if there is
 * no such passage. Takes out whole paragraphs if most of the text remains, otherwise lines,
 * otherwise sentences. Words of `task` are no reason for suspicion. Errs on the side of suspicion,
 * since that costs an honest judge only a few calls. Pure; may be slow for long texts.
 */
export function separatePassages(task: string, text: string): Separation | null {
  const isSuspect = createDetector(task, text);
  if (!text.split("\n").some(isSuspect)) return null;
  const splits = [/(?<=\n[ \t]*\n)/, /(?<=\n)/, /(?<=[\n.!?。！？])/u];
  const separations = splits.map((boundary): Separation => {
    const units = text
      .split(boundary)
      .map((unit) => ({ unit, isTaken: unit.split("\n").some(isSuspect) }));
    const join = (isTaken: boolean) =>
      units.flatMap((each) => (each.isTaken === isTaken ? [each.unit] : [])).join("");
    return { work: join(false), passages: join(true) };
  });
  const isMostlyWork = ({ work, passages }: Separation) =>
    passages !== "" && countLetters(work) > countLetters(passages);
  return separations.find(isMostlyWork) ?? separations[1] ?? null;
}

/** Characters of a part that cannot be the whole work. */
const MAX_END = 80;

/**
 * Returns the end of `text` in place of passages, for a work that was flagged for something else. Null
 * if the text is too short to take it apart.
 */
export function separateEnd(text: string): { work: null; passages: string } | null {
  const length = Math.min(MAX_END, Math.floor(text.length / 4));
  return length < MIN_QUOTE_LENGTH ? null : { work: null, passages: text.slice(-length) };
}

/** A line longer than this is searched in parts. */
const MAX_PART = 2_000;

function createDetector(task: string, text: string): (line: string) => boolean {
  const signs = SIGNS.filter((sign) => !sign.test(task));
  const isForeign = createForeignCheck(task, text);
  const known = new Map<string, boolean>();
  const isPlainlySuspect = (part: string) =>
    addressesJudge(part) ||
    claimsSuccess(part) ||
    CLAIM.test(part) ||
    isForeign(part) ||
    signs.some((sign) => sign.test(part));
  const isPartSuspect = (part: string) =>
    hasConfusables(part) ||
    isPlainlySuspect(part) ||
    hasEncodedText(part) ||
    decodeDisguise(part).some(
      (reading) =>
        isPlainlySuspect(reading) || (countCommonWords(part).count === 0 && isReadable(reading)),
    );
  return (line) => {
    const earlier = known.get(line);
    if (earlier !== undefined) return earlier;
    const parts = line.match(new RegExp(`[^]{1,${MAX_PART}}`, "gu")) ?? [];
    const found = parts.some(isPartSuspect);
    known.set(line, found);
    return found;
  };
}
