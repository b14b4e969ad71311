import { z } from "zod";
import {
  type CheckInput,
  type CheckResult,
  createGeneralRequirement,
  type TextCheck,
} from "@/server/judging/checks/check";
import { countWords } from "@/server/judging/checks/text/counts";
import { splitSentences } from "@/server/judging/checks/text/sentences";
import { hasCodeOrTable, MAX_NON_ANSWER_LENGTH, splitOwnSentences } from "./prose";
import { COURTESY, MISSING_INFORMATION, REFUSALS } from "./refusal-phrases";
import { checkForStockReply } from "./stock-reply";

/** Finds deliverables that decline the work, report that it was not done or only say "done". */
export const REFUSAL: TextCheck<Record<string, never>> = {
  name: "refusal",
  parameters: z.strictObject({}),
  extract: () => [createGeneralRequirement("refusal")],
  describe: () => "Does the work instead of declining it",
  run: (input) => checkForStockReply(input) ?? checkForRefusal(input),
};

const PASS: CheckResult = { outcome: "pass", observed: "no refusal was found" };
/** Words of other content that may accompany a refusal; after an opening refusal, more of them. */
const MAX_OTHER_WORDS = 12;
const MAX_OTHER_WORDS_AFTER_OPENING = 30;
/** The same if a figure was wanted and none is given. */
const MAX_OTHER_WORDS_WITHOUT_FIGURE = 120;

function checkForRefusal({ task, category, text }: CheckInput): CheckResult {
  const trimmed = text.trim().replace(/^["“'](.*)["”']$/su, "$1");
  if (trimmed.length > MAX_NON_ANSWER_LENGTH || hasCodeOrTable(trimmed)) return PASS;
  const sentences = splitOwnSentences(trimmed).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
  const starts = sentences.map((sentence) => sentence.slice(0, 600));
  if (!starts.some((start) => REFUSALS.test(start) || MISSING_INFORMATION.test(start))) return PASS;
  const kinds = starts.map(classify);
  const at = kinds.findIndex((kind) => kind === "refusal" || kind === "missing");
  if (at < 0) return PASS;
  const isMissingOnly = !kinds.includes("refusal");
  if (isExpected(task, sentences) || (isMissingOnly && !mustHaveAnswer(task))) {
    return { outcome: "not-applicable", observed: "the task may call for such an answer" };
  }
  const others = sentences.filter((_, index) => kinds[index] === "other");
  const opens = kinds.slice(0, 3).findIndex((kind) => kind !== "courtesy") === at;
  const wantsFigure = category === "finance" || ASKS_FOR_FIGURE.test(task);
  const given = isMissingOnly ? sentences : others;
  const isWork = wantsFigure
    ? statesNewFigure(task, given.join("\n"), others.join("\n"))
    : isMissingOnly
      ? /\d/.test(others.join(" "))
      : holdsResult(others);
  const limit = !opens
    ? MAX_OTHER_WORDS
    : wantsFigure
      ? MAX_OTHER_WORDS_WITHOUT_FIGURE
      : MAX_OTHER_WORDS_AFTER_OPENING;
  const isShort = others.length <= 3 || (opens && wantsFigure);
  if (isWork || !isShort || countWords(others.join(" ")) > limit) return PASS;
  return {
    outcome: "fail",
    observed: isMissingOnly ? "says only that information is missing" : "declines the work",
    detail: sentences[at]?.slice(0, 200) ?? "",
  };
}

type Kind = "refusal" | "missing" | "courtesy" | "other";

function classify(sentence: string): Kind {
  // "I cannot give legal advice, but the clause means …" does work in the same sentence.
  const [own, contrast] = sentence.split(/,? \b(?:but|however|though)\b,? /i, 2);
  const rest = contrast ?? "";
  const isWorkAfterAll =
    countWords(rest) > 4 &&
    ![REFUSALS, COURTESY, MISSING_INFORMATION].some((pattern) => pattern.test(rest)) &&
    /\d|\bhere\b|\bis\b|\bare\b|\bmeans?\b|\bshows?\b/i.test(rest) &&
    !/^(?:i|we) /i.test(rest);
  if (isWorkAfterAll && (REFUSALS.test(own ?? "") || MISSING_INFORMATION.test(own ?? "")))
    return "other";
  if (REFUSALS.test(sentence)) return "refusal";
  if (MISSING_INFORMATION.test(sentence)) return "missing";
  return COURTESY.test(sentence) ? "courtesy" : "other";
}

/** Returns whether the remaining sentences hold figures or list items, which is work of a kind. */
function holdsResult(others: readonly string[]): boolean {
  return (
    others.filter((sentence) => /\d/.test(sentence)).length >= 2 ||
    others.some((sentence) => /\b(?:answer|result|total) (?:is|was|:)|=\s*\S/i.test(sentence))
  );
}

const FIGURE = /\d[\d.,]*\d|\d/g;

/**
 * Returns whether a text states a figure that is not a year and not taken from the question, or, apart
 * from its refusal, one that the task gives.
 */
function statesNewFigure(task: string, text: string, others: string): boolean {
  const listFigures = (part: string) =>
    (part.match(FIGURE) ?? []).filter((figure) => !/^(?:19|20)\d\d$/.test(figure));
  const known = new Set(listFigures(task));
  return (
    listFigures(text.replace(/^[ \t]*\d{1,2}[.)]/gm, "")).some((figure) => !known.has(figure)) ||
    listFigures(others.replace(/^[ \t]*\d{1,2}[.)]/gm, "")).length >= 2
  );
}

