import { hasUnspaced } from "@/server/judging/checks/text/scripts";
import type { RequirementOf } from "@/server/judging/requirements/schema";
import { compilePattern } from "./linear-pattern";
import {
  count,
  type Decision,
  type Decisions,
  foldCase,
  isWithin,
  normalisePhrase,
  type Reading,
  shortenDetail,
} from "./reading";

function decidePhrases(
  reading: Reading,
  requirement: RequirementOf<"contains" | "excludes">,
): Decision {
  const { check, phrases } = requirement;
  const found = phrases.filter((phrase) => occurs(reading, phrase, requirement));
  const missing = phrases.filter((phrase) => !found.includes(phrase));
  const [label, wrong] = check === "contains" ? ["Missing", missing] : ["Found", found];
  return {
    passed: wrong.length === 0,
    observed: `${found.length} of ${phrases.length} found`,
    ...(wrong.length > 0 && { detail: shortenDetail(`${label}: ${wrong.join("; ")}`) }),
  };
}

const describeEdge = (verb: string, passed: boolean): Decision => ({
  passed,
  observed: passed ? `${verb} with it` : `${verb} differently`,
});

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

export const WORD_DECISIONS: Decisions<
  "contains" | "excludes" | "starts-with" | "ends-with" | "letter-case" | "matches"
> = {
  contains: decidePhrases,
  excludes: decidePhrases,
  "starts-with": ({ exact }, { text }) =>
    describeEdge("starts", exact.startsWith(normalisePhrase(text))),
  "ends-with": ({ exact }, { text }) => describeEdge("ends", exact.endsWith(normalisePhrase(text))),

  "letter-case": ({ text }, requirement) => {
    const [wrong, right] =
      requirement.case === "upper"
        ? [/\p{Ll}/gu, /[\p{Lu}\p{Lt}]/gu]
        : [/[\p{Lu}\p{Lt}]/gu, /\p{Ll}/gu];
    const others = text.match(wrong)?.length ?? 0;
    if (others > 0)
      return { passed: false, observed: `${count(others, "letter")} in the other case` };
    const passed = (text.match(right)?.length ?? 0) > 0;
    return { passed, observed: passed ? "all letters" : "no letters that have a case" };
  },

  matches: ({ text }, { pattern, min, max }) => {
    const compiled = compilePattern(pattern);
    if (min === undefined && max === undefined) {
      const passed = compiled.test(text);
      return { passed, observed: passed ? "a match" : "no match" };
    }
    const matcher = compiled.matcher(text);
    let matches = 0;
    while (matcher.find()) matches += 1;
    return {
      passed: isWithin(matches, { min, max }),
      observed: count(matches, "match", "matches"),
    };
  },
};
