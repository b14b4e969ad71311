import { describe, expect, test } from "vitest";
import type { CheckResult } from "@/server/judging/checks/check";
import { NON_ANSWER_CHECKS } from "@/server/judging/checks/check-list";

const TASK = "Summarise the quarterly report for the board in plain words.";
const CODE_TASK = "Write a Python function that merges two sorted lists.";
const fence = (code: string, language = "python") => `\`\`\`${language}\n${code}\n\`\`\``;

function run(name: string, task: string, text: string): CheckResult["outcome"] {
  const check = NON_ANSWER_CHECKS.find((each) => each.name === name);
  const [requirement] = check?.extract(task, "content") ?? [];
  if (!check || "observe" in check || !requirement) return "not-applicable";
  return check.run({ task, category: "content", text }, {}).outcome;
}

describe("a placeholder", () => {
  test.each([
    "TODO",
    "TBD - coming soon",
    "[Insert summary here]",
    "<your answer here>",
    "{{summary}}",
    "Placeholder text",
    "Lorem ipsum dolor sit amet, consectetur adipiscing elit.",
    "Summary: to be added",
    "Work in progress, will be delivered later.",
    "undefined",
    "Error: request timed out after 30000ms",
    '{"error": {"message": "Rate limit exceeded", "code": 429}}',
    "<html><head><title>502 Bad Gateway</title></head></html>",
    'Traceback (most recent call last):\n  File "/app/agent.py", line 42\nAPIConnectionError',
    "## Revenue\nTBD\n\n## Costs\nTBD\n\n## Outlook\n[Add outlook]",
  ])("%s", (text) => expect(run("placeholder", TASK, text)).toBe("fail"));

  test.each([
    fence("def merge(a, b):\n    # TODO: implement\n    pass"),
    fence('def merge(a, b):\n    """Merges two lists."""\n    raise NotImplementedError'),
    fence("def merge(a, b):\n    # your code here\n    return []"),
    "def merge(a, b):\n    ...",
  ])("is stubbed code: %s", (text) => expect(run("placeholder", CODE_TASK, text)).toBe("fail"));

  test.each<[string, string, string]>([
    ["code", CODE_TASK, fence("def merge(a, b):\n    return sorted(a + b)")],
    [
      "code with a remark to do",
      CODE_TASK,
      fence("def merge(a, b):\n    # TODO: implement a faster way\n    return sorted(a + b)"),
    ],
    [
      "an exception class beside code",
      CODE_TASK,
      fence("class Bad(Exception):\n    pass\n\ndef merge(a, b):\n    return sorted(a + b)"),
    ],
    [
      "a review that mentions a TODO",
      "Review this module.",
      "There is a TODO in line 12: remove it before release.",
    ],
    [
      "a letter with one blank",
      TASK,
      "Dear [Your Name], the quarter went well and costs fell by two percent.",
    ],
    [
      "a template that was asked for",
      "Make a template for invoices.",
      "[Insert client]\n[Insert amount]",
    ],
    [
      "reviewed code with a TODO",
      "Review this function.",
      `${fence("// TODO: implement\nfunction f() {}", "js")}\nThe stub does nothing.`,
    ],
    ["a short answer", TASK, "Good quarter."],
    ["an error that was asked for", "What does the script print?", "Error: division by zero"],
    ["prose on an error page", TASK, "The board saw a 502 Bad Gateway page for two days."],
    [
      "dummy text that was asked for",
      "Fill the page with lorem ipsum.",
      "Lorem ipsum dolor sit amet.",
    ],
  ])("is not %s", (_, task, text) => expect(run("placeholder", task, text)).not.toBe("fail"));
});

test("a copy of a short task is an echo", () => {
  const task = "Suggest a name for our podcast.";
  expect(run("task-echo", task, "suggest a name for our podcast")).toBe("fail");
  expect(run("task-echo", task, "A Name for Our Podcast")).toBe("pass");
  expect(run("task-echo", "Say hello.", "Say hello.")).toBe("pass");
});

describe("an echo of the task", () => {
  const long =
    "Compare the three hosting offers in the sheet by price, latency and support, and recommend one of them to a team of five.";

  test("is the task with a few words added", () => {
    expect(run("task-echo", long, `Sure! ${long}`)).toBe("fail");
    expect(run("task-echo", long, long)).toBe("fail");
  });

  test("is not an answer in the task's terms", () => {
    const answer =
      "By price, latency and support, offer B wins: it costs 40 a month, answers in 20 ms and has support by phone. I recommend it to a team of five.";
    expect(run("task-echo", long, answer)).toBe("pass");
  });

  test("is not the corrected text of a proofreading task", () => {
    const body =
      "The meeting was moved to Friday because most of the team is travelling on Thursday and cannot attend it.";
    const task = `Proofread this text: ${body.replace("cannot", "can not")}`;
    expect(run("task-echo", task, body)).not.toBe("fail");
  });

  test("is not a function completed below its given signature", () => {
    const stub =
      'def total(prices):\n    """Returns the sum of all prices in the list, or zero if the list has no prices at all. Prices are whole numbers of cents, may be negative for refunds, and are never missing; the order of the list does not matter and the list itself is not changed by the call.\n    >>> total([1, 2])\n    3\n    """\n';
    expect(run("task-echo", stub, `${stub}    return sum(prices)`)).not.toBe("fail");
  });

  test("is not found if the task asks for its own words", () => {
    const task = `Repeat this request word for word, then stop: ${long}`;
    expect(run("task-echo", task, task)).not.toBe("fail");
  });
});

