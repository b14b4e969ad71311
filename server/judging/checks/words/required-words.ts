import { z } from "zod";
import type { TextCheck } from "@/server/judging/checks/check";
import { type Bounds, describeBounds } from "@/server/judging/checks/text/bounds";
import { listQuantities, parseAmount } from "@/server/judging/checks/text/quantity";
import { remember } from "@/server/judging/checks/text/remember";
import {
  type Clause,
  containsTerm,
  countTerm,
  findAnswerStart,
  hasOtherSubject,
  isLimitedToPart,
  isMereQuestion,
  listClauses,
  MARK,
  NOT_NEGATIVE,
} from "./terms";

/** Limits the time: each word is searched for in the whole deliverable. */
export const wordList = z.array(z.string().trim().min(1).max(200)).min(1).max(50);

const requiredParameters = z.strictObject({
  words: wordList,
  /** How many of the words must occur. */
  needed: z.number().int().min(1).max(50),
});

/** Requires words or phrases anywhere in the deliverable, even within longer words. */
export const REQUIRED_WORDS: TextCheck<z.infer<typeof requiredParameters>> = {
  name: "required-words",
  parameters: requiredParameters,
  extract: (task) =>
    findWordDemands(task).flatMap((demand) => {
      if (demand.kind !== "required" || demand.words.length > 50) return [];
      const { words, needed, statement } = demand;
      return [{ check: "required-words", parameters: { words, needed }, statement }];
    }),
  describe: ({ words, needed }) => {
    if (words.length === 1) return "Contains a required word or phrase";
    return needed < words.length
      ? `Contains at least ${needed} of ${words.length} words or phrases`
      : `Contains all ${words.length} required words or phrases`;
  },
  forRubric:
    "words: list of words or phrases, as they must occur; needed: how many of them must occur",
  run: ({ text }, { words, needed }) => {
    const missing = words.filter((word) => !containsTerm(text, word));
    const found = words.length - missing.length;
    return {
      outcome: found >= Math.min(needed, words.length) ? "pass" : "fail",
      observed: `${found} of ${words.length} found`,
      ...(missing.length > 0 && { detail: `missing: ${missing.join(", ")}` }),
    };
  },
};

const forbiddenParameters = z.strictObject({ words: wordList });

/** Forbids words or phrases. Occurrences within longer words don't count. */
export const FORBIDDEN_WORDS: TextCheck<z.infer<typeof forbiddenParameters>> = {
  name: "forbidden-words",
  parameters: forbiddenParameters,
  extract: (task) =>
    findWordDemands(task).flatMap((demand) => {
      if (demand.kind !== "forbidden" || demand.words.length > 50) return [];
      const { words, statement } = demand;
      return [{ check: "forbidden-words", parameters: { words }, statement }];
    }),
  describe: ({ words }) =>
    words.length === 1
      ? "Avoids a forbidden word or phrase"
      : `Avoids ${words.length} forbidden words or phrases`,
  forRubric: "words: list of words or phrases that must not occur",
  run: ({ task, text }, { words }) => {
    const start = findAnswerStart(task, text);
    const answer = text.slice(start);
    const found = words
      .map((word) => ({ word, ...countTerm(answer, word) }))
      .filter(({ low }) => low > 0);
    return {
      outcome: found.length > 0 ? "fail" : "pass",
      observed: found.length > 0 ? `${found.length} of ${words.length} found` : "none found",
      ...(found.length > 0 && {
        detail: `found: ${found.map(({ word, low }) => `${word} (${low})`).join(", ")}`,
        passages: found
          .flatMap(({ passages }) => passages)
          .slice(0, 10)
          .map(({ from, to }) => ({ from: from + start, to: to + start })),
      }),
    };
  },
};

/** A bound of a count; null means unbounded. */
export const bound = z.number().int().min(0).max(1_000_000).nullable();

const frequencyParameters = z
  .strictObject({ word: z.string().trim().min(1).max(200), min: bound, max: bound })
  .refine(({ min, max }) => min !== null || max !== null);

/**
 * Requires a number of occurrences of a word or phrase. Fails only if the count misses the bounds
 * both with and without occurrences within longer words.
 */
