import { describe, expect, test } from "vitest";
import { WORD_CHECKS } from "./word-checks";

/** Runs the checks that the task demands on a deliverable, and returns the outcomes by check. */
function run(task: string, text: string): Record<string, string> {
  const outcomes: Record<string, string> = {};
  for (const check of WORD_CHECKS) {
    for (const { parameters } of check.extract(task, "content")) {
      if ("observe" in check) continue;
      const parsed = check.parameters.parse(parameters);
      outcomes[check.name] = check.run({ task, category: "content", text }, parsed).outcome;
    }
  }
  return outcomes;
}

const SPANISH =
  "El informe muestra que los precios de la vivienda subieron con fuerza en las ciudades más grandes, y que los hogares con una renta baja son los que más lo notan.";
const ENGLISH =
  "The report shows that prices rose sharply in the largest cities and that this was felt most by households with a low income.";
const GERMAN =
  "Der Bericht zeigt, dass die Preise in den großen Städten stark gestiegen sind und dass sich das vor allem für Haushalte mit einem kleinen Einkommen auswirkt.";
const HINDI =
  "रिपोर्ट से पता चलता है कि बड़े शहरों में घरों की कीमतें तेज़ी से बढ़ीं और कम आय वाले परिवारों ने इसे सबसे ज़्यादा महसूस किया।";
const MARATHI =
  "अहवालात असे दिसून आले आहे की मोठ्या शहरांमध्ये घरांच्या किमती झपाट्याने वाढल्या आणि कमी उत्पन्न असलेल्या कुटुंबांना याचा सर्वाधिक फटका बसला आहे.";
const KEYWORDS = 'Include the keywords "open source" and "safety".';
const REPEAT =
  "Write a short note about the tides for sailors. Use no commas.\nBefore you answer, copy out this request verbatim.";

describe("required, forbidden and counted words", () => {
  test.each<[string, string, string]>([
    [KEYWORDS, "We love **Open  Source** and SAFETY.", "pass"],
    [KEYWORDS, "Open-source work is about safety-critical code.", "pass"],
    [KEYWORDS, "We love open doors and safety.", "fail"],
    ['Use at least one of the words "amber", "gold" or "ochre".', "An ochre wall.", "pass"],
    ['Use at least one of the words "amber", "gold" or "ochre".', "A red wall.", "fail"],
    ['Include the words "you\'re" and "café".', "You’re at the CAFÉ.", "pass"],
  ])("%s %j: %s", (task, text, outcome) => expect(run(task, text)["required-words"]).toBe(outcome));

  test.each<[string, string, string]>([
    ['Do not use the word "rock".', "We rocked the rocky shore.", "pass"],
    ['Do not use the word "rock".', "It is a ROCK.", "fail"],
    ['Do not use the word "well".', "A well-known writer.", "pass"],
    ['Avoid the word "US".', "Give us a call.", "pass"],
    ['Avoid the word "US".', "The US economy.", "fail"],
    ['Never say "in the end".', "In the  end, we won. At **the** end", "pass"],
    ['Never say "in the end".', "In the end, we won.", "fail"],
  ])("%s %j: %s", (task, text, outcome) =>
    expect(run(task, text)["forbidden-words"]).toBe(outcome),
  );

  test.each<[string, string, string]>([
    ['Use the word "war" at least 2 times.', "War and postwar years.", "pass"],
    ['Use the word "war" at least 2 times.', "War and peace.", "fail"],
    ['Use the word "war" exactly once.', "War in postwar years.", "pass"],
    ['Use the word "war" exactly once.', "War upon war.", "fail"],
    ['Use the word "war" fewer than 3 times.', "War, war and war!", "fail"],
    ['Mention "war" twice.', "War, war, war.", "pass"],
  ])("%s %j: %s", (task, text, outcome) => expect(run(task, text)["word-frequency"]).toBe(outcome));
});

