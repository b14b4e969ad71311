// Stems of words in patterns. cspell:ignore acknowledg classif
import { z } from "zod";
import {
  type CheckResult,
  createGeneralRequirement,
  type TextCheck,
} from "@/server/judging/checks/check";

/** Matches a reply that contains no work of any kind, without its punctuation. */
const STOCK_REPLY =
  /^(?:ok(?:ay)?|k|lgtm|looks (?:good|fine)(?: to me)?|done|all done|finished|completed?|ready|sure|yes|no|yep|nope|y|n|(?:please )?(?:see|find|check) (?:the )?(?:attached|attachment|above|below|enclosed|link|file)(?: (?:file|document|pdf|report))?|attached|as (?:attached|discussed|requested|agreed)|n a|none|nothing|null|tbd|todo|same|sent|here(?: it is| you go)?|thanks|thank you|will do|on it|working on it|in progress|pending|idk|(?:i )?(?:do not|don t) know|no idea|not sure|unknown|test|hello|hi|later|skip|skipped|pass|continue|next|success|error|failed|got it|understood|noted|roger|fine|good|great)$/;
const MAX_LENGTH = 60;

/** Requests a work that cannot consist of such a reply. */
const ASKS_FOR_WORK =
  /(?:^|[.?!:\n]\s{0,5}|\b(?:please|then|and|to|you|me) )(?:write|draft|create|compose|generate|design|produce|prepare|translate|summari[sz]e|rewrite|rephrase|implement|develop|list|suggest|explain|describe|compare|analy[sz]e|discuss|outline|evaluate|recommend|propose|build|plan)\b/i;
/** Matches tasks whose whole answer may be one word, a symbol or a confirmation. */
const MAY_BE_SHORT =
  /\b(?:(?:one|single|two|a|1|2|few|three)[- ](?:words?|letters?|characters?|tokens?|emojis?|symbols?)|one-word|yes|true|say|says|confirm\w*|acknowledg\w*|(?:repl(?:y|ies)|respond|answer|return|output|print)s? (?:only |just |simply )?(?:with|only|just)|status|classif\w+|label|choose|pick|select|if (?:there|nothing|no|none|everything|all|it|the)|emojis?|symbols?|punctuation|ascii|morse|patterns?|operators?|regex|ellipsis|translate|synonyms?|antonyms?|commit message|titles?|headlines?|slogans?|greetings?|caption|minimal|shortest)\b|["“'`][^"”'`\n]{1,20}["”'`]/i;

/** Finds deliverables that only say "ok", "done" or "see attached", or have no letter or digit. */
export const STOCK_REPLY_CHECK: TextCheck<Record<string, never>> = {
  name: "stock-reply",
  parameters: z.strictObject({}),
  extract: () => [createGeneralRequirement("stock-reply")],
  describe: () => "Contains more than a short stock reply",
  run: ({ task, text }): CheckResult => {
    if (text.length > MAX_LENGTH) return { outcome: "pass", observed: "no stock reply" };
    const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const isStock = words.length === 0 || STOCK_REPLY.test(words.join(" "));
    if (!isStock) return { outcome: "pass", observed: "no stock reply" };
    return ASKS_FOR_WORK.test(task) && !MAY_BE_SHORT.test(task)
      ? { outcome: "fail", observed: words.length === 0 ? "no words" : "only a stock reply" }
      : { outcome: "not-applicable", observed: "the task may call for such an answer" };
  },
};
