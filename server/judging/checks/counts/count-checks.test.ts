import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CheckOutcome } from "@/server/judging/checks/check";
import { COUNT_CHECKS } from "@/server/judging/checks/check-list";

const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");
const sentences = (count: number) =>
  Array.from({ length: count }, (_, at) => `This is sentence ${at + 1}.`).join(" ");
const repeat = (part: string, count: number, separator = "\n\n") =>
  Array.from({ length: count }, () => part).join(separator);
const PARAGRAPH = "Salt is older than most cities. It kept fish and meat edible for months.";
const bullets = (count: number, marker = "-") =>
  repeat(`${marker} Tea is warm and good`, count, "\n");

/** Runs every count check whose requirement a task states; returns the worst outcome by check. */
function runChecks(task: string, text: string): Record<string, CheckOutcome> {
  const input = { task, category: "content" as const, text };
  return Object.fromEntries(
    COUNT_CHECKS.flatMap((check) =>
      check.extract(task, "content").map(({ parameters }) => {
        if (!("run" in check) || "observe" in check) throw new Error("not a text check");
        return [check.name, check.run(input, check.parameters.parse(parameters)).outcome];
      }),
    ),
  );
}

/** A task with texts that meet it and texts that do not. */
interface Example {
  task: string;
  good: string[];
  bad: string[];
}

const EXAMPLES: readonly Example[] = [
  {
    task: "Explain tides in under 60 words.",
    good: [words(59), `# Tides\n\n${words(58)}`, `${words(58)} well-known-fact`],
    bad: [words(60), words(90)],
  },
  {
    task: "Explain tides in at least 60 words.",
    good: [words(60), words(400)],
    bad: [words(40)],
  },
  {
    task: "Write a 100-word note on tides.",
    good: [words(75), words(128)],
    bad: [words(50), words(180)],
  },
  {
    task: "Explain tides in exactly 3 sentences.",
    good: [
      sentences(3),
      "Dr. Smith lives at 3.5 Main St. in Ohio. He moved there in 1999. It is e.g. quiet.",
      `## Tides\n\n${sentences(3)}`,
      'He asked "Why?" and left. She said "Go!" and stayed. Then it rained.',
    ],
    bad: [sentences(2), sentences(5)],
  },
  {
    task: "Explain tides in at most 2 sentences.",
    good: [sentences(2), "The U.S. coast has two tides a day. The Baltic has almost none."],
    bad: [sentences(4)],
  },
  {
    task: "Write a text of at most 100 characters.",
    good: ["a".repeat(100), ` ${"a".repeat(100)}\n`],
    bad: ["a".repeat(140)],
  },
  {
    task: "Praise tea in exactly 3 bullet points.",
    good: [
      bullets(3),
      bullets(3, "*"),
      `Tea:\n\n${bullets(3)}`,
      `${bullets(3)}\n  - nested`,
      bullets(3, "1."),
    ],
    bad: [bullets(2), bullets(5), "Tea is good."],
  },
  {
    task: "Praise tea without any bullet points.",
    good: ["Tea is good. It is warm."],
    bad: [bullets(3)],
  },
  {
    task: "List 5 reasons to drink tea.",
    good: [
      bullets(5),
      bullets(7),
      "## A\nx\n## B\nx\n## C\nx\n## D\nx\n## E\nx",
      '["a","b","c","d","e"]',
      "Warmth, taste, price, company and habit.",
      "- Body: warmth, calm\n- Purse: price, thrift\n- Mind: habit, company",
      repeat(PARAGRAPH, 5),
    ],
    bad: [bullets(3), "It is warm."],
  },
];

describe("texts that meet a requirement pass, others fail", () => {
  test.each(EXAMPLES.flatMap(({ task, good }) => good.map((text) => [task, text] as const)))(
    "%s %j passes",
    (task, text) => {
      const outcomes = Object.values(runChecks(task, text));
      expect(outcomes).toContain("pass");
      expect(outcomes).not.toContain("fail");
    },
  );
  test.each(EXAMPLES.flatMap(({ task, bad }) => bad.map((text) => [task, text] as const)))(
    "%s %j fails",
    (task, text) => {
      expect(Object.values(runChecks(task, text))).toContain("fail");
    },
  );
});

