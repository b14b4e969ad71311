import type { Bounds } from "@/server/judging/checks/text/bounds";
import { listQuantities, type Quantity } from "@/server/judging/checks/text/quantity";
import { remember } from "@/server/judging/checks/text/remember";
import { isHedgedQuantity, listTaskSentences } from "@/server/judging/checks/text/sentences";

// Stems of words in patterns. cspell:ignore organi italici quer

/** Verbs, modals and nouns that make a sentence demand something of the deliverable. */
const DEMANDS =
  /\b(?:must|should|shall|(?:has|have|needs?|ought|want|like|supposed|required) to|needs?|require[sd]?|requirements?|guidelines?|constraints?|please|make sure|ensure|be sure|want|i['’]d like|write|rewrite|draft|compose|craft|pen|produce|create|prepare|provide|generate|deliver|give|make|keep|limit|cap|restrict|stay|stick|use|using|include|including|contain|containing|add|answer|respond|response|reply|summari[sz]e|summary|explain|describe|discuss|tell|list|name|output|format|organi[sz]e|structure|divide|split|break|separate|highlight|italici[sz]e|bold|mark|compare|outline|present|paraphrase|elaborate|finish|end|start|begin|avoid|do not|don['’]t|never|no longer|exceed|length|limit|word count|consists?|in (?:exactly|at|no|under|less|fewer|about|around|approximately|only|just|the form|\w+)|within|with)\b/i;
/** A rule such as "Length: 200 words" has its amount at most this far from its start. */
const RULE_LEAD = 25;

/** Statements about programs, data or the past; amounts in them are no demands on the deliverable. */
const ABOUT_OTHER =
  /\b(?:functions?|scripts?|programs?|methods?|quer(?:y|ies)|regex(?:es)?|algorithms?|class(?:es)? that|strings?|arrays?|components?|cli|unit tests?|fixtures?|comment box|text ?box|input fields?|modules?|variables?|endpoints?|api|users? (?:can|may|must|should)|passwords?|usernames?|columns?|filter|count the|collect|remove|delete|exclude|classify|detect|compute|calculate|(?:i|we|you|he|she|they|it) (?:wrote|had|was|were|have written)|was|were|had)\b/i;
/** What the demand concerns despite such words. */
const ABOUT_ANSWER =
  /\b(?:your|the|entire|whole|final) (?:[a-z]+ )?(?:answer|response|reply|output|explanation|essay|story|summary|text|article|deliverable)\b|^(?:answer|respond|reply|explain)\b/i;

/** Longer sentences state no requirement that a person would find. */
const MAX_STATEMENT_LENGTH = 1_500;

/** Limits the time that a task of half a million characters takes. */
const MAX_END = 300;

/** A sentence that demands something, with the amounts in it. */
export interface Demand {
  text: string;
  quantities: Quantity[];
  isFirst: boolean;
  /** Whether an earlier sentence requests something. */
  isFurther: boolean;
  /** Whether the task requests several pieces, one after the other. */
  hasPieces: boolean;
}

/** Requests a piece besides the main one, whose length then is not that of the whole. */
const ADDS_PIECE =
  /^(?:and )?(?:(?:then|after (?:that|it|this|which)|below (?:it|that|this)|next|separately|underneath)\b,? (?:please )?[a-z]+|(?:also|finally|additionally|in addition|plus|lastly),? (?:please )?(?:list|write|draft|create|give|provide|explain|describe|compute|calculate|say|state|tell|compare|show)\b(?![^.]*\b(?:keywords?|words?|phrases?|postscript|title|p\.s|your (?:answer|response|reply))\b))/i;
