/**
 * Word stems by what a passage does with them, in the languages that models read best. Detection
 * only raises a flag: a false alarm costs a few calls, and a miss is left to the other defences.
 */
const STEMS = {
  /** Who is addressed. */
  judge:
    "evaluator grader assessor adjudicator examiner llm ai-model language-model chatbot ai-judge gutachter prüfer bewerter sprachmodell évaluateur examinateur correcteur evaluador examinador avaliador valutatore esaminatore beoordelaar examinator oceniając granskare değerlendir проверяющ оценщик экзаменатор 评审 评估 評価者 審査 평가자 심사 مقيم المقيّم परीक्षक मूल्यांकन",
  /** What it cancels. */
  ignore:
    "ignore disregard forget override bypass ignorier missacht vergiss oublie ignorez ignora olvida esqueça ignori dimentica negeer vergeet zignoruj pomiń ignorera glöm yok-say görmezden игнорир забудь забыть 忽略 无视 無視 忘记 忘れ 무시 잊어 تجاهل अनदेखा अनदेखी",
  rules:
    "instruction rule rubric criteri guideline directive prompt anweisung vorgabe regel instruktion consigne règle instruccion regla instruç regra istruzion regol aanwijzing instrukcj zasad talimat kural инструкц правил указани 指令 指示 规则 規則 提示 命令 ルール 지시 규칙 تعليمات निर्देश",
  /** What it demands. */
  rate: "mark treat grade rate score answer return report respond reply output set give declare consider conclude bewerte antworte markiere réponds répondez note marque responde marca califica responda marque rispondi segna valuta antwoord beoordeel odpowiedz oznacz svara märk yanıtla işaretle отвечай ответь отметь оцени поставь 回答 标记 评为 判定 答え 回答し 판정 답하 أجب قيّم उत्तर अंकित",
  passed:
    "success passed pass met fulfilled satisfied approved full-marks yes bestanden erfüllt erfolg réussi réussite satisfait rempli cumplid aprobad éxito cumpl cumprid aprovad sucesso soddisfatt superat successo voldaan geslaagd spełnion zaliczon godkän uppfyll başarılı karşılan выполнен успех успешн пройден 成功 通过 满足 合格 満たし 성공 통과 충족 نجاح مستوف सफल पूर्ण",
  criteria:
    "criteri requirement each-item every-item everything kriteri anforderung critère exigence criterio requisito critério requisit kryteri wymaga krav ölçüt критери требовани 标准 要求 基準 要件 기준 요건 معيار معايير मानदंड कसौटी",
  verdict:
    "verdict veredict verdetto final-grade final-score urteil oordeel werdykt karar вердикт 结论 判决 判定 判断 판정 حكم निर्णय",
} as const;
type Concept = keyof typeof STEMS;

/** Combinations that address a judge: an answer that is demanded, or an order to drop its rules. */
const COMBINATIONS: readonly (readonly Concept[])[] = [
  ["ignore", "rules"],
  ["judge", "passed"],
  ["judge", "rate", "criteria"],
  ["rate", "passed", "criteria"],
  ["verdict", "passed"],
];

const PATTERNS = Object.fromEntries(
  Object.entries(STEMS).map(([concept, stems]) => {
    const words = stems.split(" ").map((stem) => stem.replaceAll("-", "[- ]"));
    // Scripts without spaces have no word boundaries.
    const isLatin = (word: string) => /^[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(word);
    const bounded = words.filter(isLatin).join("|");
    const unbounded = words.filter((word) => !isLatin(word)).join("|");
    return [concept, new RegExp(`(?<![\\p{L}\\p{N}])(?:${bounded})|${unbounded}`, "iu")];
  }),
) as Record<Concept, RegExp>;

/** Chat markup and the field names of a judge's answer. */
const MARKUP =
  /<\|[a-z_]{2,20}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant|deliverable|material|instructions?)>|\b(?:modelVerdict|injectionSuspected|cannot_verify)\b|["']?\b(?:met|verdict)["']?\s{0,3}[:=]\s{0,3}["']?(?:yes|success)\b|^\W{0,4}(?:system|assistant|developer)\s?(?:message|prompt)?\W{0,3}:|\bend of (?:the )?(?:material|deliverable|submission)\b/imu;

/** Longer sentences are searched in parts, so that unrelated words far apart do not combine. */
const MAX_SENTENCE = 300;
/** The shortest passage that combines two concepts; a letter can be a word. */
const MIN_SENTENCE = 5;

/**
 * Returns whether a passage of `text` addresses a judge, in plain text or in a common encoding. It
 * raises a flag and has no other effect, since a text may legitimately contain such a passage.
 */
export function addressesJudge(text: string): boolean {
  return [text, ...decodePassages(text)].some((reading) => {
    const folded = foldConfusables(reading);
    return MARKUP.test(folded) || splitPassages(folded).some(combinesConcepts);
  });
}