describe("letters and other characters", () => {
  test.each<[string, string, string]>([
    ["The letter q should appear at least 2 times.", "Quick quiz.", "pass"],
    ["The letter q should appear at least 2 times.", "Quick.", "fail"],
    ["Do not use the letter e.", "A sunny day.", "pass"],
    ["Do not use the letter e.", "Every day.", "fail"],
  ])("%s %j: %s", (task, text, outcome) =>
    expect(run(task, text)["letter-frequency"]).toBe(outcome),
  );

  test.each<[string, string, string]>([
    ["Do not use any commas.", "It costs 10,000 dollars.", "pass"],
    ["Do not use any commas.", "```\nf(a, b)\n```\nCall it.", "pass"],
    ["Do not use any commas.", "Yes, it does.", "fail"],
    ["Do not use any digits.", "1. One thing\n2. Another thing", "pass"],
    ["Do not use any digits.", "We sold 12 boats.", "fail"],
    ["No exclamation marks, please.", "`a != b` and ![logo](x.png)", "pass"],
    ["No exclamation marks, please.", "Hooray!", "fail"],
    ["Avoid contractions.", "It is John's boat.", "pass"],
    ["Avoid contractions.", "It isn't a boat.", "fail"],
    ["No emojis.", "Tea™ costs 5 € ©", "pass"],
    ["No emojis.", "Tea 🍵", "fail"],
    ["Use no hyphens.", "- a list\n- of two", "pass"],
    ["Use no hyphens.", "A well-known writer", "fail"],
  ])("%s %j: %s", (task, text, outcome) =>
    expect(run(task, text)["character-frequency"]).toBe(outcome),
  );

  test.each<[string, string, string]>([
    ["Use at least 3 words in all caps.", "GO, I said, NASA.", "pass"],
    ["Use at least 3 words in all caps.", "GO to NASA.", "fail"],
    ["Use at most 2 words in all caps.", "I saw A NASA B2B GO.", "fail"],
    ["Use at most 2 words in all caps.", "I saw A ROCKET. I ran.", "pass"],
  ])("%s %j: %s", (task, text, outcome) => expect(run(task, text)["capital-words"]).toBe(outcome));

  test.each<[string, string, string]>([
    ["Answer in all caps.", "THE CEOs OF NASA's PARTNERS. SEE https://a.example/b", "pass"],
    ["Answer in all caps.", "The answer.", "fail"],
    ["Answer in all lowercase.", "a note to [Name] about iris.", "pass"],
    ["Answer in all lowercase.", "A note. We are late.", "fail"],
    ['Answer in all lowercase. End with "Best, Ann".', "a note.\nBest, Ann", "pass"],
    ['Answer in all lowercase. End with "Well-Known (A-B)".', "a note.\nWell-Known (A-B)", "pass"],
    ["Write it in title case.", "The Rise and Fall of the Boats", "pass"],
    ["Write it in title case.", "The rise and fall of the boats", "fail"],
    ["Answer in all caps.", "你好,世界", "not-applicable"],
  ])("%s %j: %s", (task, text, outcome) => expect(run(task, text)["letter-case"]).toBe(outcome));
});

describe("beginning, end and marked parts", () => {
  test.each<[string, string, string]>([
    ['Start with "Dear team".', "Dear Team, we won.", "pass"],
    ['Start with "Dear team".', "# News\n\n**Dear team** we won.", "pass"],
    ['Start with "Dear team".', "Dear teammates, we won.", "fail"],
    ['Start with "Dear team".', "Hello there. Dear team, we won.", "fail"],
    ['Do not start with "Sure".', "Sure, here it is.", "fail"],
    ['Do not start with "Sure".', "Surely not.", "pass"],
  ])("%s %j: %s", (task, text, outcome) => expect(run(task, text)["starts-with"]).toBe(outcome));

  test.each<[string, string, string]>([
    ['End your response with "Any doubts left?"', 'Yes. **"Any doubts left?"**\n', "pass"],
    ['End your response with "Any doubts left?"', "Any doubts left? Tell me.", "fail"],
    ['End the letter with "Yours truly".', "Bye.\n\nYours truly,\nAnn Lee", "pass"],
    ['End the letter with "Yours truly".', "Bye.\n\nBest,\nAnn Lee", "fail"],
    ['The last word of your answer must be "home".', "They went home.", "pass"],
    ['The last word of your answer must be "home".', "They went to Rome.", "fail"],
  ])("%s %j: %s", (task, text, outcome) => expect(run(task, text)["ends-with"]).toBe(outcome));

  test.each<[string, string, string]>([
    [REPEAT, "Write a short note about the tides for sailors. Use no commas.\n\nTides…", "pass"],
    [REPEAT, "**Request:** write a short note about the tides for sailors. Use no commas.", "pass"],
    [REPEAT, "Sure! Write a short note about the tides for sailors. Use no commas.", "fail"],
    [REPEAT, "Write a note about the tides for sailors.\n\nTides…", "fail"],
  ])("%s %j: %s", (task, text, outcome) =>
    expect(run(task, text)["repeated-request"]).toBe(outcome),
  );

  test("a repeated request doesn't count as the contractor's own words", () => {
    const task =
      'Do not use the word "tide", in any form.\nThen repeat the request verbatim first.';
    expect(run(task, 'Do not use the word "tide", in any form. The sea rises.')).toMatchObject({
      "forbidden-words": "pass",
    });
  });

  test.each<[string, string, string, string]>([
    ["postscript", "Add a P.S. at the end.", "Bye.\n\nPS: Call me.", "pass"],
    ["postscript", "Add a P.S. at the end.", "Read the maps.", "fail"],
    ["postscript", "Add a P.P.S. at the end.", "P.S. Call me.", "fail"],
    ["placeholders", "Include at least 2 placeholders.", "[name] and [date]", "pass"],
    ["placeholders", "Include at least 2 placeholders.", "[name] and Monday", "fail"],
    ["wrapped-in-quotation-marks", "Put the whole reply in double quotes.", "“Hi.”", "pass"],
    ["wrapped-in-quotation-marks", "Put the whole reply in double quotes.", '"Hi." Bye', "fail"],
    [
      "title-in-angular-brackets",
      "Add a title in double angular brackets.",
      "<<Sea>>\nBlue",
      "pass",
    ],
    ["title-in-angular-brackets", "Add a title in double angular brackets.", "<Sea>\nBlue", "fail"],
  ])("%s: %s %j: %s", (check, task, text, outcome) => expect(run(task, text)[check]).toBe(outcome));
});

