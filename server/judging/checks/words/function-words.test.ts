// cspell:disable
import { expect, test } from "vitest";
import { hasForeignFunctionWords } from "./function-words";

test.each([
  ["The report is ready.", "fra"],
  ["The tide rises and falls with the moon.", "swe"],
  ["We are glad that you are here.", "deu"],
  ["Der Bericht ist fertig und liegt auf dem Tisch.", "eng"],
  ["Les marées montent avec la lune, et elle est pleine.", "spa"],
])("is foreign: %s (%s)", (text, code) =>
  expect(hasForeignFunctionWords(text, code, [])).toBe(true),
);

test.each([
  ["Le rapport est prêt.", "fra"],
  ["Nous avons lu « The Lord of the Rings » avec les enfants.", "fra"],
  ["Wir haben The North Face und The Body Shop besucht.", "deu"],
  ["Han er for at have to is, og det er en god idé.", "dan"],
  ["Na stole i do szafy, o tym na pewno.", "pol"],
  ["Dit is warm of koud, en dit is goed.", "afr"],
  ["Bonjour le monde", "eng"],
])("is not clearly foreign: %s (%s)", (text, code) =>
  expect(hasForeignFunctionWords(text, code, [])).toBe(false),
);
