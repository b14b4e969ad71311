import { splitSentences } from "@/server/judging/checks/text/sentences";

// Stems of words in patterns. cspell:ignore preferabl polic duction subheadline

/** Source of the verbs by which a task requests a text. */
export const REQUESTS =
  "(?:write|draft|compose|create|produce|prepare|give|list|name|explain|describe|summari[sz]e|answer|respond|reply|tell|define|discuss|outline|present|propose|suggest|provide|state|report|compare|recommend|review|argue|introduce|invent|design|translate|rewrite|announce|sum up|pitch|say)";
/** Source of words before an imperative. */
export const LEAD = "(?:please |kindly |in english,? )?";
/** Source of the names of the whole deliverable. */
export const WHOLE =
  "(?:it|everything|(?:your|the|this|the whole|the entire|your whole|your entire) (?:thing|answer|response|reply|text|output|work|deliverable|piece|result|email|letter|post|article|essay|story|poem|description|message|report))";

/** What a task states about its deliverable. Quoted phrases are replaced by marks such as ⟦0⟧. */
export interface Statements {
  sentences: string[];
  /** All sentences, unclear ones included. */
  text: string;
  /** Whether the task requests one piece of work. */
  isOneWork: boolean;
  /** Whether it requests one list, whatever it says of each item. */
  isOneList: boolean;
  /** Returns a text with its marks replaced by the quoted phrases. */
  unmask(text: string): string;
}