/** What follows a quotation, which `listTaskSentences` may leave out together with it. */
const AFTER_QUOTATION = /["”]\s+(?<text>[^\s"“][^"“.\n]{0,200})/g;
const REQUEST =
  /^(?:please )?(?:give|list|compute|calculate|write|create|build|fit|draft|make|summari[sz]e|compare|find|determine|analy[sz]e|prepare|provide|show|produce|rewrite|translate|design|explain|describe|evaluate|review|recommend|identify|propose|estimate|name|convert|extract|turn)\b/i;
/** Returns the sentences of a task that demand something, with the amounts that are no condition or example. */
export const listDemands = remember((task: string): Demand[] => {
  const statements = keepEnds(
    listTaskSentences(task).filter(({ text }) => text.length <= MAX_STATEMENT_LENGTH),
  );
  const sentences = [...statements, ...[...task.matchAll(AFTER_QUOTATION)].map(readText)];
  const hasPieces = sentences.some(({ text }) => ADDS_PIECE.test(text));
  const firstRequest = statements.findIndex(({ text }) => REQUEST.test(text));
  return statements.flatMap(({ text, isHedged }, index) => {
    const isFurther = firstRequest >= 0 && firstRequest < index;
    const masked = maskQuotations(text);
    if (isHedged || (ABOUT_OTHER.test(masked) && !ABOUT_ANSWER.test(masked))) return [];
    const quantities = listQuantities(masked).filter(
      (quantity) =>
        (quantity.from < RULE_LEAD || isFragment(quantity) || DEMANDS.test(masked)) &&
        !isHedgedQuantity(masked, quantity),
    );
    return [{ text, quantities, isFirst: index === 0, isFurther, hasPieces }];
  });
});

const readText = ({ groups }: RegExpExecArray) => ({ text: groups?.text ?? "" });

/** Whether an amount is a rule of its own: "tweet about our sale, max 120 characters". */
const isFragment = ({ comparison, preceding }: Quantity): boolean =>
  comparison !== "bare" && /[,;:(–—-]\s*$/.test(preceding);

/** Keeps the first and last statements of a very long task; demands are rarely in its middle. */
const keepEnds = <T>(statements: T[]): T[] =>
  statements.length <= 2 * MAX_END
    ? statements
    : [...statements.slice(0, MAX_END), ...statements.slice(-MAX_END)];

/** Blanks out quoted phrases, which contain no demands of the task itself. */
const maskQuotations = (sentence: string): string =>
  sentence.replace(/(?<![\w])(?:"[^"]{12,}"|“[^“”]{12,}”)/g, (quote) =>
    /\s/.test(quote) ? `"${"_".repeat(quote.length - 2)}"` : quote,
  );

// Stems of words in patterns. cspell:ignore organi italici quer introduct conclud preced includ accompan provid

/** How a task names something to count. */
export interface Unit {
  /** Matches at the start of what follows an amount. */
  unit: RegExp;
  /** What "three …" means without "exactly" or "at least"; null if nothing certain. */
  bare: "exactly" | "at-least" | "about" | null;
  /** Whether the amount is a length, which may be that of one piece of several. */
  isLength?: boolean;
  /** Matches further words that make the amount something else, tested on the whole statement. */
  isNot?: RegExp;
  /** Matches what must not follow the amount, from its unit on. */
  notBefore?: RegExp;
  /** Returns whether the amount can be meant; for restrictions of one unit. */
  accepts?(quantity: Quantity, statement: string): boolean;
}

/** Source of up to three adjectives between an amount and its unit: "short, clear". */
export const ADJECTIVES =
  "(?:(?!(?:words?|sentences?|paragraphs?|lines?|characters?|letters?|times?|per|each|of|in|on|to|for|and|or|but|with|that|which|from|max|maximum)\\b)[a-z]+(?:-[a-z]+)?,? ){0,3}?";

/** Nouns for a part of a deliverable; a number after them is not that of the whole. */
const PART =
  /\b(?:titles?|headlines?|headings?|subheadings?|subject(?: line)?|introduct(?:ion|ory)|intro|conclusion|concluding|abstract|captions?|taglines?|slogans?|bios?|signature|postscript|p\.s\.|bullets?(?: points?)?|items?|points?|sentences?|sections?|paragraphs?|rows?|cells?|steps?|slides?|questions?|entry|entries|descriptions?|definitions?|quotes?|quotations?|stanzas?|verses?|lines?|chapters?|header|footer|(?:short|brief|final|closing|executive) summary|(?:first|second|third|fourth|fifth|last|final|opening|closing|next) (?:part|half|word|point|version|one|answer|response|email|post|block|stage|[a-z]+ion))\b/gi;
const WHOLE =
  /\b(?:answers?|responses?|reply|replies|essays?|articles?|story|stories|posts?|it|everything|deliverable|output|text|poems?|song|rap|limerick|letters?|e-?mails?|reports?|reviews?|documents?|entire|whole|overall|in total|total|speech|scripts?|blog|memo|resume|proposal|summari[sz]e|explain|describe|write|tell|discuss|length|dialogue|piece|translation|version|analysis|haiku|cover letter|pitch|overview|paper|tweet|ad|advertisement|itinerary|plan|recipe|joke|riddle|rewrite|guide|description of)\b/gi;
const EACH_BEFORE =
  /\b(?:each|every|per|all of (?:the|your) (?:sentences|paragraphs|bullets|sections|items))\b[^.;]*$/i;
const EACH_AFTER =
  /^(?:(?!with|of|having|containing|consisting)[a-z]+[\s-]){0,3}?(?:or (?:more|less|fewer) |max(?:imum)? )?(?:each(?=\s*(?:[.,;:!)]|$|and\b|[a-z]+:))|apiece|per|for (?:each|every)|in (?:each|every|any|(?:an?|one) (?:single )?(?:sentence|paragraph|line|bullet|section|row|stanza|list|cell)|the (?:first|second|last|title|intro[a-z]*|conclusion))|under each|every)\b/i;
const DETERMINER =
  /\b(?:the|these|those|this|that|its|his|her|their|our|my|any|all|both|other|another|first|last|next|top|previous|following|your|(?:one|some|any|most|out|each|half) of|than|above|section|paragraph|chapter|step|number|part|page|question|line|version)\s*$/i;
/** A part that is all that the task requests: "write a tagline", "in one sentence". */
const REQUESTED_PART =
  /^(?:please |now |can you |could you |i need |i want )?(?:(?:write|give|create|draft|compose|suggest|produce|generate|provide|propose|make|craft|come up with|rewrite|invent)(?: me| us)? )?(?:(?:an?|one|the|your|this|my) )?(?:(?!first|second|last|add|include|append|insert|start|end|begin|finish|change|final|opening|closing|body|each|every|with)[a-z-]+ ){0,3}?(?:title|headline|subject line|tagline|slogan|caption|bio|definition|description|sentence|paragraph|abstract|introduction|conclusion|summary|quote|line|question)(?= (?:for|of|about|on|to|that|in|which|introducing|describing|with|using|containing|under|at most|no longer|not)\b|[,.;])|\b(?:in|into|as|using|with|be|to) (?:just |only |exactly )?(?:one|an?|a single) (?:[a-z]+ ){0,2}?(?:sentence|paragraph|line|bullet(?: point)?)\b/gi;
/** Says what a given text has: "my draft has 3 paragraphs". */
const SOURCE_HAS =
  /\b(?:my|our|his|her|their|the (?:original|source|given|attached|provided|current)|this|it)\b(?! (?:answer|response|reply|output))(?: (?!must|should|shall|will|needs?|can|may|has|have)[a-z]+){0,3} (?:has|have|contains|is|runs to|comes to|consists of)\b(?! to\b)[^.;,]*$|\b(?:the|an?) (?!(?:answer|response|reply|output)\b)[a-z]+ (?:has|contains|consists of)$/i;
const REQUEST_ONLY =
  /^(?:please |can you |could you )?(?:write|give|provide|create|draft|compose)(?: me| us)? an?$/i;
/** Verbs that take a given text. */
const GIVEN =
  /\b(?:compare|translate|review|analy[sz]e|combine|merge|split|find|fix|check|verify|correct|proofread|edit|read|rank|sort|swap|shorten|condense)$/i;
/** Says what others demand or are to do: "a teacher asks for", "a writer who must". */
const REPORTED =
  /\b(?:says|said|asks|asked|gives|states|explains|describes|demands|allows?|limits|the rule that|in which|who (?:must|should|can|has to|needs to|wants to)|(?:teacher|boss|professor|editor|client)s? (?!to\b)[a-z]+s)\b[^.;,]*$/i;
/** A character of a story or a reader acts: "the keeper should write a note of". */
const OTHER_ACTS =
  /\b(?:the|an?|every|each) (?!(?:responses?|answer|reply|output|text|writer|author)\b)[a-z-]+ (?:must|should|shall|has to|needs to) (?:write|leave|send|speak|recite|whisper|shout|read)\b[^.;]*$/i;
/** A thing with a length of its own that the work contains or describes: "the bucket name must be". */
const NAMED_THING =
  /\b(?:the|an?|each|every|this|our|all) (?:[a-z0-9-]+ ){0,3}?(?:(?:error|log|warning|alert|status|toast|commit|validation) messages?|names?|ids?|identifiers?|keys?|slugs?|urls?|labels?|tags?|fields?|values?|tokens?|codes?|buttons?|tooltips?|hostnames?|file ?names?|variables?|constants?|inputs?|strings?|headers?|branch(?:es)?)(?:(?:'s)? (?:length|text))? (?:must|should|shall|may|can|cannot|has to|have to|needs? to|is|are)\b[^.;:]*$/i;
/** Several pieces with a length each: "answers of one or two". */
const SEVERAL =
  /\b(?:answers|responses|replies|explanations|definitions|descriptions|summaries|bios|blurbs|entries|captions|examples|reasons|paragraphs|sections|items|comments|reviews|stories|posts|tweets)(?: (?:should|must) be| are|:)?(?:(?<=be|are|:)| (?:of|with|in|within))$/i;
/** A work that is only planned or discussed: "an outline for an essay of". */
const ABOUT_WORK =
  /\b(?:outline|plan|structure|schedule|brief|rubric|assignment|feedback|prompts?|ideas|topics|titles?|questions|sources|checklist|template|criteria)s? (?:for|on|about|of) (?:an?|my|our|the|their) (?:[a-z-]+ ){0,3}?(?:essay|paper|article|report|story|novel|book|thesis|dissertation|speech|talk|post|letter|exam|text|review)s?(?: of| with| that has| that is)?(?: about| around| roughly)?$|\b(?:outline|plan|structure|schedule|brief|feedback|ideas|topics|titles?|questions|checklist|template)s? (?:for|on|about) (?:an?|my|our|the|their)$/i;
/** Adds a piece of another kind: ") and three keywords". */
const FURTHER_PIECE =
  /^\)?,? ?(?:and|plus|followed by|as well as) (?:an?|the|one|two|three|four|five|\d+) (?:[a-z0-9-]+ ){0,3}?(?:keywords|conclusion|bio|summary|table|introduction|abstract|captions?|taglines?|slogans?|poem|email|letter|note|list|version|translation)\b/i;
/** Introduces one piece among several: "start with a two-sentence summary". */
const PIECE =
  /\b(?:start|begin|open|end|clos|conclud|finish|follow|preced|includ|contain|add|append|attach|plus|along|together|accompan|provid|then|also|with|and)[a-z]*(?: (?:off|out|up|with|by|on|it|your|the|email|post|article|answer|response|essay)){0,4} (?:an?|your|the) (?:[a-z]+ ){0,2}$/i;
const MAKES_WHOLE =
  /\b(?:write|rewrite|draft|compose|craft|pen|produce|create|prepare|provide|generate|deliver|give|make|need|want|like|develop|as|into|in|is|be|is to be|for|summari[sz]e[a-z ]*|request|:)(?: (?:me|us|up|out))?(?: (?:an?|the|your))? (?:[a-z]+,? ){0,3}$|^(?:an?\s)?$/i;

/** Introduces the length of one piece among several: "and say in two sentences", "close with one sentence". */
const PIECE_LENGTH =
  /\b(?:start|begin|open|end|clos|conclud|finish|follow|preced|add|append|attach|along|together|accompan)[a-z]*(?: [a-z]+){0,3} (?:with|by)(?: [a-z]+){0,2}$|\b(?:add|append|attach|plus|then)(?: [a-z]+){0,2}$|^(?:then|next|finally|afterwards|also|lastly|close|conclude|begin)\b(?!.*\b(?:answer|response|reply|it|everything)\b)|[a-z)\]],? (?:and|then|;|and then) (?:then |also |finally |briefly )?(?:say|state|explain|describe|add|comment|note|tell (?:me|us)|discuss|justify|recommend|conclude|close|argue|interpret|assess|include)\b(?! (?:it|everything|them)\b)[^.;]{0,60}$|^(?:please )?(?:write|compose|draft|create|tell|give|list|name|make)\b[^.;]{0,80}(?:,|\band|\bthen) (?:then )?(?:explain|describe|summari[sz]e|justify|discuss) (?:it|them)\b[^.;]{0,30}$/i;