describe("empty talk", () => {
  test.each([
    "Done.",
    "Sure! Here is the summary:",
    "I will now write the summary of the report.",
    "The work has been completed as requested. It meets all requirements and is of the highest quality.",
    "Certainly! I'd be happy to help. I'll get started on the summary right away and deliver it shortly.",
    "I have carefully analysed the report and prepared a thorough summary. Let me know if you need anything else.",
    "All tasks have been completed successfully. Everything has been tested.",
    "Could you please share the report? Which quarter do you mean?",
    "We will deliver a detailed summary. Our team is working on it.",
    "Task completed. The summary is ready.",
    "Done. The summary of the quarter has been written.",
    "Working on it! The summary of the report will follow tomorrow.",
    "That's a great question! Let me know if you need anything else.",
  ])("%s", (text) => expect(run("empty-talk", TASK, text)).toBe("fail"));

  test.each<[string, string, string]>([
    [
      "work after an announcement",
      TASK,
      "Here is the summary:\nRevenue rose and costs fell, so the year looks good.",
    ],
    [
      "a promise that is the work",
      "Write a short message that promises delivery.",
      "We will deliver your order tomorrow.",
    ],
    [
      "questions that were asked for",
      "Write three questions for the board.",
      "Could you explain the costs? What would you change? When do you report?",
    ],
    ["a short answer", TASK, "Good quarter, lower costs."],
    ["a link to the work", TASK, "The summary is ready: https://example.com/summary"],
    ["a confirmation that was asked for", "Reply with Done when you have read this.", "Done."],
  ])("is not %s", (_, task, text) => expect(run("empty-talk", task, text)).not.toBe("fail"));
});

describe("a cut-off text", () => {
  const paragraph =
    "Revenue rose in every region of the country. Costs fell because freight got cheaper.";

  test.each([
    `${paragraph}\n\nThe outlook for the next quarter is good because`,
    `${paragraph}\n\nThe board should look at three things in the next quarter and`,
    `${paragraph}\n\nIn summary, these are the points for the board:`,
    `${paragraph}\n\n${paragraph}\n\nThe outlook is good. We expect that sales in the north will rec`,
    `${paragraph}\n\n[continued]`,
    `${paragraph}\n\n(remaining regions omitted for brevity)`,
  ])("%j", (text) => expect(run("cut-off", TASK, text)).toBe("fail"));

  test("is code that leaves out its rest", () => {
    const text = fence("def merge(a, b):\n    out = []\n    # ... rest of the code");
    expect(run("cut-off", CODE_TASK, text)).toBe("fail");
    const shortened = fence("def load():\n    return 1\n# ... rest of the file");
    const task = `Fix the bug in this file:\n${fence("def load():\n    return 2")}`;
    expect(run("cut-off", task, shortened)).not.toBe("fail");
  });

  test.each<[string, string, string]>([
    ["a finished text", TASK, paragraph],
    [
      "a list at the end",
      TASK,
      `${paragraph}\n\n- sales in the north and\n- costs of freight by road and the`,
    ],
    [
      "a figure at the end",
      TASK,
      `${paragraph}\n\n${paragraph}\n\nTotal revenue of all regions: 12.1 million USD`,
    ],
    [
      "a signature",
      "Write a letter.",
      `Dear board,\n\n${paragraph}\n\nBest regards,\nThe finance team`,
    ],
    [
      "a poem",
      "Write a poem about rain.",
      "The rain falls softly on the lane and\nthe day goes on and on and on and",
    ],
    [
      "a prescribed ending",
      "Write a note and finish it with the words to be seen or the",
      `${paragraph}\n\nThere is much to be seen or the`,
    ],
    ["code", CODE_TASK, fence("def merge(a, b):\n    return sorted(a + b)")],
  ])("is not %s", (_, task, text) => expect(run("cut-off", task, text)).not.toBe("fail"));
});

describe("a loop", () => {
  const sentence = "The quarter was good for every region. ";

  test("is one sentence again and again", () => {
    expect(run("repetition", TASK, sentence.repeat(6))).toBe("fail");
    expect(
      run(
        "repetition",
        TASK,
        `Revenue rose in the north. ${"Costs fell in the south. Sales grew in the west. ".repeat(6)}`,
      ),
    ).toBe("fail");
    expect(run("repetition", TASK, `Revenue ${"rose ".repeat(15)}`)).toBe("fail");
  });

  test("is not a text with a recurring sentence, a refrain or a table", () => {
    expect(
      run(
        "repetition",
        TASK,
        `${sentence}Revenue rose. Costs fell. ${sentence}The year ends well.`,
      ),
    ).toBe("pass");
    expect(run("repetition", "Write a song with a chorus.", sentence.repeat(6))).not.toBe("fail");
    expect(run("repetition", TASK, "| a | b c d e |\n".repeat(9))).toBe("pass");
  });
});