export const WORD_FREQUENCY: TextCheck<z.infer<typeof frequencyParameters>> = {
  name: "word-frequency",
  parameters: frequencyParameters,
  extract: (task) =>
    findWordDemands(task).flatMap((demand) => {
      if (demand.kind !== "frequency") return [];
      const { word, bounds, statement } = demand;
      return [{ check: "word-frequency", parameters: { word, ...bounds }, statement }];
    }),
  describe: (bounds) => `${describeBounds(bounds, "occurrence")} of a word or phrase`,
  forRubric: "word: a word or phrase; min and max: number of occurrences, or null",
  run: ({ task, text }, { word, min, max }) => {
    const whole = countTerm(text, word);
    const low = countTerm(text.slice(findAnswerStart(task, text)), word).low;
    const isMissed = (min !== null && whole.high < min) || (max !== null && low > max);
    return {
      outcome: isMissed ? "fail" : "pass",
      observed: low === whole.high ? countTimes(low) : `${low} to ${countTimes(whole.high)}`,
      passages: whole.passages,
    };
  },
};

const countTimes = (count: number) => (count === 1 ? "1 time" : `${count} times`);

/** What a task demands of some words. */
export type WordDemand =
  | { kind: "required"; words: string[]; needed: number; statement: string }
  | { kind: "forbidden"; words: string[]; statement: string }
  | { kind: "frequency"; word: string; bounds: Bounds; statement: string };

/** A demand whose words are still marks. */
interface Found {
  words: string[];
  /** Text before the words, with the verb that governs them. */
  before: string;
  after: string;
  hasNoun: boolean;
  verb: string;
  /** Whether the words are joined by "or". */
  isChoice: boolean;
  /** The sentence before the clause. */
  context: string;
  statement: string;
  from: number;
  to: number;
}

const NOUN =
  "(?:key ?words?|(?:buzz|power |target )?words?|(?:key ?|catch ?)?phrases?|terms?|expressions?|strings?|hashtags?|names?|sentences?|lines?|quotes?|quotations?|slogans?|taglines?|statements?|questions?|verbs?|nouns?|adjectives?|adverbs?|nicknames?|(?<=\\b(?:mention|mentioning|name-drop)\\s)(?:the|our|my)\\s[a-z]{3,14}|(?<=\\b(?:include|includes|including|contain|contains|mention|use)\\s)the following(?: items| things)?)(?: ?\\(s\\))?";
/** Nouns that name a word even without quotation marks; "question marks" is no question. */
const WORD_NOUN =
  "(?:key ?words?|(?:buzz|power )?words?|(?:key ?|catch ?)?phrases?|terms?|hashtags?)(?: ?\\(s\\))?";
const DETERMINERS =
  "(?:(?:the|these|those|this|all|both|each|every|any|either|of|following|below|exact|exactly|specific|precise|precisely|literal|actual|single|full|whole|same|a|an|at least|minimum|one|two|three|four|five|six|seven|eight|nine|ten|\\d{1,2}|given|required|key|important|mandatory|special|french|spanish|german)\\s+)*";
const BARE_WORD = "[#@]?[\\p{L}\\p{N}]+(?:['’&+./-][\\p{L}\\p{N}]+)*";
const JOINER =
  "(?:\\s*[,;/&+]\\s*(?:(?:and|or|nor|as well as|plus|along with)\\s+)?|\\s+(?:and|or|nor|as well as|plus|along with|and also|and/or)\\s+)";
const MARKS = `[\\[({]?${MARK}(?:${JOINER}(?:(?:the|also)\\s+)?(?:${NOUN}\\s+)?${MARK}){0,59}[\\])}]?`;

const VERB =
  "(?:us(?:e|es|ing)|utili[sz](?:e|es|ing)|includ(?:e|es|ing)|contain(?:s|ing)?|mention(?:s|ing)?|incorporat(?:e|es|ing)|insert(?:s|ing)?|featur(?:e|es|ing)|employ(?:s|ing)?|say(?:s|ing)?|nam(?:e|ing)|referenc(?:e|es|ing)|repeat(?:s|ing)?|work(?:ing)? in|weav(?:e|ing) in|name-?drop(?:ping)?|add(?:ing)?|writ(?:e|ing)|ha(?:ve|s|ving)|typ(?:e|ing)|utter(?:ing)?|refer(?:ring)? to)";
