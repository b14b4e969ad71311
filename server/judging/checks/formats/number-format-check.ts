import { z } from "zod";
import type { CheckResult, TextCheck } from "@/server/judging/checks/check";
import { asksForCode } from "@/server/judging/checks/text/code-tasks";
import { listStatements } from "@/server/judging/checks/text/statements";

interface NumberStyle {
  /** Matches a demand for the style. */
  demand: RegExp;
  /** Matches a figure or time in the style. */
  right: RegExp;
  /** Matches one that is plainly in another style. */
  wrong: RegExp;
}

const currency = (names: string, symbol: string): NumberStyle => ({
  demand: new RegExp(
    `\\b(?:use|with|include|prefix\\w*|put|add|preceded by|followed by|start\\w* with)\\b[^.;\\n]{0,40}(?:(?:${names}) (?:sign|symbol)|(?<!\\w)["“'(]?${symbol}["”')]? (?:sign|symbol))\\b`,
    "i",
  ),
  right: new RegExp(`${symbol}\\s?\\d|\\d\\s?${symbol}`, "g"),
  wrong: /\d{2}/g,
});

/** Styles by the name that is stored; each is missed only if no figure has it and some has another. */
const STYLES = {
  "comma between thousands": {
    demand:
      /\bcommas? (?:as|for|to separate|between|in) (?:the |a |all |every )?thousands?\b|\bthousands? separators? \(commas?\)|\bcomma(?:[- ]separated)? thousands\b/i,
    right: /(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d])/g,
    wrong: /(?<![\w.,#/-])\d{5,9}(?![\w/-])/g,
  },
  "decimal comma": {
    demand: /\bcommas? (?:as|for) (?:the |a )?decimal\b|\bdecimal commas?\b/i,
    right: /(?<![\d.,])\d+,\d{1,2}(?!\d)/g,
    wrong: /(?<![\w.,])\d+\.\d{1,2}(?![\w.])/g,
  },
  "24-hour time": {
    demand: /\b24[- ]?(?:hour|h)\b[^.;\n]{0,20}\b(?:time|clock|format|notation)|\bmilitary time\b/i,
    right: /(?<![\d:])(?:[01]?\d|2[0-3])[:.h][0-5]\d(?!\d|\s?[ap]\.?m\b)/gi,
    wrong: /\b\d{1,2}(?:[:.][0-5]\d)?\s?(?:am|pm|a\.m\.|p\.m\.)(?!\w)/gi,
  },
  "12-hour time": {
    demand:
      /\b12[- ]?(?:hour|h)\b[^.;\n]{0,20}\b(?:time|clock|format|notation)|\bam\/pm (?:format|time)\b/i,
    right: /\b\d{1,2}(?:[:.][0-5]\d)?\s?(?:am|pm|a\.m\.|p\.m\.)(?!\w)/gi,
    wrong: /(?<![\d:])(?:1[3-9]|2[0-3]):[0-5]\d(?!\d)/g,
  },
  "euro sign": currency("euro", "€"),
  "dollar sign": currency("dollar", "\\$"),
  "pound sign": currency("pound", "£"),
} satisfies Record<string, NumberStyle>;
type Style = keyof typeof STYLES;
const STYLE_NAMES = Object.keys(STYLES) as [Style, ...Style[]];

const parameters = z.strictObject({ style: z.enum(STYLE_NAMES) });
/** Matches sentences that describe data, allow several styles or forbid one. */
const HEDGED =
  /\b(?:not|never|without|instead of|n't|if|either|or|may|convert(?:ing)? from|currently|input|are (?:given|stored))\b/i;
const ASKS_ABOUT = /^(?:explain|why|how|what|describe|discuss|compare)\b/i;
const MAX_LENGTH = 100_000;

/** Checks how the deliverable writes numbers, amounts of money or times of day. */
export const NUMBER_FORMAT: TextCheck<z.infer<typeof parameters>> = {
  name: "number-format",
  parameters,
  extract: (task) => {
    if (asksForCode(task)) return [];
    return listStatements(task).flatMap(({ text, isHedged }) => {
      if (isHedged || HEDGED.test(text) || ASKS_ABOUT.test(text)) return [];
      return STYLE_NAMES.filter((style) => STYLES[style].demand.test(text)).map((style) => ({
        check: "number-format",
        parameters: { style },
        statement: text,
      }));
    });
  },
  describe: ({ style }) => `Figures with ${style}`,
  forRubric: `{"style": one of ${STYLE_NAMES.map((name) => `"${name}"`).join(", ")}}: how figures or times are written`,
  run: ({ text }, { style }): CheckResult => {
    const start = text.slice(0, MAX_LENGTH);
    const right = start.match(STYLES[style].right)?.length ?? 0;
    const wrong = start.match(STYLES[style].wrong)?.length ?? 0;
    if (right === 0 && wrong === 0)
      return { outcome: "not-applicable", observed: "no such figures" };
    return {
      outcome: right === 0 ? "fail" : "pass",
      observed: right === 0 ? "figures in another style" : `${right} in this style`,
    };
  },
};
