import { z } from "zod";
import type { Requirement, TextCheck } from "@/server/judging/checks/check";
import { type Bounds, describeBounds, listQuantities } from "@/server/judging/checks/text/quantity";
import { CHARACTER_KINDS, type CharacterKind, countKind, KINDS } from "./characters";
import { isLimitedToPart, isQuestionAboutOthers } from "./parts";
import { findAnswerStart } from "./term-matching";
import { listClauses } from "./terms";
import { bound } from "./word-frequency";

const parameters = z
  .strictObject({ kind: z.enum(CHARACTER_KINDS), min: bound, max: bound })
  .refine(({ min, max }) => min !== null || max !== null);

const PLURALS: Partial<Record<CharacterKind, string>> = {
  dash: "dashes",
  "em dash": "em dashes",
  parenthesis: "parentheses",
  ellipsis: "ellipses",
};

/** Requires or forbids punctuation marks, digits, emojis or contractions. */
export const CHARACTER_FREQUENCY: TextCheck<z.infer<typeof parameters>> = {
  name: "character-frequency",
  parameters,
  extract: extractCharacterFrequencies,
  describe: ({ kind, ...bounds }) => describeBounds(bounds, kind, PLURALS[kind]),
  forRubric: `kind: one of ${CHARACTER_KINDS.join(", ")}; min and max: how many, or null; max 0 forbids them`,
  run: ({ task, text }, { kind, min, max }) => {
    const start = findAnswerStart(task, text);
    const { high } = countKind(text, kind);
    const { low, passages } = countKind(text.slice(start), kind);
    const isMissed = (min !== null && high < min) || (max !== null && low > max);
    return {
      outcome: isMissed ? "fail" : "pass",
      observed: max !== null && low > max ? `${low} found` : `${high} found`,
      ...(max !== null &&
        low > max && {
          passages: passages.map(({ from, to }) => ({ from: from + start, to: to + start })),
        }),
    };
  },
};

const USE =
  "(?:us(?:e|ing)|includ(?:e|ing)|contain(?:ing)?|employ(?:ing)?|hav(?:e|ing)|writ(?:e|ing)|add(?:ing)?|put(?:ting)?|insert(?:ing)?|utili[sz](?:e|ing)|featur(?:e|ing)|want(?: to see)?|like(?: to see)?|see|the use of|use of)";
const NOT =
  "(?:do not|don['’]?t|does(?:n['’]?t| not)|never|must(?:n['’]?t| not| never)|should(?:n['’]?t| not| never)|shall not|can ?not|can['’]?t|may not|(?:not|n['’]t) (?:allowed|permitted|supposed) to|(?:forbidden|prohibited) (?:from|to)|avoid(?:ing)?|refrain(?:ing)? from|abstain(?:ing)? from|steer clear of|stay away from|without|free of|free from|devoid of|instead of|neither)";
const WHOLE =
  "(?:in|within|throughout|from|anywhere in|across) (?:the |your |this |my |its |any of |all of )*(?:entire |whole |complete |full |final |overall )*(?:response|answer|reply|output|text|essay|poem|story|email|e-mail|letter|article|post|blog post|message|tweet|summary|writing|piece|work|deliverable|result|content|haiku|song|report|document|review|dialogue|rap|limerick|itinerary|speech|paragraphs?|it|there|here)";
/** What may follow the name if the demand covers the whole deliverable. */
const END = `(?=\\s*(?:$|[.!;)(]|,(?!\\d)|[?]\\s*$|(?:please|allowed|permitted|used|such as|like|eg|at all|whatsoever|anywhere|throughout|ever|either|here|today|and|or|but|${WHOLE})\\b|(?:is|are|be) (?:allowed|permitted|used)\\b))`;
const OTHERS =
  "(?:(?:,\\s*|\\s+(?:or|and|nor)\\s+|,\\s*(?:or|and|nor)\\s+)(?:any |the )?[a-z]{2,14}(?: [a-z]{2,14})?){0,4}?";

const escapeKind = (kind: CharacterKind) => `(?:${KINDS[kind].name})`;

/** Patterns of a prohibition of a kind of character in the whole deliverable. */
const FORBIDS = Object.fromEntries(
  CHARACTER_KINDS.map((kind) => {
    const name = escapeKind(kind);
    const before = `(?:(?:any|a single|even one|even a single|the|all|additional|kind of|form of|type of|sort of|punctuation marks? (?:such as|like)|[a-z]{3,12}(?: marks?)?(?:,| or|,? nor|,? and)) )*`;
    return [
      kind,
      [
        `\\b${NOT} (?:ever |even |please )?(?:${USE} )?${before}${name}${OTHERS}${END}`,
        `\\b(?:no|zero|0)(?: use of| more)? (?:(?:[a-z]{3,12}(?: marks?)?(?:,| or|,? nor|,? and)) (?:no )?)*${name}${OTHERS}${END}`,
        `\\b${name}${OTHERS} (?:(?:are|is) (?:strictly |also )?(?:not (?:allowed|permitted|to be used|acceptable)|n['’]t allowed|forbidden|banned|prohibited|off[- ]limits|disallowed)|(?:must|should|can|may|shall)(?: not|n['’]?t| never) (?:be (?:used|included|present|found)|appear|occur)|can ?not (?:be used|appear))`,
        `\\b(?:exclude|omit|leave out|skip|drop|eliminate|remove) (?:any |all |the |every )*${name}${END}`,
        `\\b(?:${name})[- ]free\\b`,
      ].map((source) => new RegExp(source, "iu")),
    ];
  }),
) as Record<CharacterKind, RegExp[]>;

