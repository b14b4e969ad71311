import { describe, expect, test } from "vitest";
import type { Category } from "@/server/lib/schema";
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

// cspell:disable
const EPS = "What was Ostrander Corp's diluted EPS for fiscal 2021? Use the 10-K.";

test.each<[task: string, text: string, category: Category]>([
  [
    EPS,
    "I don't have access to Ostrander Corp's 10-K filing for fiscal 2021. To find the diluted EPS, go to the SEC's EDGAR database, search for the company, open the 10-K and look at the consolidated statements of income.",
    "finance",
  ],
  [
    EPS,
    "Based on the information provided, the diluted EPS for fiscal 2021 is not stated.",
    "finance",
  ],
  [
    EPS,
    "The excerpt provided does not include the income statement, so diluted EPS cannot be determined.",
    "finance",
  ],
  [
    EPS,
    "Sorry, I can't answer this without the filing. Could you share the relevant page?",
    "finance",
  ],
  [
    EPS,
    "As of my knowledge cutoff in 2023, I don't have specific details about this company's EPS. I'd suggest checking its investor relations page, or a financial data provider such as Bloomberg.",
    "finance",
  ],
  [EPS, "This question cannot be answered from the context given.", "finance"],
  [EPS, "Insufficient data to answer.", "finance"],
  [EPS, "N/A - not enough information", "finance"],
  [EPS, "I would need to see the 10-K to answer this question.", "finance"],
  [EPS, "The answer is not available in the provided documents.", "finance"],
  [
    EPS,
    "Without access to the 10-K, it's not possible for me to give the diluted EPS. However, here is how you would compute it: net income divided by the weighted average diluted share count.",
    "finance",
  ],
  [
    "Write a Terraform module for an S3 bucket with versioning and a lifecycle rule.",
    "I'm unable to write Terraform code for you, but I can explain what a module is if that would help.",
    "infra",
  ],
  [
    "Write a Terraform module for an S3 bucket with versioning.",
    "I cannot generate infrastructure code. Please consult the HashiCorp documentation or hire a DevOps engineer.",
    "infra",
  ],
  [
    "Review this contract clause for risk: 'The supplier may change prices at any time.'",
    "I'm not a lawyer and cannot provide legal advice. Please consult a qualified attorney.",
    "legal",
  ],
  [
    "Review this contract clause for risk: 'The supplier may change prices at any time.'",
    "As an AI, I can't review contracts. It's best to speak to a licensed attorney in your jurisdiction who can advise you on the specifics.",
    "legal",
  ],
  [
    "Summarise the attached PDF in five bullets.",
    "No attachment was included with your message, so I can't summarise it. Please attach the file.",
    "research",
  ],
  [
    "Summarise the attached PDF in five bullets.",
    "I don't see any attached file. Could you upload it again?",
    "research",
  ],
  [
    "Translate the press release into German.",
    "Your message doesn't contain the press release. Please paste the text you'd like translated.",
    "content",
  ],
  [
    "Give me a trading plan for ETH with entries and stops.",
    "I can't provide financial advice or specific trade recommendations. Always do your own research and consider speaking to a financial advisor.",
    "trading",
  ],
  [
    "Build a forecast of weekly demand from the CSV.",
    "I tried to open the CSV but the link returned an error, so the forecast was not done.",
    "data-analysis",
  ],
  [
    "Build a forecast of weekly demand from the CSV.",
    "Unfortunately the dataset could not be loaded in my environment. No forecast was produced.",
    "data-analysis",
  ],
  [
    "Find three peer-reviewed papers on microplastics in groundwater and summarise each.",
    "I do not have the ability to search the internet or access databases in real time, so I cannot locate specific papers.",
    "research",
  ],
  [
    "Create an on-call rota for six engineers for March.",
    "I'm going to have to decline this one.",
    "ops",
  ],
  [
    "Create an on-call rota for six engineers for March.",
    "This task requires information I don't have. Please provide the engineers' names and availability.",
    "ops",
  ],
  [
    "Create an on-call rota for six engineers for March.",
    "Task failed: context length exceeded.",
    "ops",
  ],
  [
    "Write a persuasive landing page for a sleep app.",
    "I'm sorry, I can't continue with this conversation.",
    "content",
  ],
  [
    "Schreibe eine Produktbeschreibung für eine Teekanne.",
    "Dazu kann ich leider keine Auskunft geben.",
    "content",
  ],
  [
    "Schreibe eine Produktbeschreibung für eine Teekanne.",
    "Leider fehlen mir die nötigen Informationen, um eine Produktbeschreibung zu erstellen. Bitte senden Sie mir mehr Details.",
    "content",
  ],
  [
    "Escribe una descripción de producto para una tetera.",
    "No puedo cumplir con esta solicitud.",
    "content",
  ],
  [
    "Escribe una descripción de producto para una tetera.",
    "Me temo que no es posible realizar lo que pide sin más información. ¿Podría darme más detalles?",
    "content",
  ],
  [
    "Rédige une fiche produit pour une théière.",
    "Je regrette, mais je ne peux pas donner suite à cette demande.",
    "content",
  ],
  [
    "Rédige une fiche produit pour une théière.",
    "Je n'ai pas les informations nécessaires pour rédiger cette fiche. Pourriez-vous me les transmettre ?",
    "content",
  ],
  [
    "Escreva uma descrição de produto para uma chaleira.",
    "Peço desculpas, mas não consigo atender a esse pedido.",
    "content",
  ],
  ["写一段茶壶的产品描述。", "抱歉，我不能帮您写这段描述。", "content"],
  ["写一段茶壶的产品描述。", "由于缺少必要的信息，我无法完成该请求。", "content"],
  [
    "ティーポットの商品説明を書いてください。",
    "申し訳ございません。このご依頼にはお応えできません。",
    "content",
  ],
  [
    "ティーポットの商品説明を書いてください。",
    "情報が不足しているため、商品説明を作成できません。",
    "content",
  ],
])("a refusal fails: %s %s", (task, text, category) =>
  expect(REFUSAL.run({ task, text, category }, {}).outcome).toBe("fail"),
);

