import { hasUnspaced } from "@/server/judging/checks/text/scripts";
import type { RequirementOf } from "@/server/judging/requirements/schema";
import { compilePattern } from "./linear-pattern";
import {
  count,
  type Decide,
  foldCase,
  isWithin,
  normalisePhrase,
  type Reading,
  shortenDetail,
} from "./reading";

export const decideContains: Decide<"contains"> = (reading, requirement) => {
  const { phrases } = requirement;
  const missing = phrases.filter((phrase) => !occurs(reading, phrase, requirement));
  return {
    passed: missing.length === 0,
    observed: `${phrases.length - missing.length} of ${phrases.length} found`,
    ...(missing.length > 0 && { detail: shortenDetail(`Missing: ${missing.join("; ")}`) }),
  };
};

export const decideExcludes: Decide<"excludes"> = (reading, requirement) => {
  const { phrases } = requirement;
  const found = phrases.filter((phrase) => occurs(reading, phrase, requirement));
  return {
    passed: found.length === 0,
    observed: `${found.length} of ${phrases.length} found`,
    ...(found.length > 0 && { detail: shortenDetail(`Found: ${found.join("; ")}`) }),
  };
};

const IN_WORD = /[\p{L}\p{M}\p{N}]/u;

/** Returns whether a phrase occurs as whole words; in scripts without spaces, anywhere. */
function occurs(
  reading: Reading,
  phrase: string,
  { caseSensitive = false }: RequirementOf<"contains" | "excludes">,
): boolean {
  const text = caseSensitive ? reading.exact : reading.folded;
  const exact = normalisePhrase(phrase);
  const wanted = caseSensitive ? exact : foldCase(exact);
  // Invisible characters alone are found nowhere.
  if (wanted === "") return false;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (!isInsideWord(text, at) && !isInsideWord(text, end)) return true;
  }
  return false;
}

/** Returns whether the characters on both sides of an offset belong to one word. */
function isInsideWord(text: string, at: number): boolean {
  const before = at === 0 ? "" : characterBefore(text, at);
  const after = at === text.length ? "" : String.fromCodePoint(text.codePointAt(at) ?? 0);
  return IN_WORD.test(before) && IN_WORD.test(after) && !hasUnspaced(before) && !hasUnspaced(after);
}

function characterBefore(text: string, at: number): string {
  const isPair = /[\uDC00-\uDFFF]/.test(text.charAt(at - 1));
  return text.slice(isPair ? at - 2 : at - 1, at);
}

export const decideStartsWith: Decide<"starts-with"> = ({ exact }, { text }) => {
  const passed = exact.startsWith(normalisePhrase(text));
  return { passed, observed: passed ? "starts with it" : "starts differently" };
};

export const decideEndsWith: Decide<"ends-with"> = ({ exact }, { text }) => {
  const passed = exact.endsWith(normalisePhrase(text));
  return { passed, observed: passed ? "ends with it" : "ends differently" };
};

export const decideLetterCase: Decide<"letter-case"> = ({ text }, requirement) => {
  const [wrong, right] =
    requirement.case === "upper"
      ? [/\p{Ll}/gu, /[\p{Lu}\p{Lt}]/gu]
      : [/[\p{Lu}\p{Lt}]/gu, /\p{Ll}/gu];
  const others = text.match(wrong)?.length ?? 0;
  if (others > 0)
    return { passed: false, observed: `${count(others, "letter")} in the other case` };
  const passed = (text.match(right)?.length ?? 0) > 0;
  return { passed, observed: passed ? "all letters" : "no letters that have a case" };
};

export const decideMatches: Decide<"matches"> = ({ text }, { pattern, min, max }) => {
  const compiled = compilePattern(pattern);
  if (min === undefined && max === undefined) {
    const passed = compiled.test(text);
    return { passed, observed: passed ? "a match" : "no match" };
  }
  const matcher = compiled.matcher(text);
  let matches = 0;
  while (matcher.find()) matches += 1;
  return { passed: isWithin(matches, { min, max }), observed: count(matches, "match", "matches") };
};
