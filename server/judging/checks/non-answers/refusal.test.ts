import { describe, expect, test } from "vitest";
import type { Category } from "@/server/lib/schema";
import { REFUSAL } from "./refusal";

// cspell:disable

const TASK = "Summarise the quarterly report for the board in plain words.";
const run = (task: string, text: string, category: Category = "content") =>
  REFUSAL.run({ task, category, text }, {}).outcome;

describe("a refusal", () => {
  test.each([
    "I'm sorry, but I can't help with that.",
    "I’m sorry, I cannot assist with this request.",
    "As an AI language model, I cannot browse the internet.",
    "I cannot access external links, so please paste the report.",
    "I won't be able to do this.",
    "**I cannot comply with this request.**",
    "We were not able to access the report. Please upload it again.",
    "I must respectfully decline this task.",
    "I lack access to the quarterly report.",
    "The request could not be completed.",
    "Error: unable to open the report.",
    "The assistant was not able to open the report.",
    "I don't have access to the report. If you paste the text here, I'd be happy to help.",
    "Thank you for reaching out. Unfortunately we can't provide this summary. We apologise for any inconvenience.",
    "The quarterly report is an important document. I was not able to open the attachment, so I have nothing to add.",
    "No attachment was included with your message, so I can't summarise it. Please attach the file.",
    "I tried to open the report but the link returned an error, so the summary was not done.",
    "This task requires information I don't have. Please provide the figures.",
    "Task failed: context length exceeded.",
    "Could you please share the numbers? Once I have them, I'll write the summary.",
    "Got it. I'll prepare the summary and send it to you shortly.",
    '{"status": "error", "message": "I am unable to process this request."}',
    "Mi dispiace, ma non posso aiutarti con questa richiesta.",
    "Het spijt me, maar ik kan je hier niet mee helpen.",
    "Przykro mi, ale nie mogę pomóc.",
    "К сожалению, я не могу помочь с этим запросом.",
    "죄송합니다. 요청하신 내용을 제공할 수 없습니다.",
    "عذرا، لا أستطيع المساعدة في هذا الطلب.",
    "Üzgünüm, bu konuda yardımcı olamıyorum.",
    "Maaf, saya tidak dapat membantu permintaan ini.",
  ])("%s", (text) => expect(run(TASK, text)).toBe("fail"));

  test.each([
    "I cannot recommend merging this change: the lock is taken twice.",
    "I cannot access the database from the staging subnet: port 5432 is closed there.",
    "The bot answered \"I'm sorry, but I can't help with that\" in 12 of 40 chats.",
    `The quarter was good. ${"Sales rose again. ".repeat(5)}I cannot provide 2027 figures.`,
    `I cannot provide legal advice, but here is the summary. ${"The clause binds both sides. ".repeat(30)}`,
    "I can't give you investment advice, but revenue is up 4 % and costs are down, so the quarter was good.",
    "We could not confirm the March figure. Revenue rose 4% to 12.1 million and costs fell 2% on lower freight rates.",
    "The company was unable to deliver 40 orders in May; revenue fell by 3% and the board should expect a weak June.",
    "I was unable to open the attached file. The main report says that sales grew in every region, that freight became cheaper, and that the board should open a second warehouse before the end of the year. Staff numbers stay as they are.",
    "The team was unable to agree on a date. Nina will ask the venue. The budget was approved.",
    "The provided table does not contain the revenue of 2018.",
  ])("is not %s", (text) => expect(run(TASK, text)).toBe("pass"));

  test.each([
    ["Write a short reply that declines the meeting.", "I'm sorry, but I can't help with it."],
    ["Write a poem about the sea.", "I cannot find the words to say\nhow blue the sea is today."],
    ["Translate into French: I cannot help you.", "Je ne peux pas vous aider."],
    [
      "Write an email to a customer whose order is out of stock.",
      "Dear Ms Lane,\n\nUnfortunately we are unable to provide the lamp you ordered. We apologise.\n\nKind regards,\nThe shop",
    ],
    [
      "Write an error message for a failed login.",
      "We could not sign you in. Check your password and try again.",
    ],
    [
      "Review the pull request.",
      "I can't approve this yet. The lock is released before the write.",
    ],
    [
      "Which segment is most profitable?\nA: revenue 10, profit 2\nB: revenue 20, profit 3\nC: no profit given",
      "A, as far as the table goes. C's profit is missing, so I can't say whether it is the most profitable segment.",
    ],
    ["Schreibe einen Satz für die Fehlerseite.", "Diese Seite konnten wir nicht finden."],
    ["誰が勝ちましたか。記載がない場合はそう答えてください。", "資料には記載されていません。"],
  ])("was asked for, or only sounds like one: %s %s", (task, text) =>
    expect(run(task, text)).not.toBe("fail"),
  );
});

describe("a refusal to state a figure", () => {
  const question = "What was the FY2019 net revenue of the company in million USD?";

  test.each([
    "As of my last update, I don't have access to this filing. Companies usually publish such figures in their annual report, in the income statement. You would need to look at the line for net revenue and compare it with the year before. I recommend that you check the investor relations page.",
    "Sorry, I can't answer this without the filing. Could you share the relevant page?",
    "I would need to see the 10-K to answer this question.",
    "Lo siento, no puedo proporcionar esa cifra. Por favor, consulte el informe anual.",
    "很抱歉，我无法提供该数据。请您查阅年度报告。",
  ])("fails however long it is: %s", (text) => expect(run(question, text, "finance")).toBe("fail"));

  test.each([
    "I don't have access to the filing itself, but net revenue was 4,215 million USD.",
    "Net revenue was $412 million. I can't verify it without the filing.",
    "None. It could not provide for an impairment.",
    "The document does not provide the net revenue for 2019.",
  ])("is no answer with a figure, or that there is none: %s", (text) =>
    expect(run(question, text, "finance")).not.toBe("fail"),
  );
});

test.each([
  ["Write a blog post about urban gardening.", "ok"],
  ["Write a blog post about urban gardening.", "LGTM!"],
  ["Write a blog post about urban gardening.", "…"],
  ["Write a blog post about urban gardening.", "See attached file."],
  ["Write a blog post about urban gardening.", "N/A"],
  ["Write a blog post about urban gardening.", "I don't know."],
  ["Is water wetter than ice? Yes or no?", "ok"],
  ["Name the deepest lake on Earth.", "Error: request timed out after 30000 ms"],
  ["List two causes of a paper jam.", "1.\n2."],
])("a stock reply is no work: %s %s", (task, text) => expect(run(task, text)).toBe("fail"));

test.each([
  ["Is 7 a prime number?", "Yes.", "not-applicable"],
  ["Which planet is the largest? Answer in one word.", "None", "not-applicable"],
  ["If there is nothing to change in the diff, reply with LGTM.", "LGTM", "not-applicable"],
  ["Describe your mood with a single emoji.", "👍", "not-applicable"],
  ["Explain where the mayor lives.", "Paris", "pass"],
  ["Explain where the mayor lives.", "[]", "pass"],
])("a short answer may be right: %s %s", (task, text, outcome) =>
  expect(run(task, text)).toBe(outcome),
);
