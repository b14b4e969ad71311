import { francAll } from "franc";
import { z } from "zod";
import type { Requirement, TextCheck } from "@/server/judging/checks/check";
import { blankCode } from "./characters";
import { hasForeignFunctionWords } from "./function-words";
import { LANGUAGES, type Language, listCodes, SCRIPTS } from "./languages";
import { isMereQuestion } from "./parts";
import { listClauses, listQuotedTerms } from "./terms";

const parameters = z.strictObject({
  /** English name of the language, such as "Hindi". */
  language: z.string().refine((name) => LANGUAGES.has(name.toLowerCase())),
});

/** Requires the language of the whole deliverable. Fails only if another one clearly prevails. */
export const LANGUAGE: TextCheck<z.infer<typeof parameters>> = {
  name: "language",
  parameters,
  extract: extractLanguage,
  describe: () => "Written in the required language",
  forRubric: "language: English name of the language that the whole text must be in",
  run: ({ task, text }, { language: name }) => {
    const language = LANGUAGES.get(name.toLowerCase());
    const isMissed = language ? missesLanguage(language, removePrescribed(task, text)) : null;
    if (isMissed === null)
      return { outcome: "not-applicable", observed: "too little text to tell the language" };
    return {
      outcome: isMissed ? "fail" : "pass",
      observed: isMissed ? "another language prevails" : "no other language prevails",
    };
  },
};

const MIN_LETTERS = 20;
const MIN_LETTERS_TO_DETECT = 80;
/** Share of the letters that must be in a script of the language. */
const MIN_SCRIPT_SHARE = 0.3;
/** The language must score at least this much relative to the most likely one. */
const MIN_SCORE = 0.8;

/** Removes code, links and prescribed phrases, which may be in another language. */
function removePrescribed(task: string, text: string): string {
  return listQuotedTerms(task)
    .slice(0, 50)
    .filter((term) => term.length > 2)
    .reduce((rest, term) => rest.replaceAll(term, " "), blankCode(text))
    .replace(/\S{1,64}@\S{1,100}|<[^>\n]{1,200}>/g, " ");
}

/** Returns whether the text is in another language; null if there is too little text. */
function missesLanguage({ scripts, code, similar = [], name }: Language, text: string) {
  if (code && scripts.includes("Latin") && hasForeignFunctionWords(text, code, similar))
    return true;
  const letters = text.match(/[\p{L}\p{M}]/gu)?.length ?? 0;
  if (letters < MIN_LETTERS) return null;
  const count = (script: keyof typeof SCRIPTS) => text.match(SCRIPTS[script])?.length ?? 0;
  const own = scripts.reduce((sum, script) => sum + count(script), 0);
  if (own < letters * MIN_SCRIPT_SHARE) return true;
  // Chinese has no kana, and longer Japanese texts always do.
  if (name === "Chinese") return count("Kana") > letters * 0.15;
  if (name === "Japanese") return letters > 60 && count("Kana") < letters * 0.05;
  if (!code) return false;
  if (letters < MIN_LETTERS_TO_DETECT) return scripts.includes("Latin") ? null : false;
  const scores = new Map(francAll(text, { only: listCodes(scripts) }));
  if (similar.some((other) => scores.get(other) === 1)) return false;
  return (scores.get(code) ?? 0) < MIN_SCORE;
}

const ANY_NAME = [...LANGUAGES.keys()].toSorted((a, b) => b.length - a.length).join("|");
const NAMES_LANGUAGE = new RegExp(ANY_NAME, "iu");
const NAME = `(?<language>${ANY_NAME})`;
/** Requires the clause to end or go on elsewhere: "French cinema" names no language. */
const END =
  "(?: language)?(?: only| alone| exclusively| entirely| throughout| please)?(?=\\s*[.,;:!?)(]|\\s*$|\\s(?:and(?! \\p{Lu})|but|with|using|for|about|on|to|from|no|at|that|why|how|what|please|as|so|by|while|without|in|of|capital|[a-z]{3,12}ing)\\b)";
const VERB =
  "(?:respond|reply|answer|write|draft|compose|deliver|summari[sz]e|explain|give|provide|create|generate|produce|describe|tell|make|rewrite|output|speak|present|prepare|list|discuss)";
const WORK =
  "(?:answer|response|reply|report|text|deliverable|output|article|summary|document|translation|post|essay|result|it|everything|e-?mail|letter|analysis|poem|story|content|whole thing)";
/** Text between the verb and the language that does not relate the language to a source. */
const PLAIN =
  "(?:(?!\\b(?:written|published|about|on|from|available|sources?|speakers?|into|comments?|identifiers?|keep|not|words?|called|spoken|lessons?|class|classes|phrases?|sold|sung|movies?|films?|books?|songs?)\\b)[^.;:\\n]){0,100}?";
