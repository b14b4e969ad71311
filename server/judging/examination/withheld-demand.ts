import type { Finding } from "@/server/judging/judge";

/** What a demand is about, by words of its own. The first that applies names it. */
const TOPICS: readonly (readonly [topic: string, words: RegExp])[] = [
  ["sources or quotations", /\b(?:source|cite|citation|reference|quot|link|url)/],
  ["form or structure", /\b(?:format|json|csv|yaml|html|markdown|table|heading|column|bullet)/],
  ["length or number of parts", /\b(?:word|character|sentence|paragraph|page|length|at most)/],
  ["code or commands", /\b(?:code|function|method|class|script|command|config|bug|test|query)/],
  ["figures or calculations", /\b(?:figure|number|amount|total|calculat|price|cost|percent)|%|\d/],
  ["dates or times", /\b(?:date|deadline|day|week|month|year|time|hour|schedule|period)/],
  ["language, tone or style", /\b(?:language|english|german|french|translat|tone|style|polite)/],
  ["risks or limits", /\b(?:risk|warn|limit|caution|assumption|exception)/],
  ["steps or instructions", /\b(?:step|procedure|instruction|plan|stage)/],
  ["reasons or conclusions", /\b(?:reason|explain|why|cause|conclu|recommend|argue|compare)/],
  ["names of people, places or things", /\b(?:name|identif|mention|who|where)/],
];

/**
 * Describes a demand without its words, for those that repeat private text: what it is about, as far
 * as our list of topics tells.
 */
export function describeWithheld({ text }: Pick<Finding, "text">): string {
  const words = text.toLowerCase();
  const topic = TOPICS.find(([, pattern]) => pattern.test(words))?.[0] ?? "content of the work";
  return `A demand on ${topic}, in private words`;
}

/** Numbers equal names, so that each can be referred to. */
export function numberRepeats(names: readonly string[]): string[] {
  return names.map((name, index) => {
    const earlier = names.slice(0, index).filter((each) => each === name).length;
    return earlier === 0 ? name : `${name} (${earlier + 1})`;
  });
}