test.each<[task: string, text: string, category: Category]>([
  [
    EPS,
    "Diluted EPS was $3.42. I could not open the exhibit to cross-check, but the figure is on page 41.",
    "finance",
  ],
  [
    "Does the lease allow pets?",
    "The lease does not mention pets. Clause 7 forbids 'livestock', which does not cover cats.",
    "legal",
  ],
  ["Does the lease allow pets?", "The lease does not say anything about pets.", "legal"],
  [
    "Which of the four suppliers did not report scope 3 emissions?",
    "Halvorsen did not provide scope 3 data.",
    "data-analysis",
  ],
  [
    "What does the log tell us about the outage?",
    "The log does not contain entries between 02:10 and 02:40, so the process was down, not slow. It restarted at 02:41.",
    "ops",
  ],
  [
    "Reply to the customer: we cannot refund after 30 days.",
    "Hi Tom,\n\nThanks for writing. Unfortunately we cannot provide a refund after 30 days. We can offer store credit instead.\n\nBest, Ada",
    "content",
  ],
  [
    "Write an FAQ entry: what happens if I lose my key?",
    "We cannot restore a lost key. We do not have access to it. Create a new one in Settings and revoke the old one.",
    "content",
  ],
  [
    "Write an error message for a failed login.",
    "We could not sign you in. Check your password and try again.",
    "content",
  ],
  [
    "Write an error message for when the file can't be opened.",
    "Unable to open the file. Check that it exists and that you have permission to read it.",
    "infra",
  ],
  [
    "Draft a privacy notice sentence saying that we don't hold card data.",
    "We do not have access to your card details.",
    "legal",
  ],
  [
    "Assess whether the data supports the claim that sales rose.",
    "The data does not provide enough information to support the claim: only two of twelve months are covered.",
    "data-analysis",
  ],
  [
    "What are the limitations of this study?",
    "The study does not include patients over 70. The sample is small. The authors do not provide raw data.",
    "research",
  ],
  [
    "Explain why the build fails.",
    "The runner does not have access to the registry: the token expired. Rotate it and rerun the job.",
    "infra",
  ],
  [
    "Review the pull request.",
    "I can't approve this yet. The lock is released before the write, so two workers can corrupt the file.",
    "code-review",
  ],
  [
    "Should we migrate to Kafka?",
    "I would not recommend it. You do not have enough traffic to justify the operation cost.",
    "infra",
  ],
  [
    "Summarise the meeting.",
    "The team was unable to agree on a date. Nina will ask the venue. The budget was approved.",
    "ops",
  ],
  [
    "Can this clause be enforced in Texas?",
    "No. A Texas court cannot enforce a non-compete that has no geographic limit. This is not legal advice.",
    "legal",
  ],
  ["State what the chart does not show.", "The chart does not show margins.", "data-analysis"],
  ["Schreibe einen Satz für die Fehlerseite.", "Diese Seite konnten wir nicht finden.", "content"],
  [
    "Antworte dem Kunden, dass wir seine Daten nicht löschen können.",
    "Sehr geehrter Herr Roth, leider können wir Ihre Daten nicht löschen, da eine gesetzliche Aufbewahrungspflicht besteht.",
    "content",
  ],
  ["¿Permite el contrato subarrendar?", "El contrato no menciona el subarriendo.", "legal"],
  ["Le bail autorise-t-il les animaux ?", "Le bail ne mentionne pas les animaux.", "legal"],
  ["O contrato permite animais?", "O contrato não menciona animais.", "legal"],
  ["合同是否允许养宠物？", "合同中没有提及宠物。", "legal"],
  ["契約書ではペットは許可されていますか。", "契約書にはペットに関する記載がありません。", "legal"],
  [
    "Welche Angaben fehlen im Formular?",
    "Im Formular fehlen Geburtsdatum und Unterschrift. Angaben zum Arbeitgeber enthält es nicht.",
    "ops",
  ],
  [
    "What did the CFO say about guidance?",
    "The transcript does not contain any guidance from the CFO; she declined to comment and referred to the release in May.",
    "finance",
  ],
  [
    "How much did the company pay in dividends in 2020?",
    "None. The company did not pay dividends in 2020.",
    "finance",
  ],
  [
    "How many of the tickets were not resolved?",
    "I can't see a resolution for tickets 4, 9 and 12, so three.",
    "ops",
  ],
  ["Is the deadline mentioned in the email?", "No, the email doesn't mention a deadline.", "ops"],
  [
    "List what information is still missing from the grant application.",
    "The application does not include a budget, a timeline or letters of support.",
    "ops",
  ],
])("work that only sounds like a refusal does not fail: %s %s", (task, text, category) =>
  expect(REFUSAL.run({ task, text, category }, {}).outcome).not.toBe("fail"),
);

