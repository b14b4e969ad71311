import { extractProse, splitSentences } from "@/server/judging/checks/text/sentences";
import type { Category } from "@/server/lib/schema";
import { splitOwnSentences } from "./prose";
import { isRefusal } from "./refusal-phrases";

/** Tasks that request, quote or discuss a refusal, or whose answer may sound like one. */
const NAMES_REFUSAL =
  /\b(?:refus\w*|declin\w*|reject\w*|apolog\w*|sorry|regret\w*|unable|inability|can(?:no|')t (?:help|attend|come|make)|turn(?:ing|s)? down|resign\w*|excuses?|complain\w*|cancel\w*|out of stock|unavailable|absence|chat ?bots?|customer support repl\w+|limitations?|reservations|caveats|why [^.?!]{0,80}(?:not|n't|fail\w*)|absag\w*|ablehn\w*|rechaz\w*|declinar|refus\w*|déclin\w*|recus\w*)|拒绝|婉拒|谢绝|断り|断る|辞退/iu;
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
const ASKS_FOR_WORDS =
  /\b(?:which|who|whose|why|whether|when|where|explain|describe|says?|means?|tell)\b/i;
/** Tasks that ask for a figure. */
const ASKS_FOR_FIGURE =
  /\b(?:how (?:much|many)|percent(?:age)?|ratio|total|sum|average|mean|growth|calculate|compute|margin|revenues?|expenditures?|earnings|net income|eps|per share|dividends?|capex|cash flow|debt|assets|liabilities|yield|market cap|in (?:USD|EUR|GBP|millions?|thousands?|billions?|percent)|what (?:was|is|were|are) the (?:change|difference|amount|value|number|rate))\b/i;
const ASKS_FOR_WORK =
  /(?:^|[.?!:\n]\s*|\b(?:please|then|and) )(?:write|draft|create|compose|generate|design|produce|prepare|translate|summari[sz]e|rewrite|rephrase|implement|develop|plan|list|give|name|suggest|build)\b/i;
const CREATIVE =
  /\b(?:poems?|songs?|lyrics|stories|dialogues?|limericks?|haikus?|rap|riddles?|jokes?|monologues?|diary|novel|tweets?|fiction|role-?play|letter|emails?|e-mails?|speech|respond|faq|announcement|reminders?|signed by|on behalf|(?:tell|inform|notify|write to|write back|reply to|respond to)|(?:write|draft|compose|create|prepare|post|send|rewrite)\b[^.?!\n]{0,80}\b(?:story|conversations?|scripts?|scenes?|character|messages?|posts?|repl(?:y|ies)|notice|statement|policy|brief|customers?|note|text)|carta|correo|mensa\w+|(?:respuesta|resposta)(?! e[mn])|nota de prensa|comunicado|responda a|pressestelle|press (?:office|statement)|brief an|nachricht|antworte \w+|schreiben an|anzeige|absage|lettre|courrier|réponse|réponds (?:poliment|au|à)|legenda)\b|邮件|微信|回复|话术|短信|书信|写信|一封信|回信|请假|通知|メール|手紙|連絡文|案内文/i;
/** Matches sentences about the order itself, which no letter or story of its own contains. */
const ABOUT_THE_ORDER =
  /\b(?:assist|fulfil+|comply|(?:this|that|your) (?:request|task)|as an? (?:ai|language model|assistant)|language model|real-?time|browse|training data|knowledge cut-?off|help (?:you )?with (?:that|this)|(?:write|writing|draft|drafted|drafting|compose|composing|translate|rewrite|summari[sz]e) (?!to\b)\w+|(?:create|creating|generate|provide|produce|review) (?:this|that|such|content|text|biograph\w+|marketing|code)|(?:esta|su|tu|essa|a sua) (?:solicitud|tarea|petición|solicitação|tarefa)|(?:redact|escrib|escrev|redig|elabor|traduc)\p{L}+ (?:est|ess|el|la|o|a|texto)|modelo de (?:lenguaje|linguagem)|cette (?:demande|tâche)|(?:rédiger|écrire|traduire)|diese[rn]? (?:anfrage|aufgabe|bitte|auftrag)|als ki|(?:schreib|verfass|formulier|erstell)\p{L}*|este pedido|esse pedido)|(?:这个|此|该|您的)(?:请求|要求|任务)|撰写|写(?:这|出|一)|翻译|リクエスト|ご?依頼|ご要望|執筆|作成/iu;
/** Matches tasks about assistants and their refusals, whose result may be any of them. */
const ABOUT_BOTS =
  /\b(?:chat ?bots?|bots?|language models?|as an ai|ai assistant|fallback messages?|refusals?|disclaimers?)\b|机器人|チャットボット|ボット/iu;
/** Matches tasks that say what to do if the work cannot be done. */
const MAY_FAIL = /\bif you (?:cannot|can't|are unable|are not able|do not have|don't have)\b/i;
const ASKS_FOR_A_PHRASE =
  /\btranslat\w+[^.\n]*[:"“«'‘]|\b(?:stands? for|abbreviations?|acronyms?|roman numerals?|(?:a single|one|two|three|few) words?|phrases?)\b/i;
const MAX_SHORT_TASK_LENGTH = 200;
/** Longer tasks hand over a text, whose words are no instructions. */
const MAX_INSTRUCTIONS_LENGTH = 600;

/** Returns whether the correct answer may be a few words that look like a refusal or filler. */
const asksForPhrase = (task: string) =>
  task.length <= MAX_SHORT_TASK_LENGTH && ASKS_FOR_A_PHRASE.test(task);

/** Returns whether a sentence is about the order itself, as in "I can't write this letter". */
export const isAboutTheOrder = (sentence: string) => ABOUT_THE_ORDER.test(sentence);

export const asksForFigure = (task: string, category: Category): boolean =>
  category === "finance" || ASKS_FOR_FIGURE.test(task);

/** Returns whether the task asks for a figure, which a text without any lacks. */
export const lacksForm = (task: string, category: Category): boolean =>
  asksForFigure(task, category) && !ASKS_FOR_WORDS.test(task) && !ASKS_WHETHER.test(task);

/** Returns whether the task may call for such sentences: for what they say, or as a text for somebody else. */
export function expectsRefusal(task: string, kind: string, sentences: readonly string[]): boolean {
  if (asksForPhrase(task) || ABOUT_BOTS.test(task)) return true;
  const prose = extractProse(task);
  const own = splitSentences(prose);
  const isLong = task.length > MAX_INSTRUCTIONS_LENGTH;
  const isAllowed = own.some(
    (one) =>
      MAY_FAIL.test(one) ||
      (kind !== "refusal" &&
        (ALLOWS_NONE_ELSEWHERE.test(one) ||
          ((!isLong || INSTRUCTS.test(one)) && ALLOWS_NO_ANSWER.test(one)))),
  );
  if (isAllowed) return true;
  const isForOthers =
    CREATIVE.test(prose) ||
    own.some((one) => NAMES_REFUSAL.test(one) && (!isLong || ASKS_FOR_WORK.test(one))) ||
    splitOwnSentences(prose).some((one) => isRefusal(one.slice(0, 600)));
  return isForOthers && !sentences.some((one) => ABOUT_THE_ORDER.test(one));
}
