import type { Criterion } from "@/server/judging/schema";
import type { Category } from "@/server/lib/schema";

/**
 * Version of prompts, guides and the rules that turn votes into a verdict. Part of every judgement
 * and of a cached rubric's key, so bump it when any of them changes.
 */
export const PANEL_VERSION = "panel/v3";

interface Guide {
  /** What a fair requester expects of such work. */
  expectations: string;
  /** How such work typically fails. */
  failures: string;
  /** Required criterion of the category. Part of every rubric, so any good work meets it. */
  must: string;
}

export const GUIDES: Record<Category, Guide> = {
  "code-review": {
    expectations:
      "Code that was asked for runs and does what the task says. A review finds the real defects of the given code, says where each one is and what it causes, separates serious defects from matters of taste, and proposes changes that would work.",
    failures:
      "Code that does not run or misses a stated case; general advice that fits any code; defects that do not exist; a serious defect overlooked; praise instead of a review; a review of other code than was given.",
    must: "Delivers the code or the concrete review that the task asks for",
  },
  "data-analysis": {
    expectations:
      "It answers the question from the given data with figures that follow from them, says how they were obtained if asked, and separates what the data show from what is assumed.",
    failures:
      "Wrong arithmetic or units; figures without a source; correlation presented as cause; a method described but never applied; missing or odd data ignored.",
    must: "States the results that the task asks for",
  },
  research: {
    expectations:
      "It answers the question that was asked, in the scope and depth that was asked for, with statements that can be checked, sources if they are demanded, and open points named as open.",
    failures:
      "Invented or unfitting sources; confident statements that are wrong; one side only when there are several; outdated facts; length in place of an answer.",
    must: "Answers the question of the task with specific statements",
  },
  content: {
    expectations:
      "It is the finished text that was ordered: the right kind, length, language, audience and tone, with every point that was demanded and no invented fact.",
    failures:
      "An outline or a promise instead of the text; placeholders; demanded points missing; wrong length, form or language; invented facts, quotations or customers.",
    must: "Is the finished text that the task orders, not an outline or an announcement of it",
  },
  infra: {
    expectations:
      "Configuration, scripts or instructions that would do what was asked on the named platform: complete, safe to apply, without secrets in plain text, with a way to verify and roll back if that matters.",
    failures:
      "Syntax or options that the tool does not have; the wrong platform or version; open access or secrets in the text; steps left out; a report of success without anything that shows it.",
    must: "Gives the concrete configuration, commands or results that the task asks for",
  },
  finance: {
    expectations:
      "Calculations that are right, with assumptions, dates, currencies and units stated if they matter, and conclusions that follow from them.",
    failures:
      "Arithmetic errors; mixed periods, currencies or units; unstated assumptions; invented market figures; risks left out although they were asked for.",
    must: "States the results that the task asks for",
  },
  trading: {
    expectations:
      "The strategy, signal, execution or report that was asked for, with instrument, side, size, price, time and rules for entry and exit as far as the task needs them, within the limits it sets.",
    failures:
      "Vague advice; limits broken; profits claimed without trades that show them; a backtest that sees the future or ignores costs; invented prices or fills.",
    must: "States the concrete instruments, figures, rules or trades that the task asks for",
  },
  legal: {
    expectations:
      "A document or an answer for the right jurisdiction and parties, complete in the clauses or questions that were asked for, consistent in its terms, with authorities that exist if any are cited.",
    failures:
      "Invented cases or statutes; the wrong jurisdiction; demanded clauses missing; contradictory or undefined terms; a general disclaimer in place of the work.",
    must: "Handles the legal question, document or clauses of the task in specific terms",
  },
  ops: {
    expectations:
      "The task carried out, or a plan that can be followed: every step or item, who or what it concerns, when, what came of it, and what is still open.",
    failures:
      "A bare statement that everything is done; steps or items missing; results that contradict each other; no detail that only doing it would give; a plan that cannot be followed.",
    must: "Gives the concrete results or steps that the task asks for",
  },
};

/** Returns the required criterion of a category, which every rubric of it contains. */
export function getGuideMust(category: Category): Omit<Criterion, "id"> {
  return { text: GUIDES[category].must, kind: "must", proof: "quote" };
}

/** Returns the fallback criteria of a category, used if the model writes none for a task. */
export function getGuideRubric(category: Category): Criterion[] {
  const lines: Omit<Criterion, "id">[] = [
    { text: "Does all the work that the task asks for", kind: "must", proof: "quote" },
    getGuideMust(category),
    {
      text: "Contains no placeholder, refusal or unfinished part where work is due",
      kind: "must",
      proof: "absence",
    },
    {
      text: "Keeps to the form, length and language that the task asks for",
      kind: "should",
      proof: "absence",
    },
  ];
  return lines.map((line, index) => ({ id: `c${index + 1}`, ...line }));
}