test("texts that cannot be counted are not judged", () => {
  expect(
    runChecks(
      "Answer in under 20 words.",
      "这是一个没有空格的中文句子，所以不能数单词。".repeat(3),
    ),
  ).toEqual({
    "word-count": "not-applicable",
  });
});

test("results contain nothing from the texts but counts", () => {
  const task = "Describe a zyzzyva in at most 2 words and exactly 1 sentence.";
  const input = { task, category: "content" as const, text: "Quokka quokka.\n\nQuokka." };
  for (const check of COUNT_CHECKS) {
    for (const { parameters } of check.extract(task, "content")) {
      if ("observe" in check) continue;
      const result = check.run(input, check.parameters.parse(parameters));
      expect(`${check.describe(parameters)} ${result.observed}`).not.toMatch(/zyzzyva|quokka/i);
    }
  }
});

test("every check has its own name and explains its parameters to the author of a rubric", () => {
  expect(new Set(COUNT_CHECKS.map(({ name }) => name)).size).toBe(COUNT_CHECKS.length);
  for (const { forRubric } of COUNT_CHECKS) expect(forRubric).toBeTruthy();
});

test("bounds without any limit, or with a minimum above the maximum, are rejected", () => {
  const parameters = COUNT_CHECKS.find(({ name }) => name === "word-count")?.parameters;
  expect(parameters?.safeParse({ min: null, max: null }).success).toBe(false);
  expect(parameters?.safeParse({ min: 5, max: 4 }).success).toBe(false);
  expect(parameters?.safeParse({ min: 4, max: 4 }).success).toBe(true);
});

test("no check throws, whatever the texts", () => {
  const fragment = fc.constantFrom(
    "\n",
    " ",
    "*",
    "#",
    "***",
    "1. ",
    "- ",
    "|",
    '"',
    "each",
    "at least",
    "between",
    "3",
    "words",
    "paragraphs",
    "separated by",
    ":",
    ".",
    "…",
    "<a>",
    "following text:",
  );
  const text = fc
    .array(fc.oneof(fragment, fc.string({ maxLength: 6 })), { maxLength: 40 })
    .map((parts) => parts.join(" "));
  fc.assert(
    fc.property(text, text, (task, deliverable) => {
      runChecks(task, deliverable);
    }),
    { numRuns: 100 },
  );
});

/** Describes every requirement that the count checks find in a task. */
function findRequirements(task: string): string[] {
  return COUNT_CHECKS.flatMap((check) =>
    check.extract(task, "content").map(({ parameters }) => check.describe(parameters)),
  );
}

