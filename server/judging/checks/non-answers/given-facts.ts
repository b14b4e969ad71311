import { z } from "zod";
import {
  type CheckResult,
  createGeneralRequirement,
  type TextCheck,
} from "@/server/judging/checks/check";
import { CONTAINS_CODE } from "@/server/judging/checks/text/code-tasks";
import { countWords, hasCodeOrTable } from "./prose";

/** Tasks whose good answers may use none of the figures and names given. */
const MAY_OMIT_FACTS =
  /\b(?:anonymi[sz]\w*|redact\w*|generic|templates?|placeholders?|pseudonym\w*|(?:without|no|avoid|omit\w*|not use|remov\w*)(?: \w+){0,3} (?:numbers?|digits?|figures|numerals|names|statistics)|functions?|scripts?|programs?|regex|regular expression|algorithm|sql|quer(?:y|ies)|code|titles?|headlines?|slogans?|poems?|songs?|inspired|similar to|in the style of|examples? (?:input|output)|themes?|sentiment|tone|classif\w+|translat\w+|spell(?:ed)? out)\b/i;
/** Amounts that say how to write, not what about. */
const LENGTH_DEMAND =
  /\b\d+(?:\s?(?:-|–|to|and|or)\s?\d+)?[- ]?(?:words?|wörter|mots|palabras|palavras|parole|characters?|letters?|sentences?|paragraphs?|lines?|bullets?|points?|items?|sections?|pages?|questions?|examples?|ideas|reasons|decimals?|decimal places|times|steps?|headings?|years? old)\b/giu;
const NUMBER = /(?<![\w.])\d[\d.,\u00a0\u202f]*/g;
const NAME = /(?<=[\p{Ll},;:(]\s)(?:\p{Lu}[\p{L}\d-]{2,}|\p{Lu}{2,}\d*)|`[^`\n]{2,40}`/gu;

const MAX_READ = 60_000;
const MIN_NUMBERS = 4;
const MIN_FACTS = 5;
/** From this many facts on, one that recurs may be a coincidence. */
const MANY_FACTS = 9;
const MIN_WORDS = 60;
/** Longer numbers lose digits as floating-point numbers. */
const MAX_DIGITS = 15;

/** Finds general talk: long texts that use none of the many facts which the task gives. */
export const GIVEN_FACTS: TextCheck<Record<string, never>> = {
  name: "given-facts",
  parameters: z.strictObject({}),
  extract: (task) => {
    const { numbers, names } = listFacts(task);
    const isClear = !MAY_OMIT_FACTS.test(task) && !CONTAINS_CODE.test(task);
    const isRich = numbers.size >= MIN_NUMBERS && numbers.size + names.size >= MIN_FACTS;
    return isClear && isRich ? [createGeneralRequirement("given-facts")] : [];
  },
  describe: () => "Uses the facts that the task gives",
  run: ({ task, text }): CheckResult => {
    if (countWords(text.slice(0, MAX_READ)) < MIN_WORDS || /[[{]/.test(text.trimStart()[0] ?? "")) {
      return { outcome: "not-applicable", observed: "a short or structured answer" };
    }
    const given = listFacts(task);
    const ownNumbers = new Set(listNumbers(text.slice(0, MAX_READ)));
    const lower = text.slice(0, MAX_READ).toLowerCase();
    const used =
      [...given.numbers].filter((number) =>
        [number, ...listRounded(number)].some((one) => ownNumbers.has(one)),
      ).length + [...given.names].filter((name) => lower.includes(name)).length;
    const total = given.numbers.size + given.names.size;
    const isUnused = used === 0 || (used === 1 && total >= MANY_FACTS && !hasCodeOrTable(text));
    return {
      outcome: isUnused ? "fail" : "pass",
      observed: `${used} of ${total} given facts used`,
    };
  },
};

/** Returns the distinct figures of at least two digits, and names within sentences. */
function listFacts(task: string): { numbers: Set<string>; names: Set<string> } {
  const start = task.slice(0, MAX_READ).replace(LENGTH_DEMAND, " ");
  const numbers = listNumbers(start).filter((number) => number.length >= 2);
  const names = (start.match(NAME) ?? []).map((name) => name.replaceAll("`", "").toLowerCase());
  return { numbers: new Set(numbers), names: new Set(names) };
}

/** Returns the leading digits of a number, rounded to three places or more: "22.5 million" for 22,480. */
const listRounded = (digits: string): string[] =>
  digits.length > MAX_DIGITS
    ? []
    : Array.from({ length: Math.max(0, digits.length - 3) }, (_, dropped) =>
        String(Math.round(Number(digits) / 10 ** (dropped + 1))),
      );

/** Returns the digits of every number, without separators and trailing zeros of a fraction. */
function listNumbers(text: string): string[] {
  return (text.match(NUMBER) ?? []).map((number) =>
    number
      .replace(/[.,]+$/, "")
      .replace(/([.,]\d*?)0+$/, (whole, kept: string) => (/[.,]\d{3}$/.test(whole) ? whole : kept))
      .replace(/[^\d]/g, ""),
  );
}
