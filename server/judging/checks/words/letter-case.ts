import { z } from "zod";
import type { Requirement, TextCheck } from "@/server/judging/checks/check";
import { blankCode } from "./characters";
import { isQuestionAboutOthers } from "./parts";
import { findAnswerStart } from "./term-matching";
import { listClauses, listQuotedTerms } from "./terms";

const LETTER_CASES = ["upper", "lower", "title"] as const;
type LetterCase = (typeof LETTER_CASES)[number];
const parameters = z.strictObject({ letterCase: z.enum(LETTER_CASES) });

const DESCRIPTIONS: Record<LetterCase, string> = {
  upper: "All in capital letters",
  lower: "All in lower case",
  title: "All words capitalized",
};

/** Requires one letter case of the whole deliverable, apart from code, links and prescribed phrases. */
export const LETTER_CASE: TextCheck<z.infer<typeof parameters>> = {
  name: "letter-case",
  parameters,
  extract: (task) => {
    const found = findLetterCases(task);
    // A task that demands two cases means different parts.
    return new Set(found.map(({ parameters: { letterCase } }) => letterCase)).size === 1
      ? found.slice(0, 1)
      : [];
  },
  describe: ({ letterCase }) => DESCRIPTIONS[letterCase],
  forRubric: `letterCase: ${LETTER_CASES.join(", ")}; the case of the whole text`,
  run: ({ task, text }, { letterCase }) => {
    const words = listCasedWords(task, text);
    if (words.length < MIN_WORDS)
      return { outcome: "not-applicable", observed: "no letters to check" };
    const missed = words.filter(({ word }) => MISSES[letterCase](word));
    const isMissed =
      missed.length > (letterCase === "title" ? words.length * 0.2 : tolerate(words.length));
    return {
      outcome: isMissed ? "fail" : "pass",
      observed:
        missed.length === 0 ? "no exceptions" : `${missed.length} of ${words.length} words differ`,
      ...(missed.length > 0 && {
        passages: missed.slice(0, 10).map(({ word, from }) => ({ from, to: from + word.length })),
      }),
    };
  },
};

const MIN_WORDS = 2;
/** One exception in a longer text, such as "iPhone", is no reason to fail. */
const tolerate = (words: number) => (words > 20 ? 1 : 0);
const MINOR_WORDS = new Set(
  "a an the and or but nor for of in on at to by as is with from into over than that via per vs about after between through without within upon when".split(
    " ",
  ),
);

