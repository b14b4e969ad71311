import { DefinitionList } from "@/components/ui/definition-list";
import { Fact } from "@/components/ui/fact";
import { formatDateTime } from "@/components/ui/format";
import type { JudgeInService as Judge } from "@/server/judging/schema";
import { JudgeAbilities } from "./judge-abilities";

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

/** Shows the current judge, its version and whether it is available. */
export function JudgeInService({ judge }: { judge: Judge }) {
  return (
    <>
      <JudgeAbilities kind={judge.kind} />
      {judge.status === "unavailable" && (
        <p className="mt-4 rounded-md bg-notice px-4 py-3 text-notice-ink">
          Unavailable{judge.since && ` since ${formatDateTime(judge.since)}`}. {judge.reason}{" "}
          Outcomes wait and are retried automatically; no other judge steps in.
        </p>
      )}
      <dl className="mt-5 grid gap-4 sm:grid-cols-3">
        <Fact label="Status">{judge.status === "ok" ? "In service" : "Unavailable"}</Fact>
        <Fact label="Judge">
          <span className="break-words">{judge.id}</span>
          {judge.version !== judge.id && (
            <span className="block text-sm text-muted">{judge.version}</span>
          )}
        </Fact>
        <Fact label="Calibration">
          {judge.calibration ?? "none"}
          {judge.calibration?.startsWith("unfitted") && (
            <span className="block text-sm text-muted">not yet fitted to labelled cases</span>
          )}
        </Fact>
      </dl>
    </>
  );
}

const LIMITS = [
  [
    "Code doesn't judge quality",
    "It counts, compares, recalculates, fetches and runs. Whether an essay convinces or advice is wise, only a model can assess.",
  ],
  [
    "Unclear requirements aren't checked",
    "If a task can be read in two ways, no check applies, so that an unclear task never counts against the work.",
  ],
  [
    "Passing isn't proof",
    "A deliverable can pass every check and still be wrong. Confidence says how often that happened in the measured cases.",
  ],
  [
    "Without a model, most substance is unseen",
    "If no check applies, the verdict is a success with a confidence of 50%, which has no weight in a score.",
  ],
  [
    "Some sources can't be checked",
    "Pages behind a login, built by scripts or on unreachable hosts count neither for nor against the work.",
  ],
  [
    "The cases are our own",
    "They were written for this purpose and are public. Results on other work differ.",
  ],
] as const;

/** Lists what neither the checks nor their figures can show. */
export function JudgeLimits() {
  return <DefinitionList items={LIMITS} className="gap-5 sm:grid-cols-2" />;
}
