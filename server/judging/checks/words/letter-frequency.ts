import { z } from "zod";
import type { Requirement, TextCheck } from "@/server/judging/checks/check";
import { describeBounds } from "@/server/judging/checks/text/bounds";
import { listQuantities } from "@/server/judging/checks/text/quantity";
import { asksForCode } from "@/server/judging/checks/text/sentences";
import { bound } from "./required-words";
import { findAnswerStart, listClauses, MARK } from "./terms";

const parameters = z
  .strictObject({ letter: z.string().regex(/^\S$/u), min: bound, max: bound })
  .refine(({ min, max }) => min !== null || max !== null);

/** Requires a number of occurrences of a letter, in either case. */
export const LETTER_FREQUENCY: TextCheck<z.infer<typeof parameters>> = {
  name: "letter-frequency",
  parameters,
  extract: extractLetterFrequencies,
  describe: (bounds) => `${describeBounds(bounds, "occurrence")} of a letter`,
  forRubric: "letter: one letter or symbol; min and max: number of occurrences, or null",
  run: ({ task, text }, { letter, min, max }) => {
    const answer = text.slice(findAnswerStart(task, text));
    const low = countLetter(answer, letter);
    const high = countLetter(text.normalize("NFD"), letter);
    const isMissed = (min !== null && high < min) || (max !== null && low > max);
    return {
      outcome: isMissed ? "fail" : "pass",
      observed: low === high ? `${low} found` : `${low} to ${high} found`,
    };
  },
};

const countLetter = (text: string, letter: string) =>
  text.toLowerCase().split(letter.toLowerCase()).length - 1;

/** What follows a single letter that is meant as such: "the letter a must", not "a letter a child". */
const NEXT =
  "(?=['’]?s?\\s*(?:$|[.,;:!?)]|\\s(?:should|must|shall|has|needs?|at|exactly|more|less|fewer|no|not|in|anywhere|once|twice|thrice|only|appears?|occurs?|is|can|cannot|may|between|up|or|and|a minimum|\\d+|two|three|four|five|six|seven|eight|nine|ten)\\b))";
const LETTER = new RegExp(`\\bletters?:?\\s+(?<letter>${MARK}|[a-z]${NEXT})`, "giu");
const ANCHORED =
  /\b(?:start|begin|end|finish|initial|first|last|rhym|after|before)\w*\b[^.]{0,40}$/i;
const IN_EACH =
  /\b(?:each|every|per|some|two|three|four|five|\d+) (?:words?|lines?|sentences?|names?|(?!occurrences|instances|uses|times)[a-z]+s)\b[^.]{0,40}$/i;
const NEGATION =
  /\b(?:do not|don['’]?t|does(?:n['’]?t| not)|never|must(?:n['’]?t| not)|should(?:n['’]?t| not)|can ?not|can['’]?t|may not|avoid\w*|refrain\w*|without|exclud\w*|omit\w*|leav(?:e|ing) out|no words?|free of)\b[^.;]{0,60}$/i;
const FORBIDDEN_AFTER =
  /^\s*(?:(?:must|should|may|can|is|does)(?: not|n['’]?t| never)|can ?not|is (?:forbidden|banned|prohibited|off[- ]limits))\b/i;
const DEMAND =
  /\b(?:us(?:e|es|ing)|includ(?:e|es|ing)|contain(?:s|ing)?|must|should|ha(?:s|ve)|appears?|add)\b/i;
const ELSEWHERE =
  /\b(?:functions?|scripts?|strings?|regex|count how|how many|replac\w+|remov\w+|find|inputs?|words? that|write the letter|print)\b/i;

function extractLetterFrequencies(task: string): Requirement<z.infer<typeof parameters>>[] {
  // A program finds letters in other texts.
  if (asksForCode(task)) return [];
  const { clauses, resolve, restore } = listClauses(task);
  return clauses.flatMap(({ text, statement }) =>
    [...text.matchAll(LETTER)].flatMap((match) => {
      const letter = resolve(match.groups?.letter ?? "");
      const before = text.slice(0, match.index);
      const after = text.slice(match.index + match[0].length);
      const isAbsent = NEGATION.test(before);
      const isAnchored = ANCHORED.test(before) || (!isAbsent && IN_EACH.test(before));
      if (!/^\S$/u.test(letter) || isAnchored || ELSEWHERE.test(text)) return [];
      const bounds = readBounds(text, before, after);
      return bounds
        ? [
            {
              check: "letter-frequency",
              parameters: { letter, ...bounds },
              statement: restore(statement),
            },
          ]
        : [];
    }),
  );
}

function readBounds(clause: string, before: string, after: string) {
  const amounts = listQuantities(clause).filter(
    ({ from, to, following }) =>
      /^(?:times?|occurrences?|instances?|appearances|uses|letters?)\b/i.test(following) ||
      /\b(?:once|twice|thrice)\b/i.test(clause.slice(from, to)),
  );
  const [amount] = amounts;
  if (amounts.length > 1 || (!DEMAND.test(clause) && !NEGATION.test(before))) return null;
  if (amount) return { min: amount.min, max: amount.comparison === "bare" ? null : amount.max };
  if (FORBIDDEN_AFTER.test(after) || NEGATION.test(before)) return { min: null, max: 0 };
  return DEMAND.test(before) ? { min: 1, max: null } : null;
}