const MISSES: Record<LetterCase, (word: string) => boolean> = {
  // "NASA's" and "CEOs" are in capital letters.
  upper: (word) => /\p{Ll}/u.test(word.replace(/(?<=\p{Lu}{2})['’]?s$/u, "")),
  lower: (word) => /\p{Lu}/u.test(word),
  title: (word) => /^\p{Ll}/u.test(word) && !MINOR_WORDS.has(word),
};

/** Matches what keeps its own spelling: addresses, placeholders, tags, postscript marks, ordinals. */
const EXEMPT =
  /\[[^\]\n]{0,60}\]|<{1,2}[^<>\n]{1,200}>{1,2}|\{[^}\n]{0,100}\}|\S{1,64}@\S{1,100}|[@#][\p{L}\p{N}_]+|\bwww\.\S+|\bp\.\s?(?:p\.\s?)?s\b\.?|(?<!\d)\d{1,20}[a-z]{1,3}\b/giu;

function listCasedWords(task: string, text: string): { word: string; from: number }[] {
  const start = findAnswerStart(task, text);
  const blank = (part: string) => " ".repeat(part.length);
  const prescribed = listQuotedTerms(task)
    .slice(0, 50)
    .map((term) => term.replace(/\b[xn]$/i, "").trim())
    .filter((term) => term.length >= 2);
  let visible = blankCode(text);
  for (const term of prescribed) {
    // Prescribed phrases keep the case that the task gave them.
    const pattern = `(?<![\\p{L}\\p{N}])${escapeRegExp(term)}(?![\\p{L}\\p{N}])`;
    visible = visible.replace(new RegExp(pattern, "giu"), blank);
  }
  return [
    ...visible
      .replace(EXEMPT, blank)
      .slice(start)
      .matchAll(/\p{L}[\p{L}\p{M}'’]*/gu),
  ]
    .map(({ 0: word, index }) => ({ word, from: index + start }))
    .filter(({ word }) => /\p{Lu}|\p{Ll}/u.test(word));
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

const UPPER =
  "(?:caps(?: lock)?|capitals|capital letters|upper-?\\s?case(?: letters| characters)?|capitali[sz]ed letters)";
const LOWER = "(?:lower-?\\s?case(?:d)?(?: letters| characters)?|small letters|lowercases)";
const ALL =
  "(?:(?:all|only|entirely|completely|fully|full|block|strictly|just|solely)[- ]+(?:in )?)";
const WHOLE =
  "(?:(?:the |your |this |my )?(?:entire |whole |complete |full )?(?:response|answer|reply|output|text|essay|poem|story|email|letter|article|post|message|tweet|summary|song|rap|haiku|speech|riddle|content|thing|limerick)|it|everything|all (?:of it|the text|letters|words|characters)|(?:all|every|each) (?:of )?(?:the |your )?(?:letters?|characters?)(?: in (?:your|the) [a-z ]{1,30})?|every word)";
const NOT =
  "(?:do not|don['’]?t|never|must(?:n['’]?t| not)|should(?:n['’]?t| not)|can ?not|can['’]?t|avoid(?:ing)?|refrain(?:ing)? from|without)(?: ever)?(?: (?:us(?:e|ing)|includ(?:e|ing)|contain(?:ing)?|hav(?:e|ing)|writ(?:e|ing)))?";

const createPatterns = (own: string, other: string) =>
  [
    `\\bin ${ALL}*(?:english )?${own}(?! (?:names?|words?))`,
    `\\b(?:use|using|with|write|respond|answer|reply|type) (?:in )?${ALL}+${own}(?! words?)`,
    `\\b(?:${ALL}|only use |use only )${own}\\b(?: only)?(?! words?)`,
    `\\b${own} (?:letters )?only\\b`,
    `\\b${WHOLE} (?:must|should|needs? to|has to|have to|is to|are to|is|are)(?: all| only)? be ${ALL}*(?:in )?${ALL}*${own}`,
    `\\b${WHOLE} (?:is|are) ${ALL}*(?:in )?${ALL}*${own}`,
    `\\b(?:no|zero|${NOT}(?: any)?(?: a single)?) (?:[a-z]+ or )?${other}`,
    `\\b${other} (?:are|is) (?:not allowed|forbidden|prohibited|banned|not permitted)`,
    `\\bhav(?:e|ing) no ${other}`,
  ].map((source) => new RegExp(source, "iu"));

const CAPITALS =
  "(?:capital(?:i[sz]ed)?(?: letters?)?|upper-?\\s?case(?: letters?| characters?)?|capitals|caps|capitali[sz]ation)(?! words?)";
const PATTERNS: Record<LetterCase, RegExp[]> = {
  upper: createPatterns(UPPER, "lower-?\\s?case(?: letters?| characters?)?"),
  lower: [
    ...createPatterns(LOWER, CAPITALS),
    new RegExp(`\\b${NOT} capitali[sz](?:e|ing) (?:any|a single|anything)`, "iu"),
  ],
  title: [
    /\b(?:in|use|using) title[- ]case\b/iu,
    /\bcapitali[sz](?:e|ing) (?:the first letter (?:of|in) )?(?:every|each)(?: single)? word\b/iu,
    /\b(?:every|each) word (?:must|should|has to|needs to) (?:be capitali[sz]ed|(?:start|begin) with an? (?:capital|uppercase))/iu,
  ],
};

/** Matches every clause that one of the patterns may match. */
const NAMES_CASE = /cap|upper|lower|small|title/iu;

/** Parts of a text that may have a case of their own. */
const PART_BEFORE =
  /\b(?:titles?|headings?|headlines?|subject(?: line)?|names?|words?|labels?|keywords?|acronyms?|abbreviations?|abilities|terms?|phrases?|sections?|markers?|letters?|initials?|first|last|some|few|hashtags?|columns?|constants?|variables?|keys?|headers?|signature|interjections?|sentences?|lines?|paragraphs?|characters?|bullets?|options?|chorus|city|country|names?|values?|codes?|ids?|tags?|answers|body|rest|remainder)\b(?! (?:and|about|of|on|for|to)\b)[^,.;⟦]{0,20}$/i;
const WHOLE_WORDS =
  /\b(?:all|every|each)(?: of)?(?: the| your)? (?:words?|letters?|characters?)\b[^,.;]{0,30}$/i;
const PART_AFTER =
  /^[\s,]*(?:for|on|to (?:emphasi[sz]e|highlight)|when|as|within|at the|in (?:the |your |all )?(?:titles?|headings?|headlines?|first|last|subject|section)|words?|names?|followed|instead)\b(?! (?:the |your )?(?:entire|whole|response|answer|everything|all))/i;
/** A plural part that must have the case: "answers must be in uppercase". */
const PLURAL_BEFORE =
  /\b(?!letters|characters|contents|words)[a-z]{3,}s (?:must|should|need to|have to|are|shall)\b[^,.;]{0,20}$/i;
const NEGATED =
  /\b(?:not|never|avoid|n['’]t|without|no|instead of|rather than|explain|when to|why|difference)\b[^,.;]{0,25}$/i;
const ELSEWHERE =
  /\b(?:functions?|strings?|scripts?|programs? (?:that|to)|methods?|convert\w*|regex|python|javascript|columns?|fields?|variables?|sql|file ?names?|inputs?|class names?|passwords?|how many|count|change the)\b/i;

/** A part that a relative clause describes: "the title, which must be in title case". */
const RELATIVE_PART =
  /\b(?:titles?|headings?|headlines?|subject(?: line)?|names?|labels?|sections?)\b,? (?:which|that|who)\b[^.;]{0,30}$/i;
/** Exceptions mean that no single case holds for the whole text. */
const EXCEPTS = /\b(?:except|apart from|aside from|other than|excluding)\b/i;

function findLetterCases(task: string): Requirement<z.infer<typeof parameters>>[] {
  const { clauses, restore } = listClauses(task);
  return clauses.flatMap(({ text, statement }) => {
    if (!NAMES_CASE.test(text)) return [];
    if (ELSEWHERE.test(text) || isQuestionAboutOthers(statement) || EXCEPTS.test(text)) return [];
    return LETTER_CASES.filter((letterCase) => isDemanded(text, letterCase)).map((letterCase) => ({
      check: "letter-case",
      parameters: { letterCase },
      statement: restore(statement),
    }));
  });
}

function isDemanded(clause: string, letterCase: LetterCase): boolean {
  return PATTERNS[letterCase].some((pattern) => {
    const match = pattern.exec(clause);
    if (!match) return false;
    const before = clause.slice(0, match.index);
    const after = clause.slice(match.index + match[0].length);
    return (
      !(
        PART_BEFORE.test(before) &&
        !/\b(?:write|in|of|about|exactly) \d{2,} words? $/i.test(before) &&
        !WHOLE_WORDS.test(before)
      ) &&
      !PLURAL_BEFORE.test(before) &&
      !RELATIVE_PART.test(before) &&
      // "The word ⟦TA⟧ in capital letters" is about one word.
      !/⟧\s*$/.test(before) &&
      !PART_AFTER.test(after) &&
      !NEGATED.test(before)
    );
  });
}
