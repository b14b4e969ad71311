import { z } from "zod";
import {
  type CheckResult,
  createGeneralRequirement,
  type TextCheck,
} from "@/server/judging/checks/check";
import { countWords, hasCodeOrTable, MAX_NON_ANSWER_LENGTH, splitOwnSentences } from "./prose";
import { COURTESY, MISSING_INFORMATION, REFUSALS } from "./refusal-phrases";

/** Tasks that request, quote or discuss a refusal, or whose answer may sound like one. */
const EXPECTS_REFUSAL =
  /\b(?:refus\w*|declin\w*|reject\w*|apolog\w*|sorry|regret\w*|unable|inability|can(?:no|')t (?:help|attend|come|make)|turn(?:ing|s)? down|resign\w*|excuses?|complain\w*|cancel\w*|chat ?bots?|customer support repl\w+|disclaimers?|language models?|as an ai|ai assistant)\b/i;
/** Tasks that say what to do if the material has no answer. */
const ALLOWS_NO_ANSWER =
  /\b(?:(?:not|isn't|is not|aren't) (?:mentioned|stated|specified|given|provided|available|included|found|present|in the (?:text|passage|document|context|article)|answerable|enough|possible|known|sure|clear)|unanswerable|cannot be (?:determined|answered|found|inferred)|can't be (?:determined|answered)|(?:insufficient|not enough|missing|lack of|unavailable|no) (?:information|data|evidence|answer)|do(?:es)?(?: not|n't) (?:contain|provide|mention|state|know|have|say|include)|if you (?:cannot|can't|do not|don't|are unable|are not)|n\/a|unknown|say so|nicht (?:angegeben|genannt)|no (?:consta|se menciona)|gaps?|what is missing|missing)\b/i;
/** Tasks whose answer may be that something is absent. */
const ASKS_WHETHER =
  /(?:^|[.?!:\n]\s*)(?:is|are|was|were|does|do|did|has|have|can|could|should|will|would)\s+(?:the|there|it|this|that|any|an?|he|she|they|[A-Z]\w+)\b[^.!\n]{0,300}\?|\bwhether\b|\b(?:true|false),? (?:or|false)\b|\bmissing\b|\bverify\b|\bfact-?check\b|\breview\b|\baudit\b|\bassess\b|\bevaluate\b|\bentail|\bcontradict/i;
/** Tasks that ask for a figure that their data must yield. */
const ASKS_FOR_FIGURE =
  /\b(?:how (?:much|many|long|far|old|large|big)|percent(?:age)?|ratio|total|sum|average|mean|growth|change|difference|calculate|compute|margin|amount|value|number of|rate|what (?:was|is|were|are) the)\b/i;
const ASKS_FOR_WORK =
  /(?:^|[.?!:\n]\s*|\b(?:please|then|and) )(?:write|draft|create|compose|generate|design|produce|prepare|translate|summari[sz]e|rewrite|rephrase|implement|develop|plan|list|give|name|suggest|build)\b/i;
const CREATIVE =
  /\b(?:poems?|songs?|lyrics|story|stories|dialogues?|conversations?|scripts?|limericks?|haikus?|rap|riddles?|jokes?|monologues?|scenes?|diary|novel|tweets?|fiction|role-?play|character|letter|emails?|e-mails?|messages?|posts?|speech)\b/i;
const WORK_IN_QUESTION =
  /\b(?:assist|fulfil+|comply|this request|that request|your request|this task|as an ai|language model|real-?time|browse|external|training data|knowledge cut-?off|help (?:you )?with (?:that|this))\b/i;
const ASKS_FOR_A_PHRASE =
  /\b(?:translat\w+|stands? for|abbreviations?|acronyms?|roman numerals?|(?:a single|one|two|three|few) words?|phrases?)\b/i;
const MAX_SHORT_TASK_LENGTH = 200;

/** Returns whether the correct answer may be a few words that look like a refusal or filler. */
export const asksForPhrase = (task: string) =>
  task.length <= MAX_SHORT_TASK_LENGTH && ASKS_FOR_A_PHRASE.test(task);

/** Words of work that may accompany a refusal; after an opening refusal, more of them. */
const MAX_OTHER_WORDS = 12;
const MAX_OTHER_WORDS_AFTER_OPENING = 30;

const PASS: CheckResult = { outcome: "pass", observed: "no refusal" };

/** Finds deliverables that decline the work or report that it was not done, and do little else. */
export const REFUSAL: TextCheck<Record<string, never>> = {
  name: "refusal",
  parameters: z.strictObject({}),
  extract: () => [createGeneralRequirement("refusal")],
  describe: () => "Does the work instead of declining it",
  run: ({ task, text }) => checkForRefusal(task, text),
};

function checkForRefusal(task: string, text: string): CheckResult {
  const trimmed = text.trim().replace(/^["“'](.*)["”']$/su, "$1");
  if (trimmed.length > MAX_NON_ANSWER_LENGTH || hasCodeOrTable(trimmed)) return PASS;
  const sentences = splitOwnSentences(trimmed).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
  const starts = sentences.map((sentence) => sentence.slice(0, 600));
  if (!starts.some((start) => REFUSALS.test(start) || MISSING_INFORMATION.test(start))) return PASS;
  const kinds = starts.map(classify);
  const isMissingOnly = !kinds.includes("refusal");
  if (isMissingOnly && !kinds.includes("missing")) return PASS;
  if (isExpected(task, sentences) || (isMissingOnly && !mustHaveAnswer(task))) {
    return { outcome: "not-applicable", observed: "the task may call for such an answer" };
  }
  const others = sentences.filter((_, index) => kinds[index] === "other");
  const words = countWords(others.join(" "));
  const opens = kinds.slice(0, 2).includes("refusal");
  const limit = opens ? MAX_OTHER_WORDS_AFTER_OPENING : MAX_OTHER_WORDS;
  const isWork = isMissingOnly ? /\d/.test(others.join(" ")) : holdsResult(others);
  if (words > limit || isWork || others.length > 3) return PASS;
  const at = sentences[kinds.findIndex((kind) => kind === "refusal" || kind === "missing")] ?? "";
  return {
    outcome: "fail",
    observed: isMissingOnly ? "says only that information is missing" : "declines the work",
    detail: at.slice(0, 200),
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

function isExpected(task: string, sentences: readonly string[]): boolean {
  if (EXPECTS_REFUSAL.test(task) || ALLOWS_NO_ANSWER.test(task) || asksForPhrase(task)) return true;
  const ownWords = splitOwnSentences(task).some((sentence) =>
    REFUSALS.test(sentence.slice(0, 600)),
  );
  return ownWords || (CREATIVE.test(task) && !WORK_IN_QUESTION.test(sentences.join(" ")));
}

/** Returns whether an answer that only reports missing information cannot be right. */
function mustHaveAnswer(task: string): boolean {
  if (ASKS_WHETHER.test(task)) return false;
  const figures = task.match(/\d[\d.,]*/g)?.length ?? 0;
  return (figures >= 4 && ASKS_FOR_FIGURE.test(task)) || ASKS_FOR_WORK.test(task);
}