/** Tasks with the requirements that they plainly state. */
const STATED: readonly [task: string, ...requirements: string[]][] = [
  ["Follow these guidelines: at most 100 words; be kind. Describe a dog.", "At most 100 words"],
  ["Here is my essay topic: bees. Write at least 200 words.", "At least 200 words"],
  ["Write an email to my boss. Use no more then 80 words.", "At most 80 words"],
  ["Write a novel outline of at most 120 words.", "At most 120 words"],
  // Words
  ["Write a short story about a lighthouse. Keep it under 200 words.", "At most 199 words"],
  ["Write an essay on tides in at least 600 words.", "At least 600 words"],
  ["Explain how vaccines work in less than 100 words.", "At most 99 words"],
  ["Describe the water cycle. Your answer must be at least 250 words long.", "At least 250 words"],
  ["Write a 300-word article on composting.", "210 to 390 words"],
  ["I need a 500 word blog post about hiking boots.", "350 to 650 words"],
  ["Write a review of a toaster. Use no more than 150 words.", "At most 150 words"],
  ["Tell me about Malta. 50 words max.", "At most 50 words"],
  ["Max. 120 words: why do leaves fall?", "At most 120 words"],
  ["Summarise the plot of Hamlet in between 80 and 120 words.", "80 to 120 words"],
  ["Write a cover letter (200-250 words) for a nurse.", "200 to 250 words"],
  ["Write a speech for a retirement party. Length: 150 to 200 words.", "150 to 200 words"],
  ["Draft a memo about parking. It should not exceed 300 words.", "At most 300 words"],
  ["Draft a memo about parking, without exceeding 300 words.", "At most 300 words"],
  ["Could you please limit your answer to 75 words? What is a bond?", "At most 75 words"],
  ["Write an answer of roughly 400 words about coral reefs.", "280 to 520 words"],
  ["What is a mortgage? Answer in exactly 40 words.", "Exactly 40 words"],
  ["Describe a market in two hundred words or fewer.", "At most 200 words"],
  ["Write 1,200+ words on the history of glass.", "At least 1200 words"],
  [
    "The response should contain a minimum of one hundred and fifty words. Topic: bees.",
    "At least 150 words",
  ],
  ["Tell a joke. Word limit: 60.", "At most 60 words"],
  ["Write a poem with over 80 words about rust.", "At least 81 words"],
  ["Never go over 90 words. Explain osmosis.", "At most 90 words"],
  ["Explain osmosis. It mustn't be longer than 90 words.", "At most 90 words"],
  ["Explain osmosis. Not fewer than 90 words, please.", "At least 90 words"],
  ["Write at least 100 but no more than 150 words about ferries.", "100 to 150 words"],
  ["Write about ferries. Minimum 100 words, maximum 150 words.", "100 to 150 words"],
  [
    "Write about ferries. You must not exceed 90 words and must not fall below 60.",
    "60 to 90 words",
  ],
  ["The entire output should be fewer than 80 words. Topic: fog.", "At most 79 words"],
  [
    "It would be great if you could keep it under 120 words. Explain tax brackets.",
    "At most 119 words",
  ],
  ["When you respond, use at least 150 words. Why do cats purr?", "At least 150 words"],
  ["Write a story about a dog that could talk, in at least 300 words.", "At least 300 words"],
  [
    "Write a blog post about what might happen if bees vanished. It needs 400 or more words.",
    "At least 400 words",
  ],
  ["Tagline for a bakery, max 6 words.", "At most 6 words"],
  ["Write a headline of no more than 8 words.", "At most 8 words"],
  [
    "Summarise the memo in one sentence of no more than 20 words.",
    "At most 20 words",
    "Exactly 1 sentence",
  ],
  [
    "Write a press notice of 120-200 words from these facts: the bridge opened in May.",
    "120 to 200 words",
  ],
  [
    "Summarize the following article in less than 100 words:\n\nThe mayor spoke for 3 paragraphs.\n\nIt rained.",
    "At most 99 words",
  ],
  [
    "Rewrite the following email:\n\nHi Jo,\n\nI am late.\n\nYour response should be at most 40 words.",
    "At most 40 words",
  ],
  [
    "Requirements:\n- Plain English\n- At most 180 words\n- Friendly tone\n\nWrite a notice about a lift repair.",
    "At most 180 words",
  ],
  ["Write a notice about a lift repair.\n1. Maximum of 80 words\n2. No jargon", "At most 80 words"],
  ["Write a notice about a lift repair that has\nat least\n80 words.", "At least 80 words"],
  ["**Write at most 80 words** about lifts.", "At most 80 words"],
  ["Use fewer than three hundred words to describe Lagos.", "At most 299 words"],
  ["keep ur answer below 70 words pls. whats inflation", "At most 69 words"],
  ["Compose a toast, somewhere between fifty and seventy words.", "50 to 70 words"],
  ["An answer with upwards of 250 words is required: how do tides form?", "At least 250 words"],
  ["Give me a product description; stay within 60 words.", "At most 60 words"],
  ["Your reply has to be 30 words or less.", "At most 30 words"],
  ["Your reply has to be shorter than 30 words.", "At most 29 words"],
  ["Write a letter of approximately 250 words.", "175 to 325 words"],
  // Sentences
  ["Explain gravity in three sentences.", "Exactly 3 sentences"],
  ["Explain gravity using at most 4 sentences.", "At most 4 sentences"],
  ["Your response should contain at least 10 sentences. Topic: rivers.", "At least 10 sentences"],
  ["Describe Oslo in fewer than five sentences.", "At most 4 sentences"],
  ["Keep your answer to two sentences. What is a haiku?", "At most 2 sentences"],
  ["Write a three-sentence summary of Macbeth.", "Exactly 3 sentences"],
  ["Summarise it in a single sentence: the shop closed early.", "Exactly 1 sentence"],
  ["Reply in one or two sentences: why is the sky blue?", "1 to 2 sentences"],
  ["What is DNS? Not more than 3 sentences, not fewer than 2.", "2 to 3 sentences"],
  ["Answer with 5 to 7 short sentences. What is jazz?", "5 to 7 sentences"],
  ["What is jazz? Limit: 6 sentences.", "At most 6 sentences"],
  ["Number of sentences: 4. Topic: jazz.", "Exactly 4 sentences"],
  ["Write exactly eight sentences about jazz.", "Exactly 8 sentences"],
  ["Write no less than 12 sentences about jazz.", "At least 12 sentences"],
  [
    "The number of sentences in your reply should be in the range of 30 to 45. Topic: jazz.",
    "30 to 45 sentences",
  ],
  [
    "What is swing? Answer in capital letters, and organize your entire response in 4 or 5 sentences.",
    "4 to 5 sentences",
  ],
  [
    "What do you think of kilts? Your response should contain at least 20 sentences and exactly 3 bullet points. Use the bullet points like:\n* This is a bullet point",
    "At least 20 sentences",
    "Exactly 3 bullet points",
  ],
  [
    'Please carry on: "A man walks into a room, ..."\nUse at least 40 sentences, but less than 500 words.',
    "At least 40 sentences",
    "At most 499 words",
  ],
  // Characters
  ["Write a tweet about spring with at most 280 characters.", "At most 280 characters"],
  [
    "Write a bio. The text must be under 160 characters, including spaces.",
    "At most 159 characters",
  ],
  ["Describe the app in no more than 500 characters.", "At most 500 characters"],
  [
    "Write two odes to a loom. Separate the two odes like below:\nOde 1\n******\nOde 2\n\nYour whole output should have at least 200 words.",
    "At least 200 words",
  ],
  [
    "Write a guide to weaving with exactly 2 bullet points in markdown format, and exactly 3 sections.\n\nSections are separated by 3 asterisks: ***. For example:\n\nSection 1\n***\nSection 2",
    "Exactly 2 bullet points",
  ],
  // Bullets and lists
  ["Summarise the meeting in exactly 3 bullet points.", "Exactly 3 bullet points"],
  [
    "Your answer must contain exactly 4 bullet points. Use the markdown bullets such as:\n* This is point 1.",
    "Exactly 4 bullet points",
  ],
  ["Give me five bullets on tea.", "Exactly 5 bullet points"],
  ["Write up to six bullet points on tea.", "At most 6 bullet points"],
  ["Use between 4 and 6 bullet points. Topic: tea.", "4 to 6 bullet points"],
  ["Answer using bullet points (minimum 3, maximum 4). Topic: tea.", "3 to 4 bullet points"],
  ["Describe tea. No bullet points.", "No bullet points"],
  ["Describe tea without using any bullet points.", "No bullet points"],
  ["Give a bulleted list with at least 7 list items.", "At least 7 bullet points"],
  ["List 5 ways to save water.", "At least 5 list items"],
  ["Name seven rivers in Asia.", "At least 7 list items"],
  ["Give me at least four reasons to learn Welsh.", "At least 4 list items"],
  ["Come up with ten names for a bookshop.", "At least 10 list items"],
  ["Provide a glossary of exactly seven sailing terms.", "Exactly 7 list items"],
  ["Can you suggest six healthy breakfast ideas?", "At least 6 list items"],
  [
    "Write a funny, 150+ word ad for a plumber. Highlight at least 3 text sections by italicizing them with markdown (i.e. *highlighted section*).",
    "At least 150 words",
  ],
  // Several at once
  [
    "Write a blog post about trams with 3 sections and at least 400 words. Finish with 2 hashtags.",
    "At least 400 words",
  ],
  ["In 3 paragraphs and no more than 180 words, explain tariffs.", "At most 180 words"],
  ["Describe the port in at least 100 words. Then list its docks.", "At least 100 words"],
  ["Describe the port. Anything beyond 100 words will be ignored.", "At most 100 words"],
  ["Describe the port. Responses over 100 words will be rejected.", "At most 100 words"],
  ["Describe the port. Answers longer than 3 sentences are not accepted.", "At most 3 sentences"],
  ["Describe the port. Response length must not surpass 90 words.", "At most 90 words"],
  ["Describe the port with a minimum word count of 120.", "At least 120 words"],
  ["Describe the port with a word count of at least 120.", "At least 120 words"],
  ["Write a one-sentence description of the port.", "Exactly 1 sentence"],
  ["Describe the port within a 100-word limit.", "At most 100 words"],
  ["DESCRIBE THE PORT IN UNDER 60 WORDS.", "At most 59 words"],
  ["Describe the port in at least three but at most five sentences.", "3 to 5 sentences"],
  ["Write a 150 word (or less) description of the port.", "At most 150 words"],
  ["Write exactly one paragraph of 3 sentences.", "Exactly 3 sentences"],
  ["Please, no more than three sentences.  What is a bond?", "At most 3 sentences"],
  ["Your entire response should be at least 25 sentences.", "At least 25 sentences"],
  ["Ensure that your reply is between 150 and 200 words long. Topic: kelp.", "150 to 200 words"],
  ["Respond with a haiku. The whole reply must be under 20 words.", "At most 19 words"],
  ["Provide exactly three bullet points and nothing else.", "Exactly 3 bullet points"],
  ["Using no more than 50 words, define inflation.", "At most 50 words"],
  ["In 100 words or fewer, describe photosynthesis.", "At most 100 words"],
  ["In fewer than 100 words describe photosynthesis.", "At most 99 words"],
  [
    "Explain the offside rule to a child. Two paragraphs, max 100 words total.",
    "At most 100 words",
  ],
  ["Can you explain black holes in about 5 sentences?", "3 to 7 sentences"],
  ["Give me a list of exactly 10 vegetables.", "Exactly 10 list items"],
  ["What are three benefits of yoga? Use bullet points.", "At least 3 list items"],
  ["Suggest five names for a cat cafe, one per line.", "At least 5 list items"],
  ["Make it short: 2 sentences tops. Why is the sea salty?", "At most 2 sentences"],
  [
    "Write an email to my boss in which I ask for leave. The email should contain 5 sentences at most.",
    "At most 5 sentences",
  ],
  [
    "The summary must not be more than 3 sentences long: The mill closed in 1902.",
    "At most 3 sentences",
  ],
  ["Describe your perfect day with 7 sentences. Use 2 emojis.", "Exactly 7 sentences"],
  ["Reply in one sentence.", "Exactly 1 sentence"],
  [
    "Your response should contain fewer than 10 sentences and at least 3 paragraphs.",
    "At most 9 sentences",
  ],
  ["Length requirement: 400-500 words. Write on zoos.", "400 to 500 words"],
  ["(max 150 words) Write on zoos.", "At most 150 words"],
  ["Write on zoos (~250 words).", "175 to 325 words"],
  ["Write on zoos, 250 words minimum.", "At least 250 words"],
  [
    "I want you to write a thank-you note. It shouldn't be more than 4 sentences, please.",
    "At most 4 sentences",
  ],
  ["Make a numbered list of 8 tips for sleeping.", "At least 8 list items"],
  ["Give the top 5 reasons for inflation.", "At least 5 list items"],
  ["Outline seven steps to change a tyre.", "At least 7 list items"],
  ["Summarize the text below in 3 bullet points.", "Exactly 3 bullet points"],
  ["Use 3-5 bullet points, each no longer than 15 words. Topic: zoos.", "3 to 5 bullet points"],
  ["Your answer cannot exceed 1000 characters, spaces included.", "At most 1000 characters"],
  ["250 words. No fluff. Why zoos?", "175 to 325 words"],
  ["At least 3 sentences please - why zoos?", "At least 3 sentences"],
  ["Make your answer 50 words long. What is irony?", "35 to 65 words"],
  ["The word count should be between 90 and 110. What is irony?", "90 to 110 words"],
  ["Answer within 3 sentences. What is irony?", "At most 3 sentences"],
  ["Tell me about irony using only two sentences.", "Exactly 2 sentences"],
  ["It has to fit in a tweet (280 characters max).", "At most 280 characters"],
];