const ONLY =
  "(?:only |entirely |completely |solely |exclusively |just |purely |fully |strictly |wholly |all )*";
const QUALIFIERS =
  "(?:the |proper |plain |simple |formal |standard |good |lowercase |casual |fluent |native |modern |brazilian |european |latin american |mexican |american |british |canadian |uk |us )*";
const PATTERNS = [
  `\\b${VERB}(?:ing)?\\b${PLAIN} ${ONLY}(?:in|using) ${ONLY}${QUALIFIERS}${NAME}${END}`,
  `\\btranslat(?:e|ed|ion|ing)\\b[^.;:\\n]{0,160}? (?:in)?to (?:the |proper |formal |simple )*${NAME}${END}`,
  `\\b(?:the |your |final |entire |whole )*${WORK} (?:must|should|shall|has to|needs? to|is to|is) (?:also )?be ${ONLY}(?:written |delivered |provided |given |composed |drafted )?${ONLY}in ${ONLY}${QUALIFIERS}${NAME}${END}`,
  `\\b(?:the |your |final |entire |whole )*${WORK} is ${ONLY}in ${ONLY}(?:the )?${NAME}${END}`,
  `\\b(?:output |response |target |answer )?language(?:: ?| (?:must|should|has to|shall) be |: )${NAME}${END}`,
  `\\b(?:only|solely|exclusively|entirely|completely) (?:use |using |in )+(?:the )?${NAME}${END}`,
  `\\b(?:using|use|in) (?:only|just|nothing but) (?:the )?${NAME}${END}`,
  `\\b(?:in )?${NAME}(?: language)?,? (?:and )?no other languages?\\b`,
  `\\b(?:in )?${NAME} (?:language )?only\\b`,
  `^(?:please )?in ${NAME}[,:]`,
  `\\b${VERB}\\b[^.;:\\n]{0,160}(?:,| and)(?: also)?(?: (?:written|composed|delivered))? in ${ONLY}${NAME}${END}`,
  `\\b${WORK} written ${ONLY}in ${NAME}${END}`,
  `\\b(?:want|need|like|have) (?:it|everything|all of it|the whole thing|(?:the|your) (?:entire |whole )?${WORK}) (?:to be |written )?in ${NAME}${END}`,
  `\\b${VERB} (?:me |us )?(?:an?|the|two|three) (?:[a-z-]+ ){0,2}(?:poem|story|song|haiku|joke|tweet|riddle|rap|limerick|letter|e-?mail|dialogue|advertisement|speech)s? [^.;:\\n]{0,100}? in ${NAME}$`,
].map((source) => new RegExp(source, "iu"));

const NEGATION =
  /\b(?:learn(?:ing|s)? (?:how )?to|how to|not|never|don['’]?t|avoid|without|instead of|rather than|unless|if)\b[^.;,]{0,40}$/i;
/** Another language, with which the work is bilingual, or a choice. */
const OTHER_LANGUAGE = new RegExp(
  `^[\\s,]*(?:and|or|/|&|as well as|then|followed by)?\\s*(?:in |into |to )?(?:${[...LANGUAGES.keys()].join("|")})\\b`,
  "iu",
);
const PART_BEFORE =
  /\b(?:titles?|words?|phrases?|greetings?|names?|terms?|quotes?|slogans?|headings?|comments?|subtitles?|fluen\w+|conversations?|expressions?|courses?|lessons?|degree|major|skills?|proficien\w+)(?: (?:written|called|said))?\s*$/i;

function extractLanguage(task: string): Requirement<z.infer<typeof parameters>>[] {
  const { clauses, restore } = listClauses(task);
  const found = new Map<string, string>();
  for (const { text, statement } of clauses) {
    if (!NAMES_LANGUAGE.test(text)) continue;
    for (const pattern of PATTERNS) {
      const match = pattern.exec(text);
      const name = match?.groups?.language;
      const language = name && LANGUAGES.get(name.toLowerCase());
      if (!match || !language) continue;
      const lead = match[0].slice(0, match[0].toLowerCase().lastIndexOf(name.toLowerCase()));
      const before = text.slice(0, match.index) + lead;
      if (OTHER_LANGUAGE.test(text.slice(match.index + match[0].length))) return [];
      const isPart = PART_BEFORE.test(before.replace(/\s(?:in|into|using)\s[^,]{0,20}$/i, ""));
      if (NEGATION.test(before) || isPart) continue;
      if (isMereQuestion(statement)) continue;
      found.set(language.name, restore(statement));
    }
  }
  const [only] = found;
  return only && found.size === 1
    ? [{ check: "language", parameters: { language: only[0] }, statement: only[1] }]
    : [];
}
