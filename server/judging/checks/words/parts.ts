const PART =
  "(?:titles?|headings?|headlines?|subject(?: line)?|captions?|footer|header|intro(?:duction)?|conclusion|signature|(?:first|second|third|last|opening|closing|next) (?:[a-z]+ )?(?:paragraph|sentence|line|section|stanza|part|word|verse)s?|paragraphs?|sections?|stanzas?|bullets?|bullet points?|items?|columns?|fields?|cells?|names?|usernames?|passwords?|keys?|ids?|numbers?|file ?names?|urls?|table)";
/** A part after a preposition, in a label, or as the subject of the clause. */
const SCOPE = new RegExp(
  `\\b(?:in|within|for|of|at|on|inside|after|before|between|to) (?:the |your |its |any |all |both |these )*(?:[a-z]+ )?${PART}\\b|^(?:the |your |its )*(?:[a-z]+ )?${PART}\\b(?: must| should| may| can|:| has| have| need)|\\b(?:each|every|per) `,
  "i",
);
const LABEL = new RegExp(`^(?:the |your )?(?:[a-z]+ )?${PART}[^:.]{0,20}:`, "i");

/** Returns whether the text before a demand limits it to a part of the deliverable. */
export const isLimitedToPart = (before: string, statement: string): boolean =>
  SCOPE.test(before) || LABEL.test(statement);

/** Phrases with a negation that still demand what follows. */
export const NOT_NEGATIVE =
  /\b(?:do not|don['’]?t|never) (?:forget|fail|hesitate|neglect|omit)\b|\bwithout fail\b|\bnot only\b|\bno (?:more|fewer|less|later|longer) than\b|\bnot (?:more|fewer|less) than\b|\bno matter\b|\bif not\b|\bnot limited to\b/gi;

const WORK =
  "(?:responses?|answers?|reply|replies|output|texts?|essay|poem|story|e-?mail|letter|article|post|message|tweet|summary|song|rap|speech|riddle|haiku|limerick|report|review|description|piece|writing|memo|script|joke|paragraphs?|dialogue|documents?|content|rewrite|translation|ad|advert|advertisement|pitch|resume|proposal|itinerary|blurb|copy|caption|note|lyrics|narrative|tale|scene|toast|announcement|statement|conclusion|introduction|intro|template|list|guide|brief|blog|abstract|outline|section|slogan|tagline|bio|biography|monologue|verse|stanza|thing|deliverable|explanation|analysis|result|version|invitation|plan|recipe|quiz|questions?|chapter|page|brochure|newsletter|couplet|sonnet|eulogy|poster|flyer|dialog|conversation|sentences?|work|submission|draft|words?|phrases?|terms?|keywords?|following|it|you|they|these|those|all|each|both)";
const SUBJECT =
  /\b(?:the|an?|each|every|this|our|my|its|their|your) (?:[a-z-]+ ){0,2}?(?<noun>[a-z-]+) (?:must|should|shall|has to|needs? to|have to|may|can)(?: also| explicitly| always| never| not)*\s*$/i;
const IS_WORK = new RegExp(`^${WORK}$`, "i");

/** Returns whether the demand has a subject other than the deliverable: "the button must …". */
export function hasOtherSubject(before: string): boolean {
  const noun = SUBJECT.exec(before)?.groups?.noun;
  return noun !== undefined && !IS_WORK.test(noun);
}

/** Returns whether the demand has a subject other than the whole deliverable. */
export function hasPartAsSubject(before: string): boolean {
  const noun = SUBJECT.exec(before)?.groups?.noun;
  return noun !== undefined && !isAboutWork(noun);
}

/** Returns whether a sentence is a question that requests nothing. */
export const isMereQuestion = (statement: string): boolean =>
  /\?\s*$/.test(statement) &&
  !/^(?:please )?(?:answer|respond|reply|explain|describe|say|tell|use)\b/i.test(statement) &&
  (!/\b(?:can|could|would|will) (?:you|i|we)\b|please/i.test(statement) ||
    /^(?:how|what|why|when|where|which|who|whose)\b/i.test(statement));

/** Returns whether a sentence asks what others do or mean: "What does it mean when an email …?". */
export const isQuestionAboutOthers = (statement: string): boolean =>
  isMereQuestion(statement) &&
  /^(?:and |but |so )?(?:which of|do|does|did|is|are|was|were|has|have)\b|^(?:and |but |so )?(?:how|what|why|when|where|which|who)\b.*\b(?:when|if|who|that|some(?:body|one)|any(?:body|one)|people|they|mean)\b/i.test(
    statement,
  );

const WHOLE_WORK = new RegExp(
  `\\b(?!(?:words?|phrases?|terms?|keywords?|following|list|sections?|sentences?|paragraphs?|scene|verse|stanza|chapter|page|note|questions?|you|they|these|those|all|each|both)\\b)${WORK}(?:,? (?:that|which))?,?\\s*$`,
  "i",
);

/** Returns whether a verb such as "begins" or "ending" after this text refers to the whole work. */
export const isAboutWork = (before: string): boolean => WHOLE_WORK.test(before);
