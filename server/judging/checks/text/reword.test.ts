// cspell:disable
import { describe, expect, test } from "vitest";
import { COUNT_CHECKS } from "@/server/judging/checks/counts/count-checks";
import { WORD_CHECKS } from "@/server/judging/checks/words/word-checks";
import { rewordDemands } from "./reword";

/** Describes every requirement that the checks of counts and words find in a task. */
const listRequirements = (task: string): string[] =>
  [...COUNT_CHECKS, ...WORD_CHECKS].flatMap((check) =>
    check.extract(task, "content").map(({ parameters }) => check.describe(parameters)),
  );

describe("demands are found in German, Spanish and misspelt English", () => {
  test.each<[string, ...string[]]>([
    ["Schreibe eine Einladung. Höchstens 50 Wörter.", "At most 50 words"],
    ["Erkläre in genau drei Sätzen, was eine Wärmepumpe ist.", "Exactly 3 sentences"],
    ["Beschreibe den Hafen in zwei Absätzen.", "Exactly 2 paragraphs"],
    ["Zwischen 80 und 120 Wörter über Bienen.", "80 to 120 words"],
    ["Beschreibe Bienen mit mindestens 60 Wörtern.", "At least 60 words"],
    ["Beschreibe Bienen. Verwende kein Ausrufezeichen.", "No exclamation marks"],
    ["Beschreibe Bienen ohne Kommas.", "No commas"],
    ["Antworte komplett in Großbuchstaben: Warum ist der Himmel blau?", "All in capital letters"],
    ["Escribe un saludo. No uses más de 30 palabras.", "At most 30 words"],
    ["Explica la fotosíntesis en dos frases.", "Exactly 2 sentences"],
    ["Escribe una carta de entre 100 y 150 palabras, sin comas.", "100 to 150 words", "No commas"],
    ["Describe las abejas. 40 palabras como máximo.", "At most 40 words"],
    ["Sumarize the plot of Hamlet in excatly 2 sentances.", "Exactly 2 sentences"],
    ["Describe bees in atleast 80 wrods.", "At least 80 words"],
  ])("%s", (task, ...requirements) => {
    expect(listRequirements(task)).toEqual(requirements);
  });

  test.each([
    ["Das Wort „Grillen“ muss vorkommen.", 'the word "Grillen" must appear.'],
    ["Das Wort „Team“ ist verboten.", 'the word "Team" is forbidden.'],
    ["Verwende nicht das Wort „Team“.", 'do not use the word "Team".'],
    ["Beende die Antwort mit dem Satz: Gute Fahrt!", 'end the answer with "Gute Fahrt!"'],
    ["Antworte auf Deutsch.", "answer in German."],
    ["Incluye la palabra «masa».", "include the word «masa»."],
    ["Escribe sin usar la palabra «masa».", "Escribe without using the word «masa»."],
    ["Responde en español.", "answer in Spanish."],
    ['- last line: "Bye."', '- End with "Bye."'],
  ])("%s", (text, english) => expect(rewordDemands(text)).toBe(english));
});

test.each([
  "Write the menu of a bar with dos and don'ts.",
  "Write about die-cast cars in the USA, unter den Linden and so on.",
  "Kein Komma nach der Grußformel, bitte.",
  'The first line: "Roses are red" is a quotation.',
])("other texts stay as they are: %s", (text) => expect(rewordDemands(text)).toBe(text));
