// cspell:ignore gracias
import { expect, test } from "vitest";
import { STOCK_REPLY_CHECK } from "./refusal";

const run = (task: string, text: string) =>
  STOCK_REPLY_CHECK.run({ task, category: "content", text }, {}).outcome;

test.each([
  "ok",
  "OK.",
  "LGTM",
  "LGTM!",
  "…",
  "...",
  "Done.",
  "see attached",
  "See attached file.",
  "N/A",
  "👍",
  "Here you go!",
  "I don't know.",
])("a stock reply is no work: %s", (text) =>
  expect(run("Write a blog post about urban gardening.", text)).toBe("fail"),
);

test.each([
  ["Is water wetter than ice? Yes or no?", "ok"],
  ["What is six times seven?", "…"],
  ["Name the deepest lake on Earth.", "Error: request timed out after 30000 ms"],
  ["List two causes of a paper jam.", "1.\n2."],
  ["Which port does HTTPS use?", "See attached."],
])("a stock reply is no answer: %s %s", (task, text) => expect(run(task, text)).toBe("fail"));

test.each([
  ["Is 7 a prime number?", "Yes."],
  ["Which planet is the largest? Answer in one word.", "None"],
  ["Review the diff. If there is nothing to change, reply with LGTM.", "LGTM"],
  ["Describe your mood with a single emoji.", "👍"],
  ["Does the contract mention a fee?", "No"],
  ["List the open issues; say so if there are none.", "None."],
  ["Translate 'gracias' into English.", "Thanks"],
])("a short answer may be right: %s %s", (task, text) =>
  expect(run(task, text)).toBe("not-applicable"),
);

test.each([
  "42",
  "Paris",
  "[]",
  "{}",
  "It is done by the mayor.",
  "See attached figures: 3, 4 and 5.",
])("other short answers pass: %s", (text) =>
  expect(run("Explain where the mayor lives.", text)).toBe("pass"),
);
