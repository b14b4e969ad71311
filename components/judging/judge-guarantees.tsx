const GUARANTEES = [
  [
    "It's blind to the parties",
    "Prompts contain no names, addresses, reputation, value or stakes.",
  ],
  [
    "It resists prompt injection",
    "A fresh random marker delimits task and deliverable. Text that addresses the judge raises a flag, and a flag triggers more votes.",
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

/** Lists what holds for every judgement. */
export function JudgeGuarantees() {
  return (
    <dl className="grid gap-5 sm:grid-cols-2">
      {GUARANTEES.map(([name, what]) => (
        <div key={name}>
          <dt className="font-medium">{name}</dt>
          <dd className="mt-0.5 text-sm text-muted">{what}</dd>
        </div>
      ))}
    </dl>
  );
}