const FILLER =
  "(?:\\s+(?:explicitly|also|naturally|only|even|ever|just|always|somewhere|anywhere|in (?:your|the) (?:entire |whole )?(?:response|answer|reply|output|text)|(?:the )?use of|using|words? (?:like|such as)|phrases? (?:like|such as)|terms? (?:like|such as)|things like|clich[eé]s like|both|at least (?:once|twice)|exactly (?:once|twice)))*";

/** The list of marks, with the verb and the noun before it, of which one is needed. */
const MARKED = new RegExp(
  `(?:\\b(?<verb>${VERB})${FILLER}\\s*:?\\s*)?(?:(?<![\\w⟧-])(?<noun>${DETERMINERS}${NOUN})\\b(?<link>[^⟦\\n.;]{0,40}?)[\\s:]*)?(?<list>${MARKS})`,
  "giu",
);
/** The same with words that are not quoted, which need the noun: "the words apple and pear". */
const BARE_END =
  "(?=\\s*(?:$|[.!?;)]|,\\s|\\s(?:in|into|within|at|somewhere|throughout|anywhere|exactly|no|not|more|fewer|less|once|twice|thrice|should|must|shall|needs?|has|have|is|are|can(?:not|['’]t)?|may|appears?|occurs?|all|each|both|also|only|a|between|up|\\d+|two|three|four|five|six|seven|eight|nine|ten)\\b))";
const NOT_A_TERM =
  "(?!(?:count|counts|limit|limits|for|of|in|with|that|which|from|to|per|like|such|are|is|you|your|list|cloud|game|games|problem|search|should|must|or|and|at|on|as|have|has|we|i|he|she|they|it|its|can|cannot|may|might|will|would|choice|choices|length|processor|document|order|used|only|related|associated|describing|about|below|above|listed|provided|given|here|when|if|but|than|each|more|less|exactly|between|after|before|because|by|the|a|an|this|these|those|there|within|without|per|not|no|shown|marked|so|appears?|wrapped|separated|starting|ending|beginning|containing|written|using|would|could|itself|themselves|together|alone|also|itself|repeated|repeating|sheet|conditions|deposit|meant|means|meaning|use|uses|used|wisely|carefully|correctly)\\b)";
const BARE = new RegExp(
  `(?:\\b(?<verb>${VERB})${FILLER}\\s*:?\\s*)?(?<![\\w⟧-])(?<noun>${DETERMINERS}${WORD_NOUN})(?<link>(?:\\s(?:are|is|must|should|may|can)[^:.⟦]{0,30}:|:)?\\s+)(?<list>(?!⟦)${NOT_A_TERM}${BARE_WORD}(?:${JOINER}${NOT_A_TERM}${BARE_WORD}){0,29})${BARE_END}`,
  "giu",
);
/** Words after a colon, which may be phrases: "Keywords to include: solar power, net zero". */
const AFTER_COLON = new RegExp(
  `(?:\\b(?<verb>${VERB})${FILLER}\\s+)?(?:(?<noun>${DETERMINERS}(?:[\\p{L}-]{1,20}\\s+){0,2}${NOUN})\\b|(?:not|never|must|should|to) (?:include|contain|mention|use|say)\\b)(?<link>[^⟦\\n.;:]{0,50}):\\s*(?<list>[^⟦⟧:.;\\n]{1,400})[.;]?$`,
  "iu",
);
/** Patterns for the words of a demand, each after one for what every match of it contains. */
const PATTERNS: readonly (readonly [needed: RegExp, pattern: RegExp])[] = [
  [/⟦/, MARKED],
  [/word|phrase|term|hashtag/iu, BARE],
];

