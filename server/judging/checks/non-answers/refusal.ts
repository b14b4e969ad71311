import {
  type CheckInput,
  type CheckResult,
  createGeneralRequirement,
  type TextCheck,
} from "@/server/judging/checks/check";
import { countWords } from "@/server/judging/checks/text/counts";
import { hasCodeOrTable, MAX_NON_ANSWER_LENGTH, splitOwnSentences } from "./prose";
import { isRefusal, says } from "./refusal-phrases";
import { asksForFigure, expectsRefusal, isAboutTheOrder, lacksForm } from "./refusal-tasks";
import { checkForStockReply } from "./stock-reply";

/** Finds deliverables that decline the work, report that it was not done or only say "done". */
export const REFUSAL: TextCheck<Record<string, never>> = {
  name: "refusal",
  extract: () => [createGeneralRequirement("refusal")],
  describe: () => "Does the work instead of declining it",
  run: (input) => checkForStockReply(input) ?? checkForRefusal(input),
};

const PASS: CheckResult = { outcome: "pass", observed: "no refusal was found" };
const MAY_BE_RIGHT: CheckResult = {
  outcome: "not-applicable",
  observed: "the task may call for such an answer",
};
const OBSERVED = {
  refusal: "declines the work",
  waiting: "only asks for material or promises the work",
};
type Refusal = keyof typeof OBSERVED;
/** How much other content may accompany a refusal: words, and their share of the text. */
const LIMITS = {
  opening: { words: 60, share: 0.5 },
  openingWithoutResult: { words: 120, share: 0.8 },
  later: { words: 12, share: 0.3 },
  laterWithoutResult: { words: 40, share: 0.5 },
};
/** The same share beside a single refusal without an apology or a referral, which may be a caveat. */
const MAX_SHARE_BESIDE_CAVEAT = 0.35;

function checkForRefusal({ task, category, text }: CheckInput): CheckResult {
  const prose = readProse(text);
  if (prose.length > MAX_NON_ANSWER_LENGTH || hasCodeOrTable(prose)) return PASS;
  const sentences = splitOwnSentences(prose)
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    .map((sentence) => sentence.slice(0, 600));
  const kinds = sentences.map(classify);
  const select = (...wanted: Kind[]) =>
    sentences.filter((_, index) => wanted.includes(kinds[index] ?? "other"));
  const kind = (["refusal", "waiting"] as const).find((one) => kinds.includes(one));
  if (!kind || DIRECT_ANSWER.test(prose)) return PASS;
  if (expectsRefusal(task, kind, select(kind))) return MAY_BE_RIGHT;
  const others = select("other");
  const isWork = asksForFigure(task, category)
    ? statesNewFigure(task, select("refusal", "courtesy", "other"), others)
    : holdsResult(others);
  if (isWork) return PASS;
  const [first] = select("refusal", "waiting");
  const opens = select("refusal", "waiting", "other")[0] === first;
  const place = opens ? "opening" : "later";
  const isWithoutResult = lacksForm(task, category);
  const limit = LIMITS[isWithoutResult ? (`${place}WithoutResult` as const) : place];
  const isCaveat = !isWithoutResult && sentences.length - others.length === 1;
  const share = isCaveat ? MAX_SHARE_BESIDE_CAVEAT : limit.share;
  const count = countWords(others.join(" "));
  // "A, as far as the table goes. I can't tell for C." answers a question in words.
  if (isCaveat && !opens && task.includes("?") && count > 3) return PASS;
  if (count > limit.words || count > share * countWords(sentences.join(" "))) return PASS;
  return { outcome: "fail", observed: OBSERVED[kind], detail: first?.slice(0, 200) ?? "" };
}

/** Returns a text without quotation marks around it, and of JSON, in which programs report errors, the texts. */
function readProse(text: string): string {
  const json = /^(?:```json)?\s*(\{.*\})\s*(?:```)?$/s.exec(text.trim())?.[1];
  if (json === undefined) return text.trim().replace(/^["“'](.*)["”']$/su, "$1");
  return [...json.matchAll(/"\s*:\s*"((?:[^"\\]|\\.)*)"/g)].map(([, value]) => value).join("\n");
}

type Kind = Refusal | "courtesy" | "other";

function classify(sentence: string): Kind {
  // "I cannot give legal advice, but the clause means …" does work in the same sentence.
  const [, own = "", rest = ""] =
    /^(.*?)(?:,? \b(?:but|however|though)\b,? |: )(.*)$/is.exec(sentence) ?? [];
  const isWorkAfterAll =
    countWords(rest) > 4 &&
    !isRefusal(rest) &&
    !(["courtesy", "waiting"] as const).some((kind) => says(kind, rest)) &&
    !/^(?:i|we) /i.test(rest);
  if (isWorkAfterAll && isRefusal(own)) return "other";
  if (isRefusal(sentence)) return isForOthers(sentence) ? "other" : "refusal";
  if (says("waiting", sentence)) return "waiting";
  // A heading, a label or a question is no result.
  return says("courtesy", sentence) || /^#|[:?]$/.test(sentence) ? "courtesy" : "other";
}

const IN_PLURAL =
  /(?<!\p{L})(?:we|our|us|wir|uns|unser\p{L}*|nous|notre|nos|podemos|pudimos|tenemos|nuestr\p{L}*|temos|conseguimos|noss\p{L}*)(?!\p{L})|我们|当社|弊社/iu;
const OPENS_MATERIAL =
  /\b(?:access|open|accès|acceso|acesso|zugriff)\b.{0,40}\b(?:report|file|document|attachment|link)/i;

/** Returns whether an organisation says it of itself: "we cannot refund". */
const isForOthers = (sentence: string): boolean =>
  IN_PLURAL.test(sentence) && !isAboutTheOrder(sentence) && !OPENS_MATERIAL.test(sentence);

/** Returns whether the remaining sentences hold figures or list items, which is work of a kind. */
function holdsResult(others: readonly string[]): boolean {
  return (
    others.filter((sentence) => /\d/.test(sentence)).length >= 2 ||
    others.some((sentence) => /\b(?:answer|result|total) (?:is|was|:)|=\s*\S/i.test(sentence))
  );
}

/** The number of a list item, or the name of a form. */
const NO_FIGURE = /^[ \t]*\d{1,2}[.)]|\b\d{1,2}-[KQF]\b|\b(?:item|note|page|p\.) ?\d+/gim;
const FIGURE = /\d[\d.,]*\d|\d/g;
/** An answer in one word, with or without its reason. */
const DIRECT_ANSWER =
  /^(?:yes|no|none|nothing|sí|non|oui|nein|ja|não|sim|没有|不能?|是|はい|いいえ)[.,:;!、。]/iu;

/**
 * Returns whether a text states a figure that is not a year and not taken from the question, or, apart
 * from its refusal, one that the task gives.
 */
function statesNewFigure(
  task: string,
  sentences: readonly string[],
  others: readonly string[],
): boolean {
  const listFigures = (parts: readonly string[]) =>
    (parts.join("\n").replace(NO_FIGURE, "").match(FIGURE) ?? []).filter(
      (figure) => !/^(?:(?:19|20)\d\d|100)$/.test(figure),
    );
  const known = new Set(listFigures([task]));
  return (
    listFigures(sentences).some((figure) => !known.has(figure)) || listFigures(others).length >= 2
  );
}