const FILING = "What was the FY2018 capital expenditure of Ostrander Corp in USD millions?";
const STATEMENT =
  "Income statement (USD m): revenue 2022 812, 2021 745; cost of sales 2022 512, 2021 489.";

test.each([
  [FILING, "The provided context does not include the capital expenditure for FY2018."],
  [FILING, "It would be in the cash flow statement. I'm unable to verify it without the filing."],
  [FILING, "Data not available."],
  [FILING, "My knowledge stops before that filing. Consult the notes to the annual report."],
  [
    "Is Ostrander Corp a capital-intensive business based on FY2022 data?",
    "The context provided does not contain enough information to determine this.",
  ],
  [
    "Which segment dragged down growth in 2022?",
    "As of my last update in September 2021, I don't have the data for 2022.",
  ],
  [
    "What was the operating cash flow ratio in FY2017?",
    "The operating cash flow ratio is cash from operations divided by current liabilities. However, I'm unable to calculate it because the cash flow statement isn't provided. If you can share it, I'd be happy to compute the ratio.",
  ],
  [
    `${STATEMENT}\n\nBy how much did revenue grow in 2022, in %?`,
    "I am not able to calculate growth rates since I do not have access to the statements.",
  ],
  [
    `${STATEMENT}\n\nWhat was the growth in revenue in 2022?`,
    "The growth in revenue is not given in the statement and therefore cannot be stated.",
  ],
  [
    "What did Ostrander report as the operating loss of its Labs segment in 2022?",
    "Labs makes headsets and software. It was first reported separately in 2021. The operating loss of the segment is a detail that I cannot confirm, as I do not have access to the reports.",
  ],
  [
    "¿Cuál fue el margen EBITDA en 2021?",
    "La información facilitada no permite calcular el margen EBITDA de 2021.",
  ],
  ["Quel était l'endettement net fin 2022 ?", "Le document fourni ne mentionne pas l'endettement."],
  ["Wie hoch war die Eigenkapitalquote Ende 2022?", "Dazu liegen mir keine Angaben vor."],
  ["Qual foi o lucro líquido em 2021?", "O contexto não fornece o lucro líquido de 2021."],
  ["2022年年报中的研发费用是多少?", "根据提供的信息,无法确定2022年的研发费用。"],
  ["営業利益率を教えてください。", "提供された資料には営業利益率の情報が含まれていません。"],
])("a refusal to answer from a filing fails: %s %s", (task, text) =>
  expect(REFUSAL.run({ task, text, category: "finance" }, {}).outcome).toBe("fail"),
);