const NEGATION =
  /\b(?:do not|don['’]?t|does(?:n['’]?t| not)|did(?:n['’]?t| not)|never|must(?:n['’]?t| not| never)|should(?:n['’]?t| not| never)|shall not|can ?not|can['’]?t|may not|won['’]?t|will not|not|avoid(?:s|ing)?|refrain(?:s|ing)?|abstain(?:ing)?|steer clear|stay away|without|forbidden|prohibited|banned|disallowed|off[- ]limits|taboo|exclud(?:e|es|ed|ing)|omit(?:s|ting)?|leav(?:e|ing) out|skip|drop|eliminate|no|free of|neither|nor|none of|ban)\b[^.;]{0,80}$/i;
/** Negations that need neither verb nor noun: "avoid ⟦TA⟧". */
const DIRECTLY_FORBIDDEN =
  /\b(?:avoid(?:ing)?|without|no|never|neither|nor|or|exclude|excluding|omit|skip|drop|like|such as)[\s[({]*$/i;
const FORBIDDEN_AFTER =
  /^[\s\])}]*out of (?:the|your|it)\b|^[\s\])}]*(?:,\s*)?(?:(?:at all|anywhere|in (?:your|the) (?:response|answer|text))\s*)?(?:(?:(?:must|should|shall|may|can|could|will|do|does|is|are)(?: not|n['’]?t| never)|can ?not)\b(?: be)?(?: allowed| permitted| (?:to )?(?:appear|occur|show up|feature|used|included|mentioned|present|found|written|said|acceptable|contained|welcome)| to be (?:used|mentioned|included))|(?:is|are|be) (?:strictly |absolutely |also )?(?:never (?:used|mentioned|said)|forbidden|banned|prohibited|off[- ]limits|taboo|disallowed|not (?:allowed|permitted|to be used|acceptable)))/i;
const COUNTED = /\b(?:occurrences|mentions|instances|uses|appearances) of\b[^⟦]{0,30}$/i;
const PERMITTED_AFTER = /^[\s\])},]*(?:may|can|could)(?: only)? (?:appear|occur|be \w+)/i;
const REQUIRED_AFTER =
  /^[\s\])},]*(?:must|should|shall|has to|have to|needs? to|is to|are to)(?: all| each| both| also)? (?:appear|occur|show up|feature|be (?:used|included|mentioned|present|found|repeated|featured|incorporated|contained|written|said))/i;
/** Demands the words only after "make sure", since it may also report a fact. */
const STATED_AFTER =
  /^[\s\])},]*(?:all |each |both )*(?:appears?|occurs?|shows? up|(?:is|are|be) (?:all |each |both )?(?:mentioned|used|included|present))\b/i;
const ENSURED =
  /\b(?:make|have|let|be sure|ensure|ensuring|see to it|required that|important that|need|in which|such that|so that)\b/i;
/** Introductions of a list of words, such as "Keywords to include:". */
const REQUIRED_HEAD =
  /^\W*(?:(?:required|mandatory|obligatory|compulsory|must-have|must-use|must-include)(?: \w+){0,2}|(?:\w+ ){0,2}(?:to (?:be )?(?:use|include|mention|incorporate|work in|feature)d?|required|that must (?:be \w+|appear))|(?:it |the text |the (?:response|answer) )?(?:must|should|has to) (?:also )?(?:include|contain|mention|use))\W*$/i;
