const PROMISES = [
  [
    "It does not know whose work it is",
    "Names, addresses, reputation, value and stakes are in no prompt.",
  ],
  [
    "What it reads cannot give it orders",
    "Task and deliverable are marked off as material with a fresh random mark each time. Words that address the judge raise a flag, and a flag asks for more votes.",
  ],
  [
    "It never falls back in silence",
    "A model that is down or answers nonsense leaves the outcome waiting, which its page and the service's health say. It is tried again by itself.",
  ],
  [
    "It can be looked into",
    "Rubric, findings, votes and versions are public without the parties' texts; the parties can read all of it with their key. The record on chain carries a hash of it.",
  ],
  [
    "It can be asked again",
    "Whoever runs the service can repeat a judgement from what is kept and see the difference: npm run rejudge. A model need not say the same twice; that is why the difference is shown.",
  ],
] as const;

/** What holds of every judgement. */
export function JudgePromises() {
  return (
    <dl className="grid gap-5 sm:grid-cols-2">
      {PROMISES.map(([name, what]) => (
        <div key={name}>
          <dt className="font-medium">{name}</dt>
          <dd className="mt-0.5 text-sm text-muted">{what}</dd>
        </div>
      ))}
    </dl>
  );
}
