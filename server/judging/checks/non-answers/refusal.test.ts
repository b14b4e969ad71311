import { describe, expect, test } from "vitest";
import { REFUSAL } from "./refusal";

const TASK = "Summarise the quarterly report for the board in plain words.";
const FIGURES =
  "| year | 2019 | 2018 |\n| revenue | 100.5 | 90.1 |\nWhat was the percentage change in revenue from 2018 to 2019?";
const run = (task: string, text: string) =>
  REFUSAL.run({ task, category: "content", text }, {}).outcome;

describe("a refusal", () => {
  test.each([
    "I'm sorry, but I can't help with that.",
    "I’m sorry, I cannot assist with this request.",
    "Sorry, I am unable to complete this task.",
    "As an AI language model, I cannot browse the internet.",
    "I cannot access external links, so please paste the report.",
    "I'm afraid I can't provide a summary of the report.",
    "Unfortunately, I am not able to fulfil your request at this time.",
    "I won't be able to do this.",
    "**I cannot comply with this request.**",
    "We were not able to access the report. Please upload it again.",
    "I was unable to retrieve the file, so no summary was produced.",
    "I must respectfully decline this task.",
    "I lack access to the quarterly report.",
    "The request could not be completed.",
    "This task cannot be completed without the report.",
    "Unable to process the request.",
    "Error: unable to open the report.",
    "The assistant was not able to open the report.",
    "I have not been able to read the document.",
    "I couldn't find the report you mention. Could you share it?",
    "I don't have access to the report. If you paste the text here, I'd be happy to help.",
    "As of my last update, I don't have information about this report. Please consult the company's website for the most recent figures.",
    "No information is available to write the summary.",
    "Thank you for reaching out. Unfortunately we can't provide this summary. We apologise for any inconvenience.",
    "The quarterly report is an important document. I was not able to open the attachment, so I have nothing to add.",
    "Lo siento, pero no puedo ayudar con esto.",
    "Es tut mir leid, aber dabei kann ich leider nicht helfen.",
    "Ich habe leider keinen Zugriff auf den Bericht.",
    "Je suis désolé, je ne peux pas vous aider.",
    "Mi dispiace, ma non posso aiutarti con questa richiesta.",
    "Desculpe, mas não posso ajudar com isso.",
    "Het spijt me, maar ik kan je hier niet mee helpen.",
    "Przykro mi, ale nie mogę pomóc.",
    "К сожалению, я не могу помочь с этим запросом.",
    "我很抱歉，我无法访问该文件。请您提供文本。",
    "申し訳ありませんが、そのリクエストには対応できません。",
    "죄송합니다. 요청하신 내용을 제공할 수 없습니다.",
    "عذرا، لا أستطيع المساعدة في هذا الطلب.",
    "Üzgünüm, bu konuda yardımcı olamıyorum.",
    "Maaf, saya tidak dapat membantu permintaan ini.",
  ])("%s", (text) => expect(run(TASK, text)).toBe("fail"));

  test.each([
    "The provided table does not contain enough information to calculate the percentage change in revenue.",
    "It is not possible to determine the change from the data given. More information is needed.",
    "Based on the text provided, the answer cannot be determined.",
    "The text does not provide revenue for 2018. Therefore, the percentage change cannot be calculated.",
  ])("is a claim that given data are missing: %s", (text) => {
    expect(run(FIGURES, text)).toBe("fail");
  });

  test.each<[string, string]>([
    [
      "a review that advises against",
      "I cannot recommend merging this change: the lock is taken twice.",
    ],
    [
      "a finding about access",
      "I cannot access the database from the staging subnet: port 5432 is closed there.",
    ],
    [
      "a quoted refusal",
      "The bot answered \"I'm sorry, but I can't help with that\" in 12 of 40 chats.",
    ],
    [
      "a remark further down",
      `The quarter was good. ${"Sales rose again. ".repeat(5)}I cannot provide 2027 figures.`,
    ],
    [
      "a remark at the start of a long answer",
      `I cannot provide legal advice, but here is the summary. ${"The clause binds both sides. ".repeat(30)}`,
    ],
    [
      "a remark before short work in one sentence",
      "I can't give you investment advice, but revenue is up 4 % and costs are down, so the quarter was good.",
    ],
    [
      "an open point next to work",
      "We could not confirm the March figure. Revenue rose 4% to 12.1 million and costs fell 2% on lower freight rates.",
    ],
    [
      "news of another company",
      "The company was unable to deliver 40 orders in May; revenue fell by 3% and the board should expect a weak June.",
    ],
    ["ordinary work", "Revenue rose by four percent; costs fell."],
    [
      "a remark before a longer text",
      "I was unable to open the attached file. The main report says that sales grew in every region, that freight became cheaper, and that the board should open a second warehouse before the end of the year. Staff numbers stay as they are.",
    ],
  ])("is not %s", (_, text) => expect(run(TASK, text)).toBe("pass"));

  test.each<[string, string, string]>([
    [
      "a refusal that was requested",
      "Write a short reply that declines the meeting.",
      "I'm sorry, but I can't help with the meeting.",
    ],
    [
      "an answer to whether something is there",
      "Does the contract mention a penalty?",
      "No, the contract does not mention a penalty.",
    ],
    [
      "a line of a poem",
      "Write a poem about the sea.",
      "I cannot find the words to say\nhow blue the sea is today.",
    ],
    [
      "an answer that the task allows",
      "Who won? If the answer is not in the passage, say so.",
      "The passage does not provide this information.",
    ],
    [
      "an answer about a text",
      "What does the report say about churn?",
      "The report does not mention churn.",
    ],
    ["an answer with a remark", FIGURES, "11.5%. The table does not contain 2017."],
    [
      "a translated refusal",
      "Translate into French: I cannot help you.",
      "Je ne peux pas vous aider.",
    ],
    [
      "an answer that the task allows in Japanese",
      "誰が勝ちましたか。記載がない場合はそう答えてください。",
      "資料には記載されていません。",
    ],
    [
      "a letter that declines an order on behalf of the shop",
      "Write an email to a customer whose order is out of stock.",
      "Dear Ms Lane,\n\nUnfortunately we are unable to provide the lamp you ordered. We apologise.\n\nKind regards,\nThe shop",
    ],
    [
      "an answer to a question about a contract in a long task",
      `The parties agree. ${"The tenant pays rent. ".repeat(60)}\nWhat is the penalty? If it is not stated, say so.`,
      "The contract does not state a penalty.",
    ],
  ])("is not %s", (_, task, text) => expect(run(task, text)).not.toBe("fail"));
});