/** Tasks that request, quote or discuss a refusal, or whose answer may sound like one. */
const NAMES_REFUSAL =
  /\b(?:refus\w*|declin\w*|reject\w*|apolog\w*|sorry|regret\w*|unable|inability|can(?:no|')t (?:help|attend|come|make)|turn(?:ing|s)? down|resign\w*|excuses?|complain\w*|cancel\w*|out of stock|unavailable|absence|chat ?bots?|customer support repl\w+|disclaimers?|language models?|as an ai|ai assistant|absag\w*|ablehn\w*|rechaz\w*|declinar|refus\w*|déclin\w*|recus\w*)|拒绝|婉拒|谢绝|断り|断る|辞退/iu;
/** Tasks that say what to do if the material has no answer. */
const ALLOWS_NO_ANSWER =
  /\b(?:(?:not|isn't|is not|aren't) (?:mentioned|stated|specified|given|provided|available|included|found|present|disclosed|in the (?:text|passage|document|context|article)|answerable|enough|possible|known|sure|clear)|unanswerable|cannot be (?:determined|answered|found|inferred)|can't be (?:determined|answered)|(?:insufficient|not enough|missing|lack of|unavailable|no) (?:information|data|evidence|answer)|do(?:es)?(?: not|n't) (?:contain|provide|mention|state|know|have|say|include|give|disclose)|if you (?:cannot|can't|do not|don't|are unable|are not)|n\/a|unknown|say so|gaps?|what is missing|missing)\b/iu;
/** The same in other languages: "si el texto no lo dice". */
const ALLOWS_NONE_ELSEWHERE =
  /(?<!\p{L})(?:si|se|caso|wenn|falls|sofern)(?!\p{L})[^.?!\n]{0,80}(?<!\p{L})(?:no|não|ne|n['’]\p{L}+|nicht|keine?n?)(?!\p{L})|(?<!\p{L})(?:sinon|sonst|andernfalls|de lo contrario|caso contrário)(?!\p{L})|(?:如果|若|如).{0,30}(?:没有|未|不|无)|没有提到|未提及|无法确定|(?:ない|なし|不明の?)場合|なければ|記載がない|書かれていない/iu;
const INSTRUCTS = /\b(?:if|when|where|say|state|answer|reply|write|note|flag|tell|otherwise)\b/i;
/** Tasks whose answer may be that something is absent. */
const ASKS_WHETHER =
  /(?:^|[.?!:\n]\s*)(?:is|are|was|were|does|do|did|has|have|can|could|should|will|would)\s+(?:the|there|it|this|that|any|an?|he|she|they|[A-Z]\w+)\b[^.!\n]{0,300}\?|\bwhether\b|\b(?:true|false),? (?:or|false)\b|\bmissing\b|\bverify\b|\bfact-?check\b|\breview\b|\baudit\b|\bassess\b|\bevaluate\b|\bentail|\bcontradict/i;
/** Tasks that ask for a figure. */
const ASKS_FOR_FIGURE =
  /\b(?:how (?:much|many)|percent(?:age)?|ratio|total|sum|average|mean|growth|calculate|compute|margin|revenues?|expenditures?|earnings|net income|eps|per share|dividends?|capex|cash flow|debt|assets|liabilities|yield|market cap|in (?:USD|EUR|GBP|millions?|thousands?|billions?|percent)|what (?:was|is|were|are) the (?:change|difference|amount|value|number|rate))\b/i;
const ASKS_FOR_WORK =
  /(?:^|[.?!:\n]\s*|\b(?:please|then|and) )(?:write|draft|create|compose|generate|design|produce|prepare|translate|summari[sz]e|rewrite|rephrase|implement|develop|plan|list|give|name|suggest|build)\b/i;
const CREATIVE =
  /\b(?:poems?|songs?|lyrics|story|stories|dialogues?|conversations?|scripts?|limericks?|haikus?|rap|riddles?|jokes?|monologues?|scenes?|diary|novel|tweets?|fiction|role-?play|character|letter|emails?|e-mails?|messages?|posts?|speech|repl(?:y|ies)|respond|notice|faq|announcement|statement|disclaimer|policy|carta|brief|lettre|correo)\b|邮件|书信|写信|一封信|回信|メール|手紙/i;
/** Matches sentences about the order itself, which no letter or story of its own contains. */
const ABOUT_THE_ORDER =
  /\b(?:assist|fulfil+|comply|this request|that request|your request|this task|as an ai|language model|real-?time|browse|training data|knowledge cut-?off|help (?:you )?with (?:that|this)|(?:write|draft|create|generate|provide|produce|compose) (?:this|that|such|an?|the|your) |esta (?:solicitud|tarea|petición)|cette (?:demande|tâche)|diese[rn]? (?:anfrage|aufgabe|bitte)|(?:este|esse) (?:pedido|tarefa)|esta tarefa|essa solicitação)|(?:这个|此|该|您的)(?:请求|要求|任务)|リクエスト|ご依頼|ご要望/iu;
const ASKS_FOR_A_PHRASE =
  /\btranslat\w+[^.\n]*[:"“«'‘]|\b(?:stands? for|abbreviations?|acronyms?|roman numerals?|(?:a single|one|two|three|few) words?|phrases?)\b/i;
const MAX_SHORT_TASK_LENGTH = 200;
/** Longer tasks hand over a text, whose words are no instructions. */
const MAX_INSTRUCTIONS_LENGTH = 600;

/** Matches what a text for somebody else has to say: "we cannot refund". */
const DECLINES =
  /\b(?:we|they|he|she|it|customers?|users?) (?:can(?:no|')t|can not|won't|will not|do(?:es)? not|do(?:es)?n't|are not able|are unable|is unable)\b/i;

/** Returns whether the correct answer may be a few words that look like a refusal or filler. */
export const asksForPhrase = (task: string) =>
  task.length <= MAX_SHORT_TASK_LENGTH && ASKS_FOR_A_PHRASE.test(task);

function isExpected(task: string, sentences: readonly string[]): boolean {
  if (asksForPhrase(task)) return true;
  const isLong = task.length > MAX_INSTRUCTIONS_LENGTH;
  const own = splitSentences(task);
  const isAllowed = own.some((one) => {
    const instructs = !isLong || INSTRUCTS.test(one);
    const requests = !isLong || ASKS_FOR_WORK.test(one) || CREATIVE.test(one);
    return (
      ALLOWS_NONE_ELSEWHERE.test(one) ||
      (instructs && ALLOWS_NO_ANSWER.test(one)) ||
      (requests && NAMES_REFUSAL.test(one))
    );
  });
  if (isAllowed) return true;
  const declinesItself = splitOwnSentences(task).some(
    (one) => REFUSALS.test(one.slice(0, 600)) || (CREATIVE.test(task) && DECLINES.test(one)),
  );
  return declinesItself || (CREATIVE.test(task) && !ABOUT_THE_ORDER.test(sentences.join(" ")));
}

/** Matches tasks that refer to a document, which may lack the answer. */
const REFERS_TO_TEXT =
  /\b(?:text|passage|document|article|report|filing|table|context|contract|email|transcript|data ?set|file|attached|below|above|following)\b/i;

/** Returns whether an answer that only reports missing information cannot be right. */
function mustHaveAnswer(task: string): boolean {
  if (ASKS_WHETHER.test(task)) return false;
  if (ASKS_FOR_WORK.test(task)) return true;
  if (!ASKS_FOR_FIGURE.test(task)) return false;
  const figures = task.match(FIGURE) ?? [];
  // A year that only the question names may be missing from what is given.
  const years = figures.filter((figure) => /^(?:19|20)\d\d$/.test(figure));
  const isForeign = years.some((year) => years.filter((one) => one === year).length === 1);
  if (figures.length >= 4 && isForeign) return false;
  return figures.length >= 4 || !REFERS_TO_TEXT.test(task);
}
