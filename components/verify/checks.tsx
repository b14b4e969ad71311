const CHECKS = [
  [
    "Nothing is missing",
    "Record numbers have no gaps; the hash chain ends in the contract's head.",
  ],
  ["Verdicts are the recorded ones", "Every listed outcome is on chain, with the same fields."],
  ["Evidence is unchanged", "Its hash is the one in the record."],
  ["The score follows", "Score, tier, counts and rates, recomputed with the published formula."],
] as const;

/** Lists what a check covers. */
export function Checks() {
  return (
    <ol className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
      {CHECKS.map(([title, text], index) => (
        <li key={title} className="flex gap-3">
          <span
            aria-hidden="true"
            className="grid size-6 shrink-0 place-items-center rounded-full bg-sunken text-xs font-semibold text-muted"
          >
            {index + 1}
          </span>
          <div>
            <p className="font-medium">{title}</p>
            <p className="text-sm text-muted">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
