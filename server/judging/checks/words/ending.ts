import { z } from "zod";
import type { Requirement, TextCheck } from "@/server/judging/checks/check";
import { foldPhrase, hasPartAsSubject, isAboutWork, listClauses, MARK } from "./terms";

const parameters = z.strictObject({
  phrase: z.string().trim().min(1).max(400),
  /** Whether nothing may follow it, such as a signature. */
  isLast: z.boolean(),
});

/** Requires a phrase at the end. Case, quotation marks and final punctuation don't matter. */
export const ENDS_WITH: TextCheck<z.infer<typeof parameters>> = {
  name: "ends-with",
  parameters,
  extract: (task) => {
    const found = extractEndings(task);
    // Several endings belong to several parts.
    return found.length > 1 ? [] : found;
  },
  describe: ({ isLast }) =>
    isLast ? "Ends with a given phrase and nothing after it" : "Ends with a given phrase",
  forRubric: "phrase: how the text ends; isLast: whether nothing at all may follow it",
  run: ({ text }, { phrase, isLast }) => {
    const isFound = endsWithPhrase(text, phrase) || (!isLast && hasLateEnd(text, phrase));
    return {
      outcome: isFound ? "pass" : "fail",
      observed: isFound ? "ends with it" : "ends otherwise",
    };
  },
};