const FORBIDDEN_HEAD =
  /^\W*(?:(?:forbidden|banned|prohibited|disallowed|taboo|blacklisted|off-limits|excluded)(?: \w+){0,2}|(?:\w+ ){0,2}(?:to (?:avoid|exclude|omit|leave out)|not to (?:use|include|mention)|(?:that are )?not allowed|that (?:must|should) not (?:be \w+|appear))|(?:(?:it |the text |the (?:response|answer) )?(?:must|should|may|can|do)(?: not|n['’]t)|never) (?:include|contain|mention|use|say))\W*$/i;
/** Verbs that take a quoted term without a noun: "mention ⟦TA⟧", but not "write ⟦TA⟧". */
const NEEDS_NO_NOUN =
  /^(?:us|utili|includ|contain|mention|incorporat|featur|employ|say|name-?drop|referenc|repeat|work|weav|utter|refer)/i;
const THIRD_PERSON =
  /^(?:uses|utili[sz]es|includes|contains|mentions|incorporates|features|employs|says|inserts|has)$/i;
/** Matches if the sentence demands something of the work, rather than report a fact. */
const IS_STATED_OF_WORK =
  /\b(?:must|should|make sure|ensure|please|write|create|compose|generate|craft|give me|produce|come up|provide|need|want|design|develop|(?:your|the) (?:response|answer|reply|output|text)|it)\b/i;
/** "No other words than ⟦TA⟧": the term itself is allowed. */
const EXCEPTED =
  /\b(?:other than|except(?: for)?|beyond|besides|apart from|aside from|outside of|but)[\s:]*(?:the |this |following |these )*(?:[a-z]+ ){0,2}$/i;
const DEMANDED =
  /^(?:[\s\W]*(?:please|also|then|now|finally|first|next|lastly|additionally|furthermore|moreover|kindly|always|and|but|in (?:your|the) (?:response|answer|reply|output|text|essay|poem|story|email|letter|article|post)|in addition|somewhere(?: in [^,]{1,30})?|at some point|try|rule|note|important|requirements?|constraints?|required|mandatory|must)\b[\s\W]*)*$|\b(?:must|should|shall|need(?:s|ed)?(?: you)? to|you could|grateful|appreciate|ha(?:s|ve) to|make sure|made sure|be sure|ensure|ensuring|please|remember|forget|always|(?:can|could|would|will) you|want|require[sd]?|required to|like (?:you|it|the)|i need|asked to|has? to|expected to|important(?:ly)?|write|create|compose|generate|craft|(?<!\b(?:my|the|our|this|a) )draft|make|give|produce|come up|provide|tell|respond|answer|reply|describe|explain|summari[sz]e|response|while|by|compose|pen|prepare|design|develop|rap|sing)\b/i;
/** Demands on other texts, on programs or on the meaning of the words. */
const ELSEWHERE =
  /\b(?:functions?|scripts? (?:that|to|which)|programs? (?:that|to|which)|class(?:es)? (?:that|to|which)|methods?|variables?|columns?|regex|sql|quer(?:y|ies)|endpoints?|file ?names?|spreadsheets?|cells?|databases?|parameters?|arguments?|python|javascript|rows?|records?|users? (?:who|that|can|must|should))\b|\b(?:replac(?:e|es|ed|ing)|substitut\w+|renam\w+|remov\w+|delet\w+|count|how many|how often|find|search(?:es|ing)?|identify|detect\w*|filter\w*|definitions?|defin(?:e|es)|meanings?|means?|mean by|what does|synonyms?|antonyms?|spell\w*|tests?|asserts?|checks? (?:that|whether|if)|verif\w+|validat\w+|said|says|stated|argued|claim\w*|wrote|announced|according to|when someone|how to|(?:emails|sentences|texts|reviews|tweets|lines|words|people|posts|titles) (?:that|which|who|with)|instead|rhym\w+|origin|history|translat\w+)\b[^.]{0,60}$|\b(?:label|mark|separat|prefix|titled|called|named|entitled|categor|classif)\w*\b[^.]{0,30}$/i;
const ANCHORED = /\b(?:start|begin|open|end|finish|clos|conclud|sign)\w*\b[^.;]{0,60}$/i;
/** Uses of a mark for a purpose, such as `use "*" to indicate a bullet`. */
const FOR_A_PURPOSE =
  /^[\s\])}]*(?:to|as|for|when|whenever|before|after|instead|between|if|in place|where|followed|rather|at the (?:start|beginning|end|top|bottom))\b/i;
const IN_A_PART =
  /\b(?:titles?|headings?|headlines?|subject(?: line)?|first|second|third|last|opening|closing|each|every|per|paragraphs?|sections?|stanzas?|verses?|bullets?|intro\w*|conclusion|captions?|footer|header|beginning|start|end)\b/i;
/** A template rather than a literal text: "SECTION X", "[name]", "...". */
const TEMPLATE = /\b[XN]\b|[<>[\]{}_|]|\.\.\.|…|^\W*$/;
/** Code, a path or a command rather than words. */
const CODE = /[(){}=;$\\]|\w\/\w|\.\w{1,4}$|^-|\w\.\w{2}/;
const EXAMPLE = /\b(?:such as|like|e\.?g\.?|eg|for example|for instance|similar to)\b[^⟦]*$/i;

/** Finds what a task plainly demands of single words and phrases in the whole deliverable. */
export const findWordDemands = remember((task: string): WordDemand[] => {
  const { clauses, resolve, restore } = listClauses(task);
  const clean = (word: string) =>
    resolve(word)
      .trim()
      .replace(/(?<=.)[.,;:]$/, "");
  return clauses
    .filter(({ statement }) => !isMereQuestion(statement))
    .flatMap((clause) =>
      readClause(clause).flatMap((demand): WordDemand[] => {
        const statement = restore(clause.statement);
        if (demand.kind === "frequency") {
          const word = clean(demand.word);
          return isLiteral(word) ? [{ ...demand, word, statement }] : [];
        }
        const words = [...new Set(demand.words.map(clean))];
        return words.every(isLiteral) ? [{ ...demand, words, statement }] : [];
      }),
    );
});

const isLiteral = (word: string) => word.length <= 200 && !TEMPLATE.test(word) && !CODE.test(word);

type Demand =
  | { kind: "required"; words: string[]; needed: number }
  | { kind: "forbidden"; words: string[] }
  | { kind: "frequency"; word: string; bounds: Bounds };

function readClause(clause: Clause): Demand[] {
  const { text } = clause;
  const groups = findGroups(clause);
  const times = listQuantities(text).filter(
    ({ from, to, following }) =>
      /^(?:(?:separate|different) )?(?:times?|occurrences?|mentions|instances|appearances|uses)\b/i.test(
        following,
      ) || /\b(?:once|twice|thrice)\b/i.test(text.slice(from, to)),
  );
  return groups.flatMap((group, index): Demand[] => {
    const next = groups[index + 1];
    const own = times.filter(
      ({ from }) =>
        (from >= group.to && (!next || from < next.from)) || (index === 0 && from < group.from),
    );
    return readGroup(group, own.length === 1 ? own[0] : undefined, own.length > 1);
  });
}

function readGroup(
  group: Found,
  amount: (Bounds & { comparison?: string }) | undefined,
  isUnclear: boolean,
): Demand[] {
  const { words, before, after, hasNoun, verb } = group;
  if (isUnclear) return [];
  // Letters have a check of their own.
  if (/\bletters?:?\s*$/i.test(before)) return [];
  const lead = before.replace(NOT_NEGATIVE, " ");
  if (ANCHORED.test(lead) && !/\b(?:use|includ|contain|mention)\w*/i.test(verb)) return [];
  const verbIndex = verb === "" ? before.length : before.lastIndexOf(verb);
  const isForbidden =
    FORBIDDEN_AFTER.test(after) ||
    FORBIDDEN_HEAD.test(before) ||
    (NEGATION.test(lead) && !REQUIRED_AFTER.test(after));
  const isRequired =
    REQUIRED_AFTER.test(after) ||
    REQUIRED_HEAD.test(before) ||
    (STATED_AFTER.test(after) && ENSURED.test(before)) ||
    (verb !== "" &&
      (THIRD_PERSON.test(verb) ? IS_STATED_OF_WORK : DEMANDED).test(
        THIRD_PERSON.test(verb)
          ? `${group.context} ${before.slice(0, verbIndex)}`
          : before.slice(0, verbIndex),
      ));
  const isLimited = amount !== undefined && amount.min === null && PERMITTED_AFTER.test(after);
  const isCounted =
    amount !== undefined &&
    COUNTED.test(before) &&
    /\b(?:must|should|includ|have|with|contain|need)/i.test(before);
  if (!isForbidden && !isRequired && !isLimited && !isCounted) return [];
  if (hasOtherSubject(before.slice(0, verbIndex))) return [];
  if (amount) {
    const { min, max } = amount.comparison === "bare" ? { ...amount, max: null } : amount;
    if (ELSEWHERE.test(before) || (words.length > 1 && !/\beach\b/i.test(after))) {
      return [];
    }
    const isPart = IN_A_PART.test(after.replace(/\beach\b/i, ""));
    const bounds = { min, max: isPart ? null : max };
    if (bounds.min === null && bounds.max === null) return [];
    return words.map((word) => ({ kind: "frequency", word, bounds }));
  }
  if (ELSEWHERE.test(before) || (FOR_A_PURPOSE.test(after) && !hasNoun)) return [];
  if (isForbidden) {
    const isNamed = hasNoun || verb !== "" || FORBIDDEN_AFTER.test(after);
    if (!isNamed && !DIRECTLY_FORBIDDEN.test(before)) return [];
    if (
      IN_A_PART.test(after) ||
      isLimitedToPart(before, group.statement) ||
      /\b(?:more|less|fewer) than\b/i.test(after)
    )
      return [];
    if (EXCEPTED.test(before)) return [];
    return [{ kind: "forbidden", words }];
  }
  const needsNoun = verb !== "" && !NEEDS_NO_NOUN.test(verb);
  if ((needsNoun && !hasNoun) || EXAMPLE.test(before) || FOR_A_PURPOSE.test(after)) return [];
  return [{ kind: "required", words, needed: countNeeded(group) }];
}

/** Returns how many of the words are demanded: "one of the words", "either", "or". */
function countNeeded({ words, before, isChoice }: Found): number {
  const some =
    /(?<!\b(?:every|each) )\b(?:(?<amount>one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2})|any|either)(?: or more)? of\b/i.exec(
      before,
    );
  if (!some) return isChoice ? 1 : words.length;
  const amount = some.groups?.amount?.toLowerCase();
  if (!amount) return 1;
  return Math.min(words.length, parseAmount(amount));
}

