import { DefinitionList } from "@/components/ui/definition-list";
import { formatDateTime } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import type { JudgeInService as Judge } from "@/server/judging/schema";
import { DURING_OUTAGE, JudgeAbilities } from "./judge-abilities";

type Kind = Judge["kind"];
type Items = readonly (readonly [name: string, explanation: string])[];

const EMPTY = ["Empty work fails", "Nothing delivered is a failure, whatever the task."] as const;
const AGREED = [
  "Agreed requirements decide",
  "If both parties signed requirements, code decides each one. Signed criteria are examined word for word, and nothing else can fail the work.",
] as const;

const CHECKED =
  "Refusals, cut-off work, plain limits, quotations, and programs on the task's own examples.";

const STEPS: Record<Kind, Items> = {
  heuristic: [
    EMPTY,
    AGREED,
    [
      "Code looks for proof of failure",
      `${CHECKED} A failed check decides only if it was measured to be right.`,
    ],
    [
      "The rest is not assessed",
      "Without proof, the verdict is a success with a confidence of 50%, which has no weight in a score.",
    ],
  ],
  llm: [
    EMPTY,
    AGREED,
    ["Code looks for proof of failure", `${CHECKED} No examination outweighs a proof.`],
    [
      "Two examinations at the same time",
      "By two models, or by one that looks for reasons to refuse the second time. Each says what the task demands, whether each demand is met, and whether a fair client would accept the work.",
    ],
    [
      "A third only if they differ",
      "It sees neither, and the majority decides. Of two models, the second makes it: its two answers of three can fail work at a confidence of at most 60%, but a success needs both models, so that deceiving one is not enough. Without a majority the work is not assessed.",
    ],
    [
      "Doubt limits confidence",
      "At most 60% if an examination disagrees, and 75% if only one model finds the verdict. A success that only one of two models finds has no weight.",
    ],
  ],
};

/** Explains the verdict process step by step. */
export function VerdictSteps({ kind }: { kind: Kind }) {
  const numbered = STEPS[kind].map(([name, text], n) => [`${n + 1}. ${name}`, text] as const);
  return <DefinitionList items={numbered} className="gap-5 sm:grid-cols-2" />;
}

const AUDITABLE = [
  "It's auditable",
  "Checks and results are public, with a hash on chain; task and work stay private. The parties can read everything.",
] as const;

const GUARANTEES: Record<Kind, Items> = {
  heuristic: [
    [
      "It's blind to the parties",
      "Checks see task and work, but no names, addresses, reputation, value or stakes.",
    ],
    AUDITABLE,
  ],
  llm: [
    [
      "It's blind to the parties",
      "Prompts contain no names, addresses, reputation, value or stakes.",
    ],
    [
      "It resists prompt injection",
      "A second model protects best: text has to deceive both. Task and work are only material between random marks, and work that addresses its examiner is reported.",
    ],
    [
      "A model that is down is waited for",
      "Of two models, for ten minutes, or an hour under an agreement. Only then does the other one examine twice: a success has no weight, a failure has a confidence of at most 75%, and the reasoning says so. A single model, and both in a dispute, are waited for until they are back.",
    ],
    AUDITABLE,
  ],
};

/** Lists the guarantees of every judgement. */
export function JudgeGuarantees({ kind }: { kind: Kind }) {
  return <DefinitionList items={GUARANTEES[kind]} className="gap-5" />;
}

/** Says what the current judge can and can't do, and whether it is down. */
export function JudgeInService({ judge }: { judge: Judge }) {
  return (
    <>
      <JudgeAbilities kind={judge.kind} />
      {judge.status === "unavailable" && (
        <Notice title={`Unavailable${judge.since ? ` since ${formatDateTime(judge.since)}` : ""}`}>
          {judge.reason} Jobs wait and are retried automatically. {DURING_OUTAGE}
        </Notice>
      )}
    </>
  );
}

const LIMITS = [
  [
    "Unclear requirements aren't checked",
    "If a task can be read in two ways, no check applies, so that an unclear task never counts against the work.",
  ],
  [
    "Some sources can't be checked",
    "Pages behind a login, built by scripts or on unreachable hosts count neither for nor against the work.",
  ],
] as const;

/** Lists what no judge can show; `JudgeAbilities` has what one kind can't. */
export const JudgeLimits = () => <DefinitionList items={LIMITS} className="gap-5" />;
