// Stems of words in patterns. cspell:ignore organi italici quer
import { listQuantities, type Quantity } from "@/server/judging/checks/text/quantity";
import { remember } from "@/server/judging/checks/text/remember";
import { isHedgedQuantity, listStatements } from "@/server/judging/checks/text/statements";

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
/** What follows a quotation, which `listStatements` may leave out together with it. */
const AFTER_QUOTATION = /["”]\s+(?<text>[^\s"“][^"“.\n]{0,200})/g;
const REQUEST =
  /^(?:please )?(?:give|list|compute|calculate|write|create|build|fit|draft|make|summari[sz]e|compare|find|determine|analy[sz]e|prepare|provide|show|produce|rewrite|translate|design|explain|describe|evaluate|review|recommend|identify|propose|estimate|name|convert|extract|turn)\b/i;
/** Returns the sentences of a task that demand something, with the amounts that are no condition or example. */
export const listDemands = remember((task: string): Demand[] => {
  const statements = keepEnds(
    listStatements(task).filter(({ text }) => text.length <= MAX_STATEMENT_LENGTH),
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