/** A piece after others in an enumeration: ", and one sentence on". */
const LAST_OF_SEVERAL = /(?:,|\band|\bplus)$/i;
const ON_TOPIC =
  /^\s*(?:on|about|explaining|describing|summari[sz]ing|why|how|what|whether|that|which|of)\b/i;
/** A label such as "Executive summary (" at the start of an item. */
const LABEL = /^[a-z][\w ,&'’/-]{2,60}?\s*(?:[:(–-]|: )\s*$/i;
const RULE_LABEL =
  /\b(?:length|words?|limit|format|requirements?|rules?|size|style|constraints?|output|answers?|responses?|reply|note|important|tasks?|target|count|instructions?|request|must|should|write|use|keep|max|min|maximum|minimum|include|total|structure|paragraphs?|sentences?|lines?|bullets?)\b/i;

/** Returns the numbers of a unit that a sentence demands of the whole deliverable. */
export function selectBounds(demand: Demand, unit: Unit): Bounds[] {
  if (unit.isNot?.test(demand.text)) return [];
  const bounds = demand.quantities
    .map((quantity) => withUnit(quantity, unit, demand.text))
    .filter((quantity) => isDemanded(quantity, demand, unit))
    .map((quantity) => toBounds(quantity, unit))
    .filter((found) => found !== null)
    // Further pieces add to the length.
    .map(({ min, max }) => ({ min, max: unit.isLength && demand.hasPieces ? null : max }))
    .filter(({ min, max }) => (min ?? max) !== null);
  const [first] = bounds;
  // Two numbers of one unit in one sentence belong to different parts.
  return bounds.every(({ min, max }) => min === first?.min && max === first?.max)
    ? bounds.slice(0, 1)
    : [];
}

const NAMED_BEFORE =
  /(?<![a-z])(?<noun>(?:[a-z]+[ -])?[a-z]+?s?)(?: (?:count|limit|number|total)(?: of)?)?(?: (?:in|of|for|used in) (?:your|the) (?:[a-z]+ ){0,2}?[a-z]+)?\s*(?<sign>[(:=–-]|\b(?:is|are|(?:should|must|shall|has to|needs to|ought to) be|to be|is to be|falls?)(?: in the range(?: of)?| anywhere| somewhere| within)?)?\s*$/i;

/** Moves a unit that precedes its amount behind it: "Paragraphs: 3", "bullet points (at most 4)". */
function withUnit(quantity: Quantity, { unit }: Unit, text: string): Quantity {
  if (/^[a-z]/i.test(quantity.following)) return quantity;
  const { groups } = NAMED_BEFORE.exec(quantity.preceding) ?? {};
  const isNamed = groups?.sign ?? /^(?:at-|exactly)/.test(quantity.comparison);
  const named = isNamed ? groups?.noun : undefined;
  // The comparison may include the unit, as in "a minimum word count of 120".
  const included = /\b(?:word|character)(?= (?:length|number|count|total))/i.exec(
    text.slice(quantity.from, quantity.to),
  )?.[0];
  const noun = [included, named, named?.split(" ").at(-1)].find(
    (name) => name && name.search(unit) === 0,
  );
  return noun
    ? { ...quantity, following: `${noun} ${quantity.following}`, preceding: "" }
    : quantity;
}

function isDemanded(quantity: Quantity, { text, isFirst, isFurther }: Demand, unit: Unit): boolean {
  const { following, preceding, comparison } = quantity;
  const match = unit.unit.exec(following);
  if (match?.index !== 0 || unit.notBefore?.test(following)) return false;
  const rest = following.slice(match[0].length).trimStart();
  // The comparison may include what it limits, as in "keep each point to".
  if (
    EACH_AFTER.test(rest) ||
    EACH_BEFORE.test(`${preceding} ${text.slice(quantity.from, quantity.to)}`)
  )
    return false;
  if (SOURCE_HAS.test(preceding)) return false;
  if (!isFirst && LABEL.test(preceding) && !RULE_LABEL.test(preceding)) return false;
  if (unit.isLength && (isPieceLength(preceding, rest, isFurther) || FURTHER_PIECE.test(rest)))
    return false;
  if (
    comparison === "bare" &&
    DETERMINER.test(isList(unit) ? preceding.replace(/\b(?:the )?top$/i, "") : preceding)
  )
    return false;
  if (comparison === "bare" && GIVEN.test(preceding)) return false;
  if (REPORTED.test(preceding) || OTHER_ACTS.test(preceding)) return false;
  if (unit.isLength && SEVERAL.test(preceding)) return false;
  if (unit.isLength && (NAMED_THING.test(preceding) || ABOUT_WORK.test(preceding))) return false;
  if (unit.accepts && !unit.accepts(quantity, text)) return false;
  if (isAdjective(match[0], rest)) {
    if (!isFurther && REQUEST_ONLY.test(preceding)) return true;
    const [noun = ""] = rest.split(/[.,;:]| (?:on|about|of|that|for|with|in) /);
    const isPart = PART.test(noun);
    PART.lastIndex = 0;
    return !PIECE.test(`${preceding} `) && !isPart && MAKES_WHOLE.test(`${preceding} `);
  }
  return !endsWithPart(preceding, unit);
}

const isList = ({ bare, isLength }: Unit): boolean => bare === "at-least" && !isLength;

const isPieceLength = (preceding: string, rest: string, isFurther: boolean): boolean =>
  PIECE_LENGTH.test(preceding) ||
  ((isFurther || LAST_OF_SEVERAL.test(preceding)) && ON_TOPIC.test(rest));

/** Whether the amount describes a noun: "a 200-word essay", "a three sentence summary". */
const isAdjective = (unit: string, rest: string): boolean =>
  !/s$/i.test(unit.trim()) &&
  /^[a-z]/i.test(rest) &&
  !/^(?:of|in|on|about|for|to|with|that|which|at|or|and|max|maximum|minimum|min|long|total|only|limit|if|when|is|are|must|should|from|by|as|per|each|explaining|describing|please|overall|tops|followed|using|between|cap|maximum)\b/i.test(
    rest,
  );

const COUNTED_PART =
  /\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|an?|one|no)\b(?: [a-z-]+){0,2}? [a-z]+s?\b(?: (?:points?|items?))?/gi;

/** Whether the last noun before an amount is a part of the deliverable rather than the whole. */
function endsWithPart(preceding: string, { unit }: Unit): boolean {
  const isEnumerated =
    /(?:[,;&]|\band|\bbut)(?: (?:also|use|have|has|contain|include|be|is))*$/i.test(preceding);
  const before = preceding
    .replace(REQUESTED_PART, " ")
    // A part that is itself counted, as in "three sections and 200 words", does not own the amount.
    .replace(COUNTED_PART, (part, offset: number, whole: string) =>
      isEnumerated || /^ ?(?:,|and\b|&|\()/.test(whole.slice(offset + part.length)) ? " " : part,
    );
  const part = findLast(PART, before, (word) => !unit.test(word));
  return part > findLast(WHOLE, before, () => true);
}

const findLast = (pattern: RegExp, text: string, accepts: (word: string) => boolean): number =>
  [...text.matchAll(pattern)].filter(([word]) => accepts(word)).at(-1)?.index ?? -1;

function toBounds({ min, max, comparison }: Quantity, { bare }: Unit): Bounds | null {
  if (comparison !== "bare" || bare === "exactly") return { min, max };
  if (bare === null || min === null) return null;
  return bare === "at-least"
    ? { min, max: null }
    : { min: Math.floor(min * 0.7), max: Math.ceil(min * 1.3) };
}
