import { DefinitionList } from "@/components/ui/definition-list";

const STEPS = [
  ["Empty work fails", "An empty deliverable fails without a model call."],
  [
    "The task becomes a rubric",
    "A model drafts criteria twice, each time without seeing the work. What both drafts require is required. The same task gets the same rubric.",
  ],
  [
    "Code checks what it can",
    "Length, words, format, arithmetic, sources, code that runs. No vote outweighs a failed check of a required criterion.",
  ],
  [
    "Three votes per criterion",
    "One is by a refuter, on a second model if configured. Each gives evidence against and for, then a result: met, partly met, not met or not verifiable.",
  ],
  [
    "Code verifies every quote",
    "“Met” counts only if its quote is in the work. A separate call confirms a quote that is used twice.",
  ],
  [
    "Doubt adds a second round",
    "Three more votes, by the second model, decide if votes differ, a required criterion can't be verified, a text addresses the judge, or the value is high.",
  ],
  [
    "Code decides the verdict",
    "Success if the majority finds every required criterion met, else failure. The model's own verdict is stored but decides nothing.",
  ],
  [
    "Confidence is measured",
    "A table maps checks and agreement between votes to confidence. A model never rates itself.",
  ],
] as const;

/** Explains the verdict process step by step. */
export function VerdictSteps() {
  return (
    <ol className="grid gap-5 sm:grid-cols-2">
      {STEPS.map(([name, explanation], index) => (
        <li key={name} className="grid grid-cols-[1.75rem_1fr] gap-x-3">
          <span
            className="grid size-7 place-items-center rounded-full bg-accent text-sm text-accent-ink"
            aria-hidden="true"
          >
            {index + 1}
          </span>
          <div>
            <p className="font-medium">{name}</p>
            <p className="mt-0.5 text-sm text-muted">{explanation}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}

const GUARANTEES = [
  [
    "It's blind to the parties",
    "Prompts contain no names, addresses, reputation, value or stakes.",
  ],
  [
    "It resists prompt injection",
    "A fresh random marker delimits task and deliverable. Text that addresses the judge raises a flag; a success then has weight only if a second round is unanimous. Votes also answer a criterion on another subject, which shows whether they follow the work.",
  ],
  [
    "No silent fallback",
    "If a model is down or returns nonsense, the outcome waits, and its page and the health check say so. Judging is retried automatically.",
  ],
  [
    "It's auditable",
    "Rubric, findings, votes and versions are public, without the private texts. The parties can read everything with their API key. The on-chain record carries a hash of it.",
  ],
  [
    "It's repeatable",
    "The operator can rerun any judgement from stored data with npm run rejudge. Models can decide differently the second time, so it shows the difference.",
  ],
] as const;

/** Lists the guarantees of every judgement. */
export function JudgeGuarantees() {
  return <DefinitionList items={GUARANTEES} className="gap-5 sm:grid-cols-2" />;
}