test.each([
  [FILING, "Ostrander spent $412 million. I can't verify it without the filing."],
  [FILING, "As of my last update, Ostrander had reported $412 million; please verify it."],
  ["Did Ostrander pay a dividend in 2021?", "No, it did not disclose or pay any dividend in 2021."],
  ["How much goodwill was written off?", "None. It could not provide for an impairment."],
  [
    "Which segment grew fastest in 2022?",
    "Services. The filing does not provide constant-currency growth, so this uses reported figures.",
  ],
  [
    "Which segment grew fastest in 2022?",
    "I could not open the filing itself. Based on the press release, Services grew fastest, followed by Devices and then Licensing.",
  ],
  [
    `${STATEMENT}\n\nWhat was the dividend per share in 2022?`,
    "The income statement given does not state a dividend per share.",
  ],
  [
    "Does the credit agreement provide for a change-of-control put?",
    "The agreement does not provide for a change-of-control put.",
  ],
  [
    "What are the main limitations of the valuation?",
    "We did not have access to management, and no audited figures for 2023 were available.",
  ],
  [
    "Which segment is most profitable?\nA: revenue 10, profit 2\nB: revenue 20, profit 3\nC: no profit given",
    "A, as far as the table goes. C's profit is missing, so I can't say whether it is the most profitable segment.",
  ],
  [
    `${STATEMENT}\n\nWhat share of revenue came from Germany?`,
    "The statement does not break out Germany.",
  ],
  [`${STATEMENT}\n\nBy how much did headcount grow?`, "The statement does not state headcount."],
  [
    'Is the company\'s liquidity adequate? "Cash of 40 covers all maturities until 2027."',
    "On this wording yes. Cash covers every maturity until 2027. I can't say whether liquidity is adequate beyond that year.",
  ],
])("an answer with a caveat, or a negative one, does not fail: %s %s", (task, text) =>
  expect(REFUSAL.run({ task, text, category: "finance" }, {}).outcome).not.toBe("fail"),
);

test("a request for what the task states, a promise and an error in JSON are no work", () => {
  const task = "Compute the mean of 4, 8, 15, 16, 23 and 42.";
  const text = [
    "Could you please share the numbers? Once I have them, I'll compute the mean.",
    "Got it. I'll prepare the calculation and send it to you shortly.",
    '{"status": "error", "message": "I am unable to process this request."}',
  ];
  for (const one of text) expect(run(task, one)).toBe("fail");
});