/** About a page; a longer task rarely speaks of one text only. */
const MAX_TASK_LENGTH = 2_000;
const MAX_SENTENCE_LENGTH = 400;
const QUOTED_PHRASE =
  /(?<![\w"])"([^"\n]{1,99})"(?!\w)|“([^”\n]{1,99})”|«\s?([^»\n]{1,99}?)\s?»|„([^“”\n]{1,99})[“”]|(?<![\p{L}\p{N}'’])'((?:[^'\n]|'(?=\p{L})){1,99})'(?![\p{L}\p{N}])/gu;
/** Matches tasks that hand over a text or several texts to work on. */
const HAS_MATERIAL =
  /```|~~~|"""|'''|<\/\w|^[ \t]*>|^[ \t]*\||["“«„][^"“”«»„\n]{100,}|:[ \t]*\n\s*(?![-*•]|\d{1,2}[.)])|\b(?:the following(?! (?:(?:key ?)?(?:words?|phrases?|terms?)|questions?|topics?|rules?|requirements?|constraints?|instructions?))|(?:below|above)(?! \d)|attached|this (?:text|article|passage|email|document|paragraph))\b/im;
/** Matches a sentence that wishes, permits, reports, depends on a condition or gives an example. */
const IS_UNCLEAR =
  /\b(?:about|around|roughly|approximately|approx|circa|some|nearly|almost|close to)\s+\d|~\s?\d|\b(?:ideally|preferabl[ey]|prefer(?:red)?|roughly|approximately|if|unless|when|whether|optional(?:ly)?|feel free|try|aim|may|might|could|or so|give or take|thereabouts|would be|up to you|can be|for example|for instance|such as|like|e\.?g|who|whose|whom|(?<!^)says?|said|asks?|asked|(?<!^)states?|requires?|client|customer|teacher|editor|boss|guidelines?|polic(?:y|ies)|rules? of|contract|normally|usually|typically|target|goal)\b/i;
/** Matches mentions of a part of the deliverable, which an amount in the same sentence may belong to. */
const NAMES_PART =
  /\b(?:each|every|per|apiece|both|either|sections?|paragraphs?|headings?|headlines?|titles?|subjects?|intro(?:duction)?s?|conclusions?|abstracts?|the summary|summaries|captions?|taglines?|slogans?|stanzas?|verses?|lines?|rows?|columns?|cells?|slides?|chapters?|steps?|answers|responses|replies|versions?|variants?|emails|letters|stories|posts|tweets|examples?|footnotes?|p\.?s|signature|first|second|third|opening|closing|respectively)\b/i;
/** Matches mentions of several pieces of work, each of which an amount may concern. */
const NAMES_PIECES =
  /\b(?:each|every|per|apiece|both|either|sections|paragraphs|headlines|titles|subheadline|summaries|captions|taglines|slogans|stanzas|verses|rows|columns|cells|slides|chapters|answers|responses|replies|versions?|variants?|emails|letters|stories|poems|jokes|posts|tweets|messages|respectively|respective|abstract|body|keywords:)\b/i;
/** "each bullet" after the items of a list, which are one list. */
const EACH_ITEM =
  /\b(?:each|every|per) (?:bullet(?: point)?|item|point|entry|one|of (?:them|which|these))\b/gi;
const IS_REQUEST = new RegExp(`^${LEAD}${REQUESTS}\\b`, "i");
const NAMES_SECOND_PIECE = new RegExp(
  `\\b(?:then|followed by|plus|as well as|along with|together with|also|afterwards|next|finally|additionally|in addition)\\b|\\band ${REQUESTS}\\b|(?<!\\bbetween \\S{1,9} )\\band (?:an?|one|two|three|four|five|\\d+) `,
  "i",
);

export const namesPart = (sentence: string): boolean => NAMES_PART.test(sentence);

/**
 * Reads the plain statements of a task. Returns none if the task is longer than a page or hands over
 * a text to work on.
 */
export function readStatements(task: string): Statements {
  const phrases: string[] = [];
  const unmask = (text: string) =>
    text.replace(/⟦(\d+)⟧/g, (_, index) => `"${phrases[Number(index)] ?? ""}"`);
  if (task.length > MAX_TASK_LENGTH || HAS_MATERIAL.test(task)) {
    return { sentences: [], text: "", isOneWork: false, isOneList: false, unmask };
  }
  const masked = task.replace(/[⟦⟧]/g, " ").replace(QUOTED_PHRASE, (_, ...groups) => {
    const phrase = groups.find((group) => typeof group === "string") ?? "";
    return `⟦${phrases.push(phrase) - 1}⟧${/[.!?]$/.test(phrase) ? "|" : ""}`;
  });
  // A phrase with a full stop ends its sentence, if another one follows.
  const all = nameWhole(
    splitSentences(masked.replace(/⟧\|(?=\s+\p{Lu})/gu, "⟧.").replaceAll("⟧|", "⟧")),
  );
  const clear = all.filter((one) => one.length <= MAX_SENTENCE_LENGTH && !IS_UNCLEAR.test(one));
  const isOne = (sentencesOf: readonly string[]) =>
    sentencesOf.filter((one) => IS_REQUEST.test(one)).length <= 1 &&
    !sentencesOf.some((one) => NAMES_PIECES.test(one) || NAMES_SECOND_PIECE.test(one));
  const isOneWork = isOne(all);
  const isOneList = isOne(all.map((one) => one.replace(EACH_ITEM, "")));
  return { sentences: clear, text: all.join("\n"), isOneWork, isOneList, unmask };
}

const REQUESTED_NOUN = new RegExp(
  `^${LEAD}${REQUESTS} (?:me |us )?(?:an?|our|my) (?:[a-z-]+ ){0,4}?(?<noun>[a-z-]{3,})(?= (?:for|about|on|to|of|in|that|with|from|which|introducing|announcing)\\b|[,.:;]|$)`,
  "i",
);

/** Renames the requested work, such as "the toast" after "Write a toast", to "the text". */
function nameWhole(sentences: readonly string[]): string[] {
  const noun = sentences.map((one) => REQUESTED_NOUN.exec(one)?.groups?.noun).find(Boolean);
  if (!noun || namesPart(noun)) return [...sentences];
  const mention = new RegExp(`\\b(?:the|this|your) ${noun}(?![\\w-])`, "gi");
  return sentences.map((one) =>
    one.replace(mention, (found) => (/^[A-Z]/.test(found) ? "The text" : "the text")),
  );
}
