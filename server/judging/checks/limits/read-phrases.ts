import { LEAD, namesPart, WHOLE } from "./statements";

/** Phrases that the whole deliverable has, lacks or ends with. */
export type PhraseLimit =
  | { kind: "includes" | "excludes"; phrases: string[] }
  | { kind: "ends-with"; phrases: [string] };

// cspell:ignore mustn

const PHRASE = "⟦\\d+⟧";
const NOUN =
  "(?:(?:the|this|exact|following|literal|both|all|of|these|two|three|four|five|any) )*(?:(?:key ?words?|words?|phrases?|terms?|expressions?|sentences?|hashtags?|question|line):? )?";
const ALL = `(?<phrases>${PHRASE}(?:(?:,? and (?:the (?:word|phrase) )?|, ?)${PHRASE})*)`;
const ANY = `(?<phrases>${PHRASE}(?:(?:,? and |,? n?or (?:the (?:word|phrase) )?|, ?)${PHRASE})*)`;
/** Words without quotation marks, after a colon. */
const LISTED = "(?<listed>[^.;:⟦]{1,200})";
const UNQUOTED = "(?<listed>\\p{L}+(?:, \\p{L}+)*,? and \\p{L}+)";
const OFTEN = "(?: (?:at least |exactly )?(?:once|twice|\\w+ times))?";
const SOMEWHERE = `(?: (?:somewhere|anywhere|at all|in ${WHOLE}))*${OFTEN}`;
const END = "\\s*(?:[.,;!]|$)";
/** Starts a statement: a sentence, or what follows a comma. */
const START = `(?:^|[;,] (?:and )?| and )${LEAD}`;
const MUST = "(?:must|should|has to|needs to|have to|need to)";
const MUST_NOT = "(?:must not|should not|may not|mustn['’]t|shouldn['’]t|must never|should never)";
const HAVE = "(?:include|contain|use|mention)";
const OCCUR = "(?:all )?(?:appear|occur|be (?:included|used|mentioned))";
const THE_WORD = "the (?:key ?words?|words?|phrases?|terms?) ";
const FORBID =
  "(?:(?:do not|don['’]t|never) (?:use|mention|include|say|write)|avoid(?: using| mentioning| saying)?)";

const PATTERNS: readonly [PhraseLimit["kind"], RegExp][] = (
  [
    [
      "includes",
      `(?:^|[;,] (?:and )?)${LEAD}(?:include|use|mention) ${NOUN}${ALL}${SOMEWHERE}(?:${END}| and )`,
    ],
    ["includes", `^(?:it )?must ${HAVE} ${NOUN}${ALL}${SOMEWHERE}(?:${END}| and )`],
    [
      "includes",
      `^(?:make sure|ensure)(?: that)? ${THE_WORD}(?:${ALL}|${UNQUOTED}) (?:${MUST} )?(?:all )?(?:appear|occur)${SOMEWHERE}${END}`,
    ],
    ["includes", `${START}${THE_WORD}${ALL} ${MUST} ${OCCUR}${SOMEWHERE}(?:${END}| and )`],
    [
      "includes",
      `^${LEAD}(?:include|use) (?:all )?(?:of )?the following (?:key ?words|words|phrases|terms): ${LISTED}[.]?$`,
    ],
    ["excludes", `${START}${FORBID} ${NOUN}${ANY}${SOMEWHERE}${END}`],
    ["excludes", `${START}${WHOLE} ${MUST_NOT} ${HAVE} ${NOUN}${ANY}${SOMEWHERE}${END}`],
    ["excludes", `${START}${THE_WORD}${ANY} ${MUST_NOT} ${OCCUR}${SOMEWHERE}${END}`],
    [
      "excludes",
      `${START}${THE_WORD}${ANY} (?:is|are) (?:banned|forbidden|prohibited|off limits|not (?:allowed|permitted))${END}`,
    ],
    ["excludes", `\\bwithout (?:using|mentioning|saying) ${NOUN}${ANY}${END}`],
    [
      "excludes",
      `^(?:words to avoid|forbidden words|must not contain|do not use the words|avoid the words): ${LISTED}[.]?$`,
    ],
    [
      "ends-with",
      `${START}(?:end|finish|conclude|close)(?: ${WHOLE})? with (?:exactly )?${NOUN}(?<phrases>${PHRASE})${END}`,
    ],
    [
      "ends-with",
      `${START}(?:put|place|write) ${NOUN}(?<phrases>${PHRASE}) at the (?:very )?end(?: of ${WHOLE})?${END}`,
    ],
    [
      "ends-with",
      `^the last (?:words?|line|sentence)(?: of ${WHOLE})? ${MUST} (?:be|read|say):? (?<phrases>${PHRASE})${END}`,
    ],
  ] as const
).map(([kind, source]) => [kind, new RegExp(source, "iu")]);
/** A template rather than a literal text. */
const IS_TEMPLATE = /[<>[\]{}_|]|\.\.\.|…|\b[XN]\b/;

/** Reads which phrases a sentence demands of the whole deliverable, or forbids. */
export function readPhrases(sentence: string, unmask: (text: string) => string): PhraseLimit[] {
  return PATTERNS.flatMap(([kind, pattern]): PhraseLimit[] => {
    const match = pattern.exec(sentence);
    if (!match || (kind !== "ends-with" && namesPart(sentence))) return [];
    if (kind === "ends-with" && /\b(?:each|every|all|per)\b/i.test(sentence)) return [];
    const { phrases: marks = "", listed = "" } = match.groups ?? {};
    const quoted = (marks.match(new RegExp(PHRASE, "g")) ?? []).map((mark) =>
      unmask(mark).slice(1, -1),
    );
    const phrases = [...quoted, ...listed.split(/,? (?:and|or) |, /)]
      .map((one) => one.trim().replace(/(?<=.)[.,;:]$/, ""))
      .filter((one) => one !== "");
    const [first] = phrases;
    const isList = phrases.every(
      (one) => listed === "" || /^[\p{L}'-]+(?: [\p{L}'-]+)?$/u.test(one),
    );
    const isNamed = (one: string) =>
      /[\p{L}\p{N}]/u.test(one) || (kind !== "ends-with" && /^[!?;:,&%@#+=$€£—–]+$/.test(one));
    const isLiteral = isList && phrases.every((one) => isNamed(one) && !IS_TEMPLATE.test(one));
    if (first === undefined || !isLiteral) return [];
    return kind === "ends-with" ? [{ kind, phrases: [first] }] : [{ kind, phrases }];
  });
}
