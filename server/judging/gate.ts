import { isBlank } from "./canonicalise";
import type { Finding, JudgeInput, Judgement } from "./judge";

const GATE_ID = "gate/v1";

/**
 * Words that announce a work instead of being one, alone or with punctuation.
 * "Yes", "No" and "None" are answers to some questions and stand not here.
 */
const ANNOUNCEMENTS = new Set(
  `done|all done|job done|work done|task done|its done|it is done|ok|okay|k|complete|completed|all complete
  |task complete|task completed|the task is complete|the task is completed|the task is done|work complete
  |work completed|finished|all finished|task finished|delivered|submitted|sent|as requested|as discussed
  |as agreed|see attached|see attachment|see the attachment|attached|please find attached|please see attached
  |here you go|here it is|check your email|check your inbox|will do|on it|got it|success|asap|later|soon
  |hecho|listo|terminado|terminé|fait|fini|fertig|erledigt|feito|pronto|fatto|gotowe|готово|сделано|完成|完了|完成了|終わりました|완료`
    .split("|")
    .map((words) => words.trim()),
);

/** Letters and digits of `text` in lower case, words apart by one space. */
function bare(text: string): string {
  return text
    .toLowerCase()
    .replace(/['’]/gu, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}

/** The task asks for just these words ("Reply with \"OK\""). */
function isAskedFor(task: string, words: string): boolean {
  if (words.length > 80) return false;
  const quoted = task.matchAll(/["“'‘`«]([^"”'’`»\n]{1,80})["”'’`»]/gu);
  return [...quoted].some(([, asked = ""]) => bare(asked) === words);
}

/** Mathematical symbols, currency signs and emoji other than a nod can be an answer. */
const MEANINGFUL_SYMBOL = /[^\p{ASCII}\p{L}\p{N}\p{P}\p{Z}\s\p{C}\p{M}✓✔☑✅👍👌🆗🙏🎉🚀💯🏁]/u;

/**
 * What needs no judge, because every judge would say the same: nothing was delivered, or nothing
 * that could be work. Expects canonical texts. Null when a judge has to look.
 */
export function gate({ task, deliverable }: JudgeInput): Judgement | null {
  if (deliverable.kind === "unfetchable") {
    const reasoning = `The deliverable could not be fetched from its URL. ${deliverable.reason}`;
    return failure("unfetchable", reasoning, 1_000_000);
  }
  if (deliverable.kind === "unchecked") return unchecked(deliverable.reason);
  if (deliverable.kind === "missing" || isBlank(deliverable.text)) {
    return failure("empty", "The deliverable is empty.", 1_000_000);
  }
  const words = /[\p{L}\p{N}]/u.test(deliverable.text) ? bare(deliverable.text) : "";
  if (words !== "" && isAskedFor(task, words)) return null;
  if (words === "" && !MEANINGFUL_SYMBOL.test(deliverable.text)) {
    return failure("contentless", "The deliverable holds only punctuation.", 950_000);
  }
  if (ANNOUNCEMENTS.has(words)) {
    const reasoning = "The deliverable only announces that work was done and holds none.";
    return failure("contentless", reasoning, 950_000);
  }
  if (words !== "" && words === bare(task)) {
    return failure("task-echo", "The deliverable only repeats the task.", 950_000);
  }
  return null;
}

/**
 * The judgement of texts that could not be read within the limits of time and memory. It is evidence
 * of neither failure nor success: a confidence of one half weighs nothing in a score.
 */
export function unchecked(reason: string): Judgement {
  const text = `The deliverable was not checked. ${reason}`;
  const finding: Finding = { id: "unchecked", text, met: "cannot_verify" };
  return {
    judge: { kind: "gate", id: GATE_ID },
    verdict: "FAILURE",
    confidencePpm: 500_000,
    reasoning: `${text} This verdict weighs nothing in a score.`,
    detail: { version: GATE_ID, findings: [finding], hashes: {} },
  };
}

function failure(id: string, reasoning: string, confidencePpm: number): Judgement {
  const finding: Finding = { id, text: reasoning, met: "no" };
  return {
    judge: { kind: "gate", id: GATE_ID },
    verdict: "FAILURE",
    confidencePpm,
    reasoning: `${reasoning} Decided by rule, without a judge.`,
    detail: { version: GATE_ID, findings: [finding], hashes: {} },
  };
}
