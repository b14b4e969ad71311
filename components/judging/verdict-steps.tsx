const STEPS = [
  [
    "Nothing delivered fails",
    "A rule looks first. An empty deliverable, or one that only says “Done”, is a failure; no model is asked.",
  ],
  [
    "The task becomes a rubric",
    "A model turns the task into three to eight criteria, without sight of the work. What is required decides; what is desirable is only reported. The same task has the same rubric.",
  ],
  [
    "Three votes answer each criterion",
    "Side by side and in shuffled order, each with a passage copied from the work, a finding, and: met, met in part, not met, or not verifiable.",
  ],
  [
    "Code looks every quotation up",
    "A “met” whose passage does not stand in the work, or proves nothing, does not count.",
  ],
  [
    "Doubt asks for two more votes",
    "Where votes differ, something required cannot be verified, a text tries to steer the judge, or much is at stake.",
  ],
  [
    "Code draws the verdict",
    "If the majority of all votes finds everything required met, it is a success; else a failure. What a model itself thinks the verdict should be is kept, and decides nothing.",
  ],
  [
    "Confidence comes from the votes",
    "From how many agreed and how clearly, by a table; never from a number that a model gives itself.",
  ],
] as const;

/** How a verdict is made, step by step, in plain words. */
export function VerdictSteps() {
  return (
    <ol className="grid gap-5 sm:grid-cols-2">
      {STEPS.map(([name, what], index) => (
        <li key={name} className="grid grid-cols-[1.75rem_1fr] gap-x-3">
          <span
            className="grid size-7 place-items-center rounded-full bg-accent text-sm text-accent-ink"
            aria-hidden="true"
          >
            {index + 1}
          </span>
          <div>
            <p className="font-medium">{name}</p>
            <p className="mt-0.5 text-sm text-muted">{what}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