/** Tasks that state no number that holds for the whole deliverable. */
const NOT_STATED: readonly string[] = [
  "Summarise the 3 paragraphs above.",
  "Explain the first two sentences of the poem.",
  "My draft has 3 paragraphs and 400 words. Make it friendlier.",
  "The original text is 500 words long. Translate it into Welsh.",
  "Write a function that returns all words with at least 4 characters.",
  "Write a script that splits a text into lines of at most 80 characters.",
  "Write a Python program that prints the 10 longest words.",
  "How many words are in 3 paragraphs?",
  "Filter the reviews that have more than 100 words.",
  "Count the articles with fewer than 300 words.",
  "Write a story with 3 characters who meet on a train.",
  "Write a play with at most 4 characters.",
  "If you need more than 200 words, split the answer.",
  "If there are more than 3 bullet points, add a table.",
  "Ideally, use about 300 words.",
  "Preferably fewer than 5 paragraphs.",
  "You may add two bullet points if you like.",
  "Feel free to write more than 500 words.",
  "There is no need for 5 paragraphs.",
  "You don't have to write 200 words.",
  "Try to aim for 300 words.",
  "Write an article with a title of at most 60 characters.",
  "Write an email with a subject line under 50 characters.",
  "Write an article. The introduction should be 50 words.",
  "Start with a two-sentence summary, then compare both plans in detail.",
  "Compare both plans in a table, and say in two sentences which one you would choose.",
  "Compute the mean and the median. Then explain in at most three sentences what they show.",
  "Give the total and the average. One sentence on what is unusual.",
  "Draw up a budget. Close with one sentence on the risks.",
  "Write a report. Executive summary: 100 words. Findings: 3 paragraphs.",
  "Each section should have a title of at most 8 words.",
  'Someone asks: "Can I write my essay in at least 500 words today?" Reply kindly.',
  'What does the phrase "a picture is worth a thousand words" mean?',
  "She wrote 300 words yesterday. Continue the diary.",
  "Write about the 12 lines of the London Underground.",
  "Fix the bug in lines 3 to 10.",
  "Review 200 lines of code.",
  "Explain why the book has 3 sections.",
  "Mention the word safety at least 3 times.",
  "Use at least 2 words in all capital letters.",
  "Give me three words that rhyme with cat.",
  "The letter q should appear at least 4 times.",
  "Answer the following 3 questions:\n1. Who?\n2. Why?\n3. When?",
  "Which of these 4 options is best?",
  "Compare the five largest cities.",
  "The answer to 3 questions is below.",
  "Passwords must have at least 12 characters. Write a help page.",
  "The password must be at least 30 characters long.",
  "Highlight at least 3 key benefits of the product.",
  "Translate the two sentences into French.",
  "Write the section about verses 3 and 4 of the Bible.",
  "Buy 5 items for at most $20.",
  "Rank the top 10 movies by revenue and pick one.",
  "Write an itinerary for a 3-day trip to Rome.",
  "The company has 3 sections and 40 people.",
  "Describe a 5-star hotel.",
  "Unless the text has 200 words, reject it.",
  "Should you need 3 paragraphs, ask.",
  "Summarise the following text:\n\nYou must write at least 300 words in 3 paragraphs. It is a rule of our school.",
  'Reply to this message: "Please send me a text of exactly 200 words in 5 paragraphs by tomorrow evening, and make sure that it has at least 4 headings and a title. Thanks a lot in advance for the quick help with it."',
  "```\nWrite at least 200 words\n```\nExplain what this prompt does.",
  "> Write at least 200 words\n\nIs this rule fair?",
  "Sentences separated by a comma are called what?",
  "Explain how paragraphs are divided in old books.",
  "Explain why a sonnet has fourteen lines.",
  "How many words does the average novel have, and is it more than 80,000 words?",
  "def count_lines(text):  Return the number of lines with at least 3 words.",
  "Write a Python function that takes a string and returns True if it has at least 8 characters, 1 digit.",
  "Write a function to find all five characters long words in the given string.",
  "Write a SQL query that lists the 10 customers with at least 3 orders.",
  "What was the percentage change in revenue from 2018 to 2019? Revenue was 3 million in 2018.",
  "Based on the table above, which 3 segments grew fastest?",
  "Does 3M have a reasonably healthy liquidity profile based on its quick ratio for Q2 of FY2023? If the quick ratio is not relevant, please state that and explain why.",
  "The first 2 paragraphs of the contract bind the buyer. Explain.",
  "What are the 7 wonders of the world?",
  "Who wrote the 95 theses and in how many lines are they summarised?",
  "Compare two paragraphs: A says 3 lines, B says 4 lines.",
  "Write a regex that matches lines with more than 80 characters.",
  "Create a React component with 3 sections: header, main, footer.",
  "Build a CLI that prints at most 20 lines.",
  "Explain how a 5-paragraph essay is structured.",
  "Explain what a 500-word essay should contain.",
  "Explain the rule that tweets may have at most 280 characters.",
  "The book contains 12 chapters of 20 pages each; how many pages is that?",
  "A shop sold 40 items on Monday and 3 bullet lists on Tuesday.",
  "Refactor this function so that no line is longer than 80 characters.",
  "Write unit tests with at least 3 questions in the fixture.",
  "List the employees who work at least 40 hours.",
  "Give me two reasons.",
  'Translate this 3-sentence paragraph: "I am. You are. He is."',
  "Proofread the following 200-word abstract: It is good.",
  "Write a story in which a teacher asks the class for at least 300 words.",
  "Write a story about a writer who must produce 1000 words a day.",
  "Write a letter in which the boss limits all replies to 50 words.",
  "My teacher said the essay must be at least 500 words. Is that too long for 9-year-olds?",
  "In the previous task you wrote 3 paragraphs; which was the best?",
  "Find the 3 longest sentences in the text.",
  "Remove duplicate lines and keep at most 5 lines per user in the script.",
  "Explain why headings matter in 3-column layouts.",
  "Add two sentences to the end of this story: It was night.",
  "Add a sentence of at most 10 words to the end of this story.",
  "Change the first sentence so that it has at most 12 words.",
  "Write a Terraform file. The bucket name must be lowercase and between 30 and 63 characters.",
  "Fix the handler. The error message must be no longer than 50 characters.",
  "In the story, the keeper should write a note of exactly ten words.",
  "Write an outline for an essay of 2000 words about the Marshall Plan.",
  "Write an FAQ for a dog hotel. Answers of one or two sentences.",
  "Draft talking points for the results. Keep each point to one line.",
  "Plan a menu with 3 courses and at most 5 ingredients each.",
  "Design a survey for customers: 10 questions, at most 15 words each.",
  "For each of the 5 countries, write 2 sentences.",
  "For every product, give a description of at most 30 words.",
  "Describe each city in one sentence.",
  "Write a cover letter and a 50-word bio.",
  "Write an abstract (150 words) and three keywords for the paper.",
  "Write the introduction of a paper in 200 words and the conclusion in 100 words.",
  "Solve the puzzle in which 3 lines cross 4 lines.",
  "The form allows at most 500 characters in the comment box; test it.",
  "Check whether the poem has 14 lines.",
  "Make sure the poem below has exactly 14 lines and tell me if not.",
  "Verify that each row has at least 3 columns.",
  "The report has at least 20 sections; find the one on tax.",
  'Explain the sign "Use at most 20 words here" to me.',
  "Rewrite the clause in at most four sentences. Then list the changes in a table.",
  'Rewrite this clause in at most four sentences, "we" for the seller: "The seller shall, upon notice, suspend the service." Then list the changes in a table.',
];

describe("requirements are found", () => {
  test.each(STATED)("%s", (task, ...requirements) => {
    expect(findRequirements(task).toSorted()).toEqual(requirements.toSorted());
  });
});

describe("no requirement is found", () => {
  test.each(NOT_STATED)("%s", (task) => {
    expect(findRequirements(task)).toEqual([]);
  });
});