function findGroups({ text, statement }: Clause): Found[] {
  const found: Found[] = [];
  const context = statement.slice(0, Math.max(0, statement.indexOf(text)));
  for (const [needed, pattern] of PATTERNS) {
    if (!needed.test(text)) continue;
    for (const match of text.matchAll(pattern)) {
      const { verb = "", noun = "", link = "", list = "" } = match.groups ?? {};
      const to = match.index + match[0].length;
      const from = to - list.length;
      if (found.some((other) => other.from < to && from < other.to)) continue;
      const isStated = FORBIDDEN_AFTER.test(link) || REQUIRED_AFTER.test(link);
      if (link && !isLink(link) && !isStated) continue;
      const isMarked = list.includes("⟦");
      found.push({
        words: isMarked
          ? (list.match(new RegExp(MARK, "g")) ?? [])
          : list.split(new RegExp(JOINER, "iu")),
        before: text.slice(0, from),
        after: isStated ? link : text.slice(to),
        hasNoun: noun !== "",
        verb,
        isChoice: /\bor\b/i.test(list.replace(/⟦T[A-Z]+⟧/g, "")),
        context,
        statement,
        from,
        to,
      });
    }
  }
  const listed = found.length === 0 ? AFTER_COLON.exec(text)?.groups : undefined;
  if (listed) {
    const { verb = "", list = "" } = listed;
    const words = list.split(/\s*[,;]\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+/i).filter(Boolean);
    const from = text.lastIndexOf(list);
    if (words.every((word) => word.split(/\s+/).length <= 4))
      found.push({
        words,
        before: text.slice(0, from),
        after: "",
        hasNoun: true,
        verb,
        isChoice: /\bor\b/i.test(list),
        context,
        statement,
        from,
        to: from + list.length,
      });
  }
  return found.toSorted((a, b) => a.from - b.from);
}

/** Returns whether the words between a noun and its list only introduce the list. */
const isLink = (link: string) =>
  /^[\s:,([]*(?:(?:such as|like|below|here|following|in (?:your|the) [a-z]+|somewhere|are|is|of|to (?:include|use|avoid)|at least once|namely|i\.?e\.?|exactly|["'])[\s:,([]*)*$/i.test(
    link,
  );