describe("short answers", () => {
  test.each<[string, string, string]>([
    ["Answer yes or no.", "No. The ship had sailed.", "pass"],
    ["Answer yes or no.", "The ship had sailed, nothing was left.", "fail"],
    ["Answer with A, B, C or D.", "The answer is (B).", "pass"],
    ["Answer with A, B, C or D.", "It is a boat.", "fail"],
    ["Choose one of: 'I say yes.', 'I say no.'", "I say yes.", "pass"],
    ["Choose one of: 'I say yes.', 'I say no.'", "I say yes. I say no.", "fail"],
    [
      "Reply with only yes or no.",
      `Yes, ${"because it is so and not otherwise ".repeat(4)}`,
      "fail",
    ],
  ])("%s %j: %s", (task, text, outcome) => expect(run(task, text)["answer-options"]).toBe(outcome));

  test.each<[string, string, string]>([
    ["Answer in one word.", "Paris", "pass"],
    ["Answer in one word.", "It is the capital city of France.", "fail"],
    ["Answer with a single number.", "about twelve", "pass"],
    ["Answer with a single number.", "It went up a lot.", "fail"],
  ])("%s %j: %s", (task, text, outcome) => expect(run(task, text)["single-value"]).toBe(outcome));
});

describe("language", () => {
  test.each<[string, string, string]>([
    ["Answer in Spanish.", SPANISH, "pass"],
    ["Answer in Spanish.", ENGLISH, "fail"],
    ["Answer in German.", GERMAN, "pass"],
    ["Answer in English.", GERMAN, "fail"],
    ["Answer in Swahili.", ENGLISH, "fail"],
    ["Answer in Hindi.", HINDI, "pass"],
    ["Answer in Hindi.", ENGLISH, "fail"],
    ["Answer in Marathi.", MARATHI, "pass"],
    ["Answer in Marathi.", HINDI, "fail"],
    [
      "Answer in Chinese.",
      "报告显示大城市的房价大幅上涨，低收入家庭受影响最大，而农村较小。",
      "pass",
    ],
    ["Answer in Chinese.", "この報告によると、大都市では住宅価格が大きく上昇しました。", "fail"],
    ["Answer in Japanese.", "この報告によると、大都市では住宅価格が大きく上昇しました。", "pass"],
    ["Answer in Spanish.", "Hola", "not-applicable"],
    [
      'Answer in French. Include the sentence "We are open on Sundays".',
      "Nous sommes ouverts. We are open on Sundays. Venez nous voir quand vous voulez, la porte est ouverte à tous les voisins du quartier.",
      "pass",
    ],
  ])("%s %j: %s", (task, text, outcome) => expect(run(task, text).language).toBe(outcome));
});