describe("a refusal to state a figure", () => {
  const question = "What was the FY2019 net revenue of the company in million USD?";

  test.each([
    "As of my last update, I don't have access to this filing. Companies usually publish such figures in their annual report, in the income statement. You would need to look at the line for net revenue and compare it with the year before. I recommend that you check the investor relations page.",
    "The document does not provide the net revenue for 2019.",
    "I'm unable to determine the FY2019 net revenue. To calculate it, you would need the gross revenue and the returns. Net revenue is gross revenue after returns and allowances, which the notes to the statements explain.",
    "Lo siento, no puedo proporcionar esa cifra. Por favor, consulte el informe anual.",
    "Leider kann ich diese Zahl nicht bereitstellen. Bitte sehen Sie im Geschäftsbericht nach.",
    "Malheureusement, je ne peux pas fournir ce chiffre. Veuillez consulter le rapport annuel.",
    "Infelizmente, não posso fornecer esse valor. Por favor, consulte o relatório anual.",
    "很抱歉，我无法提供该数据。请您查阅年度报告。",
    "申し訳ございませんが、その数値は提供できません。年次報告書をご確認ください。",
  ])("fails however long it is: %s", (text) => expect(run(question, text)).toBe("fail"));

  test.each([
    "I don't have access to the filing itself, but net revenue was 4,215 million USD.",
    "The document does not state it directly. Gross revenue of 4,300 less returns of 85 gives 4,215 million USD.",
  ])("is no answer with a figure: %s", (text) => expect(run(question, text)).not.toBe("fail"));
});

// cspell:ignore gracias

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
