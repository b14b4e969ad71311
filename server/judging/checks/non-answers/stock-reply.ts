import type { CheckInput, CheckResult } from "@/server/judging/checks/check";

// Stems of words in patterns. cspell:ignore acknowledg classif silen

/** Matches a reply, without its punctuation, that answers no question and does no work. */
const NO_ANSWER =
  /^(?:ok(?:ay)?|k|lgtm|looks (?:good|fine)(?: to me)?|done|all done|finished|completed?|ready|sure|(?:please )?(?:see|find|check) (?:the )?(?:attached|attachment|above|below|enclosed|link|file)(?: (?:file|document|pdf|report))?|attached|as (?:attached|discussed|requested|agreed)|tbd|todo|sent|here(?: it is| you go)?|thanks|thank you|will do|on it|working on it|in progress|hello|hi|later|got it|understood|noted|roger|great|(?:error )?(?:the )?(?:request|connection|operation) timed out(?: after \d+ ?m?s)?|rate limit(?: exceeded)?)$/;
/** Matches a reply that may answer a question, but does no work. */
const NO_WORK =
  /^(?:yes|no|yep|nope|y|n|n a|none|nothing|null|same|pending|idk|(?:i )?(?:do not|don t) know|no idea|not sure|unknown|test|skip|skipped|pass|continue|next|success|error|failed|fine|good)$/;
const MAX_LENGTH = 60;

/** A list marker without an item, or an empty value. */
const EMPTY_ITEM = /^[ \t]{0,10}\d{1,3}[.)][ \t]*$/gm;
const EMPTY_VALUE = /^\s*(?:\{\s*\}|\[\s*\])\s*$/;

/** Requests a work that cannot consist of such a reply. */
const ASKS_FOR_RESULT =
  /(?:^|[.?!:\n]\s{0,5}|\b(?:please|then|and|to|you|me) )(?:write|draft|create|compose|generate|design|produce|prepare|translate|summari[sz]e|rewrite|rephrase|implement|develop|list|suggest|explain|describe|compare|analy[sz]e|discuss|outline|evaluate|recommend|propose|build|plan)\b/i;
const ASKS =
  /\?|(?:^|[.!:\n]\s{0,5})(?:name|give|list|tell|state|calculate|compute|find|which|what)\b/i;
/** Matches tasks that call for a confirmation, a symbol or a reply of their own. */
const MAY_BE_ANY =
  /\b(?:say|says|confirm\w*|acknowledg\w*|(?:repl(?:y|ies)|respond|answer|return|output|print)s? (?:only |just |simply )?(?:with|only|just)|status|if (?:there|nothing|no|none|everything|all|it|the)|emojis?|symbols?|punctuation|ascii|morse|patterns?|operators?|regex|ellipsis|translate|errors?|greetings?|minimal|shortest|silen\w+|blank|empty)\b|["“'`][^"”'`\n]{1,20}["”'`]/i;
/** Matches tasks whose whole answer may be one word. */
const MAY_BE_SHORT =
  /\b(?:(?:one|single|two|a|1|2|few|three)[- ](?:words?|letters?|characters?|tokens?)|one-word|yes|true|classif\w+|label|choose|pick|select|synonyms?|antonyms?|commit message|titles?|headlines?|slogans?|caption)\b/i;

/** Returns the result for a deliverable that only says "ok", "done" or "see attached"; null for others. */
export function checkForStockReply({
  task,
  text,
}: Pick<CheckInput, "task" | "text">): CheckResult | null {
  if (text.length > MAX_LENGTH) return null;
  const words =
    text
      .replace(EMPTY_ITEM, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const said = words.join(" ");
  const isEmpty = words.length === 0 && !EMPTY_VALUE.test(text);
  const isNoAnswer = isEmpty || NO_ANSWER.test(said);
  if (!isNoAnswer && !NO_WORK.test(said)) return null;
  const asksForWork = ASKS_FOR_RESULT.test(task) && !MAY_BE_SHORT.test(task);
  const isWrong = isNoAnswer ? asksForWork || ASKS.test(task) : asksForWork;
  return isWrong && !MAY_BE_ANY.test(task)
    ? { outcome: "fail", observed: isEmpty ? "no words" : "only a stock reply", detail: text }
    : { outcome: "not-applicable", observed: "the task may call for such an answer" };
}
