import { type Figure, readFigures, toSigned } from "./figures";

// cspell:ignore cdot

/** A part of a calculation as written. */
export type Token = { from: number; to: number; isSpaced: boolean } & (
  | { kind: "number"; figure: Figure; value: number }
  | { kind: "operator"; sign: "+" | "-" | "*" | "/" | "^" | "of" }
  | { kind: "open" | "close" }
  | { kind: "equals"; isRough: boolean }
  | { kind: "word"; text: string }
  /** Ends a clause: punctuation or a line break. */
  | { kind: "break" }
  /** What no calculation here contains, such as a root or a name with digits. */
  | { kind: "other" }
);

const FENCE = /^[ \t]*(?:```|~~~)[ \t]*[a-z][\s\S]*?(?:^[ \t]*(?:```|~~~)[ \t]*$|$(?![\s\S]))/gim;
const LINK = /\bhttps?:\/\/[^\s)\]]+/g;
const LATEX: [RegExp, string][] = [
  [/\\(?:times|cdot)\b/g, "×"],
  [/\\div\b/g, "÷"],
  [/\\approx\b/g, "≈"],
  [/\\(?:left|right)(?=[()[\]])/g, ""],
];

/** Replaces code, links and LaTeX by what a calculation consists of. Keeps all offsets, roughly. */
export function toPlain(text: string): string {
  const blank = (part: string) => part.replace(/[^\n]/g, " ");
  const plain = text
    .replace(/(?<=\d)x(?=\d)/g, "×")
    .replace(FENCE, blank)
    .replace(LINK, blank)
    .replace(
      /\\[dt]?frac\{((?:[^{}\n]|\{,\}){1,200})\}\{((?:[^{}\n]|\{,\}){1,200})\}/g,
      (whole, over: string, under: string) => `((${over})/(${under}))`.padEnd(whole.length),
    );
  return LATEX.reduce(
    (latex, [command, sign]) => latex.replace(command, (written) => sign.padEnd(written.length)),
    plain,
  );
}

const SIGNS: Record<string, "+" | "-" | "*" | "/" | "^"> = {
  "+": "+",
  "-": "-",
  "−": "-",
  "–": "-",
  "×": "*",
  "·": "*",
  "*": "*",
  x: "*",
  "÷": "/",
  "/": "/",
  "^": "^",
};
const NAMED: Record<string, "+" | "-" | "*" | "of"> = {
  plus: "+",
  minus: "-",
  times: "*",
  of: "of",
};
const WORD = /\p{L}[\p{L}\p{M}'’]*/uy;
const DIGITS = /[\p{L}\p{N}_:.,]+/uy;
/** Signs that a text may have around a figure, and Markdown. */
const SKIPPED = /[\s$€£_`"\\{}]/;
const BREAKS = /[.,;:!?|<>[\]"“”„\n]/;

/** Splits a text, given as `toPlain` returns it, into the tokens of its calculations. */
export function tokenise(text: string): Token[] {
  const figures = readFigures(text);
  const tokens: Token[] = [];
  let next = 0;
  for (let at = 0; at < text.length; ) {
    while ((figures[next]?.from ?? Number.POSITIVE_INFINITY) < at) next += 1;
    const figure = figures[next];
    const character = text[at] ?? "";
    const isSpaced = at > 0 && /\s/.test(text[at - 1] ?? "");
    const add = (token: { kind: Token["kind"] } & Record<string, unknown>, to: number) => {
      tokens.push({ from: at, to, isSpaced, ...token } as Token);
      at = to;
    };
    if (figure?.from === at) {
      add({ kind: "number", figure, value: toSigned(figure).toNumber() }, figure.to);
    } else if (character === "\n") add({ kind: "break" }, at + 1);
    else if (text.startsWith("**", at)) at += 2;
    else if (SKIPPED.test(character)) at += 1;
    else if (character === "=" || character === "≈") {
      const length = /^[=≈]+/.exec(text.slice(at, at + 3))?.[0].length ?? 1;
      const isOther = length > 1 || /[!<>]/.test(text[at - 1] ?? "");
      add(
        isOther ? { kind: "break" } : { kind: "equals", isRough: character === "≈" },
        at + length,
      );
    } else if (character === "(") add({ kind: "open" }, at + 1);
    else if (character === ")") add({ kind: "close" }, at + 1);
    else if (SIGNS[character] && (character !== "x" || isTimes(text, at))) {
      // The minus sign that the figure already has.
      const isOwnSign =
        SIGNS[character] === "-" &&
        figure?.isNegative &&
        /^[$€£\s]*$/.test(text.slice(at + 1, figure.from));
      if (isOwnSign) at += 1;
      else add({ kind: "operator", sign: SIGNS[character] }, at + 1);
    } else if (BREAKS.test(character)) add({ kind: "break" }, at + 1);
    else {
      WORD.lastIndex = at;
      const word = WORD.exec(text)?.[0];
      DIGITS.lastIndex = at;
      const run = DIGITS.exec(text)?.[0] ?? character;
      const sign = word && NAMED[word.toLowerCase()];
      if (word && sign) add({ kind: "operator", sign }, at + word.length);
      else if (word && !/\d/.test(run.slice(0, word.length + 1))) {
        add({ kind: "word", text: word }, at + word.length);
      } else add({ kind: "other" }, at + run.length);
    }
  }
  return tokens;
}

/** Returns whether an "x" is between two figures. */
const isTimes = (text: string, at: number): boolean =>
  /[\d)%]\s?$/.test(text.slice(Math.max(0, at - 2), at)) &&
  /^\s?[$€£(]?\d/.test(text.slice(at + 1, at + 4));