/** Parts of a deliverable or program texts, to which the demand may be limited. */
const IN_A_PART =
  /\b(?:titles?|headings?|headlines?|subject(?: line)?|first|last|opening|closing|each|every|per|stanzas?|bullets?|intro\w*|conclusion|captions?|footer|header|columns?|fields?|cells?|names?|usernames?|passwords?|keys?|ids?|function|input|csv|between|thousands?|regex|variable|lists?|items?|separat\w+|if|page|phone|line)\b/i;
/** Kinds whose name has other meanings: "do not include the numbers of the second quarter". */
const AMBIGUOUS: readonly CharacterKind[] = ["digit", "period", "quotation mark"];
const CHARACTER_WORDS =
  /\b(?:digits?|numerals?|characters?|punctuation|words? (?:only|instead)|spell|marks?|symbols?)\b/i;

function extractCharacterFrequencies(task: string): Requirement<z.infer<typeof parameters>>[] {
  const { clauses, restore } = listClauses(task);
  return clauses.flatMap(({ text, statement }) => {
    if (!ANY_NAME.test(text) || isQuestionAboutOthers(statement)) return [];
    return CHARACTER_KINDS.flatMap((kind) => {
      const bounds = readBounds(text, kind, statement);
      if (!bounds) return [];
      // "A single number" is no single digit, and asterisks mark bullets and dividers.
      if (!COUNTED.includes(kind) && bounds.max !== 0) return [];
      if (AMBIGUOUS.includes(kind) && !isAboutCharacters(text, kind)) return [];
      return [
        {
          check: "character-frequency",
          parameters: { kind, min: bounds.min, max: bounds.max },
          statement: restore(statement),
        },
      ];
    });
  });
}

const COUNTED: readonly CharacterKind[] = [
  "comma",
  "semicolon",
  "exclamation mark",
  "question mark",
  "em dash",
  "ellipsis",
];

/** Returns whether the name means characters: "no numbers" may mean no figures, "periods" times. */
function isAboutCharacters(clause: string, kind: CharacterKind): boolean {
  return (
    CHARACTER_WORDS.test(clause) ||
    new RegExp(
      `(?:\\b(?:any|single|no)|${NOT} ${USE}|^\\W*avoid) (?:${KINDS[kind].name})${END}`,
      "iu",
    ).test(clause)
  );
}

const NAMES = Object.fromEntries(
  CHARACTER_KINDS.map((kind) => [kind, new RegExp(`\\b${escapeKind(kind)}`, "iu")]),
) as Record<CharacterKind, RegExp>;

const ANY_NAME = new RegExp(`\\b(?:${CHARACTER_KINDS.map(escapeKind).join("|")})`, "iu");

function readBounds(clause: string, kind: CharacterKind, statement: string): Bounds | null {
  if (!NAMES[kind].test(clause)) return null;
  const match = FORBIDS[kind].map((pattern) => pattern.exec(clause)).find(Boolean);
  const unit = new RegExp(`^(?:different |[a-z]+ )?${escapeKind(kind)}(?![\\w-])`, "iu");
  const amount = listQuantities(clause).find(
    ({ following, min, max }) => unit.test(following) && !(min === 0 && max === 0),
  );
  const times = new RegExp(
    `\\b${escapeKind(kind)}(?: \\W{1,3})? (?:(?:should|must|may|can) (?:appear|be used|occur) )?`,
    "iu",
  );
  if (match && !/^there (?:is|are|was|were)\b/i.test(clause)) {
    const after = clause.slice(match.index + match[0].length);
    const before = clause.slice(0, match.index);
    const isPart = IN_A_PART.test(after.slice(0, 40)) || isLimitedToPart(before, statement);
    return isPart ? null : { min: null, max: 0 };
  }
  if (amount) {
    if (
      IN_A_PART.test(clause.slice(amount.to)) ||
      !/\b(?:us|includ|contain|add|with|have|put|insert|must|should|least|most|exactly|limit)/i.test(
        clause,
      )
    )
      return null;
    const bounds = amount.comparison === "bare" ? { min: amount.min, max: null } : amount;
    return { min: bounds.min, max: bounds.max };
  }
  const counted = times.exec(clause);
  const quantity =
    counted &&
    listQuantities(clause).find(
      ({ from, following }) => from >= counted.index && /^times\b/i.test(following),
    );
  if (!quantity || !/\b(?:us|includ|contain|should|must|appear)/i.test(clause)) return null;
  return { min: quantity.min, max: quantity.comparison === "bare" ? null : quantity.max };
}
