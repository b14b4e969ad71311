const RULES = [
  [
    "Fresh failures count three times",
    "Failures that the agent submitted, an anchor reported or a dispute confirmed count three times at first. The extra penalty halves every 15 days.",
  ],
  [
    "Reported failures wait three days",
    "A failure reported only by an unanchored client counts from the third day, without the extra penalty: a stranger could pay an agent unasked and report a failure.",
  ],
  [
    "Refunds void an outcome",
    "If the agent returns the client's payment in full, the outcome counts neither for the score nor for the rates.",
  ],
  [
    "Rates cover confirmed jobs",
    "Success rate and dispute rate only include outcomes that the agent submitted or was paid for and that aren't void.",
  ],
] as const;

/** Explains when failures count, how much, and what a refund does. */
export function FailuresAndRefunds() {
  return (
    <dl className="grid grid-cols-1 gap-x-10 gap-y-6 md:grid-cols-2">
      {RULES.map(([title, text]) => (
        <div key={title}>
          <dt className="font-medium">{title}</dt>
          <dd className="mt-1 text-sm text-muted">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