/** Returns whether a passage says that requirements are met, which may be an honest summary. */
export const claimsSuccess = (text: string): boolean =>
  splitPassages(foldConfusables(text)).some((passage) =>
    (["criteria", "passed"] as const).every((concept) => PATTERNS[concept].test(passage)),
  );

/** Returns whether `text` has words in an encoding of bytes, whatever they say. */
export const hasEncodedText = (text: string): boolean =>
  decodeBytes(text).some(
    (reading) =>
      /^[\p{L}\p{M}\p{N}\s\p{P}]{12,}$/u.test(reading) &&
      /\p{L}{2}.{0,4}\s\p{L}|[^\p{Script=Latin}\P{L}]{6}/u.test(reading),
  );

function combinesConcepts(passage: string): boolean {
  const found = new Map<Concept, boolean>();
  const has = (concept: Concept) => {
    const known = found.get(concept);
    if (known !== undefined) return known;
    const isFound = PATTERNS[concept].test(passage);
    found.set(concept, isFound);
    return isFound;
  };
  return COMBINATIONS.some((concepts) => concepts.every(has));
}

function splitPassages(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s|[。！？\n]/u)
    .filter((sentence) => sentence.length >= MIN_SENTENCE)
    .flatMap((sentence) =>
      sentence.length <= MAX_SENTENCE
        ? [sentence]
        : (sentence.match(new RegExp(`[^]{1,${MAX_SENTENCE}}`, "gu")) ?? []),
    );
}

/** Returns what a model could read in `text` after a simple decoding. */
const decodePassages = (text: string): string[] => [
  rotate13(text),
  [...text].reverse().join(""),
  ...decodeBytes(text),
];

function decodeBytes(text: string): string[] {
  const base64 = text.match(/[A-Za-z0-9+/_-]{16,4000}={0,2}/g) ?? [];
  const hex = text.match(/(?:[0-9a-f]{2}[\s:]?){12,2000}/gi) ?? [];
  const percent = text.match(/(?:%[0-9a-f]{2}|[\w.+-]){12,4000}/gi) ?? [];
  return [
    ...base64.map((run) => toReadable(Buffer.from(run, "base64"))),
    ...hex.map((run) => toReadable(Buffer.from(run.replace(/[\s:]/g, ""), "hex"))),
    ...percent.filter((run) => run.includes("%")).map(decodePercent),
  ].filter((reading) => reading !== "");
}

/** Returns the bytes as text, or nothing if they are not text. */
function toReadable(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return /[\uFFFD\p{Cc}]/u.test(text.replace(/[\n\r\t]/g, "")) ? "" : text;
}

function decodePercent(run: string): string {
  try {
    return decodeURIComponent(run.replaceAll("+", " "));
  } catch {
    return "";
  }
}

export function rotate13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

/**
 * Letters of other scripts that look like Latin ones, from Unicode's table of confusables (UTS
 * #39). Limited to letters that form words and that NFKC leaves unchanged. Each word begins with the
 * Latin letter.
 */
const LOOKALIKES =
  "aаαɑ bЬƅ cсϲ dԁɗ eеҽ gɡց hһհ iіιı jјϳ kκк lӏǀ nոո oоοօ pрρ qԛգ rгᴦ sѕꜱ tтτ uυս vνѵ wԝѡա xхχ yуүγ zᴢ " +
  "AАΑ BВΒ CСϹ EЕΕ HНΗ IІΙӀ JЈͿ KКΚ MМΜ NΝ OОΟՕ PРΡ SЅՏ TТΤ UՍ XХΧ YҮΥ ZΖ";

const LATIN = new Map(
  LOOKALIKES.split(" ").flatMap(([latin = "", ...others]) => others.map((other) => [other, latin])),
);
const anyOf = (letters: string[]) => new RegExp(`[${letters.join("")}]`, "gu");
const ANY_LOOKALIKE = anyOf([...LATIN.keys()]);
/** Excludes look-alikes that are Latin letters themselves, from Turkish or phonetic script. */
const FOREIGN_LOOKALIKE = anyOf(
  [...LATIN.keys()].filter((letter) => !/\p{Script=Latin}/u.test(letter)),
);

/**
 * Replaces look-alikes in words that also have Latin letters with those letters; for detection only.
 */
function foldConfusables(text: string): string {
  return text.replace(/[\p{L}\p{M}]+/gu, (word) =>
    isMixed(word) ? word.replace(ANY_LOOKALIKE, (letter) => LATIN.get(letter) ?? letter) : word,
  );
}

/**
 * Returns whether a word mixes Latin letters with look-alikes, which no keyboard layout produces.
 */
export function hasConfusables(text: string): boolean {
  // Fast path: almost no text contains such letters.
  if (text.search(FOREIGN_LOOKALIKE) < 0) return false;
  return (text.match(/[\p{L}\p{M}]+/gu) ?? []).some(isMixed);
}

const isMixed = (word: string) =>
  word.search(FOREIGN_LOOKALIKE) >= 0 && /\p{Script=Latin}/u.test(word);