const toWords = (text: string) =>
  foldPhrase(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
/** Closing tags, fences and brackets of a format around the text. */
const CLOSING = /(?:\s|```|~~~|<\/[a-z][\w-]{0,40}>|[}\])"'”’*_.])+$/i;

function endsWithPhrase(text: string, phrase: string): boolean {
  const wanted = toWords(phrase);
  const tail = text.slice(-(phrase.length * 3 + 500));
  const ending = toWords(tail.replace(CLOSING, ""));
  return wanted === "" || ending === wanted || ending.endsWith(` ${wanted}`);
}

/** Returns whether one of the last lines ends with the phrase, before a signature or a note. */
function hasLateEnd(text: string, phrase: string): boolean {
  const lines = text
    .trimEnd()
    .split("\n")
    .filter((line) => line.trim() !== "");
  return lines.slice(-6).some((line) => endsWithPhrase(line, phrase));
}

const RESPONSE =
  "(?:(?:the|your|this|my|whole|entire|full|complete|final|actual)\\s+)*(?:response|answer|reply|output|message|text)";
const PIECE =
  "(?:(?:the|your|this|my|whole|entire|full|complete|final)\\s+)*(?:essay|poem|story|e-?mail|letter|article|post|blog post|tweet|summary|song|rap|speech|riddle|haiku|limerick|report|review|description|piece|writing|memo|script|joke|paragraph|dialogue|document|monologue|content|it|rant|ad|advertisement|pitch|resume|itinerary|proposal|cover letter|rewrite|things?|everything)";
const UNIT =
  "(?:(?:the|this|these|following|exact|exactly|precise|specific|literal|single|very|closing|final|last|words?|phrases?|sentences?|lines?|text|string|statement|question|expression|sign-?off|of|by saying|as follows|by asking)[\\s:]+)*";
const BARE = "(?<bare>[\\p{L}][\\p{L}'’]{0,30}(?=[.!]?$|,))";
const END = "(?:end|finish|conclude|close|terminate|wrap up|sign off)(?:e?s|e?d|ing)?";
const PATTERNS = [
  `\\b${END}\\s+(?:off\\s+)?(?:(?<response>${RESPONSE})|${PIECE})?\\s*(?:off\\s+|up\\s+)?(?:in|on|by (?:saying|writing|stating|asking)|with)\\s+${UNIT}(?<mark>${MARK})`,
  `\\b${END}\\s+(?:(?<response>${RESPONSE})|${PIECE})?\\s*(?:with|in|on)\\s+(?:the\\s+)?(?:exact\\s+)?word\\s+${BARE}`,
  `\\b(?:very\\s+)?(?:last|final|closing|end)\\s*(?:words?|sentence|line|phrase|thing)?\\s+(?:(?:of|in)\\s+(?:(?<response>${RESPONSE})|${PIECE})\\s+)?(?:must|should|has to|needs to|shall|is to|will)\\s+(?:be|read|say)[\\s:]+${UNIT}(?:(?<mark>${MARK})|${BARE})`,
  `(?<mark>${MARK})\\s+(?:must|should|has to|needs to)\\s+be\\s+(?:the|your)\\s+(?:very\\s+)?(?:last|final|closing)\\s+(?:words?|sentence|line|phrase|thing)(?:\\s+(?:of|in)\\s+(?:(?<response>${RESPONSE})|${PIECE}))?`,
  `\\b(?:put|place|add|write|include|insert|use|have)\\s+${UNIT}(?<mark>${MARK})\\s+(?:at|as) the (?:very )?(?:end|bottom|last (?:line|words?|sentence))\\b(?:\\s+of\\s+(?:(?<response>${RESPONSE})|${PIECE})\\b)?(?!\\s+of\\s+(?:each|every|all|the))`,
  `\\bsign (?:it|off|(?:the|your) (?:letter|e-?mail|note|message))(?: off)?(?: as| with)?\\s+${UNIT}(?<mark>${MARK})`,
].map((source) => new RegExp(source, "iu"));

const SUBJECT = new RegExp(
  `\\b${RESPONSE}\\s+(?:must|should|has to|needs to|shall|is to)\\s*$`,
  "iu",
);
const THIRD_PERSON = /^(?:end|finish|conclud|clos|terminat)(?:e?s|ing)\b/i;
const NOTHING_AFTER =
  /\b(?:no|nothing|not|without|don['’]?t|do not)\b[^.;]{0,40}\b(?:after|follow|else|beyond|further|additional|other words|afterwards?)/i;
const IN_A_PART =
  /\b(?:each|every|per|all|first|second|third|fourth|next|paragraphs|sentences?|lines?|sections?|stanzas?|verses|bullets?|items|words|names|lists?|columns?|files?|functions?|strings?|(?:paragraph|section|line|part) (?:\d+|one|two|three|four|five))\b[^⟦]{0,40}$/i;
const NEGATION =
  /\b(?:do not|don['’]?t|never|must(?:n['’]?t| not)|should(?:n['’]?t| not)|can ?not|avoid|without|refrain from|not)\b[^.;]{0,40}$/i;
const TEMPLATE = /[<>[\]{}_|]|\.\.\.|…|\bX\b/;
const EXAMPLE = /\b(?:like|such as|eg|for example|for instance|something|e\.g)\b/i;
/** Anything that comes after the ending by another rule of the task. */
const FOLLOWED =
  /\b(?:postscript|p\.\s?s\b|followed by|then add|signature|hashtags? at the end|citation|sources at the end)\b/i;

function extractEndings(task: string): Requirement<z.infer<typeof parameters>>[] {
  const { clauses, resolve, restore } = listClauses(task);
  return clauses.flatMap(({ text, statement }, index) => {
    for (const pattern of PATTERNS) {
      const match = pattern.exec(text);
      const found = match?.groups?.mark ?? match?.groups?.bare;
      if (!match || !found) continue;
      const before = text.slice(0, match.index);
      const after = text.slice(match.index + match[0].length);
      const phrase = resolve(found);
      if (
        (THIRD_PERSON.test(match[0]) && !isAboutWork(before)) ||
        NEGATION.test(before) ||
        IN_A_PART.test(before) ||
        EXAMPLE.test(match[0]) ||
        hasPartAsSubject(before) ||
        TEMPLATE.test(phrase) ||
        !/[\p{L}\p{N}]/u.test(phrase) ||
        phrase.length > 400 ||
        /^\s*,?\s*(?:or|followed by|and then|\/)\b/i.test(after)
      )
        return [];
      const context = `${after} ${clauses[index + 1]?.text ?? ""}`;
      const isLast =
        !FOLLOWED.test(task) &&
        (match.groups?.response !== undefined ||
          SUBJECT.test(before) ||
          NOTHING_AFTER.test(context));
      return [
        { check: "ends-with", parameters: { phrase, isLast }, statement: restore(statement) },
      ];
    }
    return [];
  });
}
