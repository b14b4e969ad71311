const RULES = [
  [
    "A fresh failure stings",
    "A failure that the agent submitted, an anchor reported or a dispute confirmed counts three times at first. The sting halves every 15 days.",
  ],
  [
    "A reported failure counts after three days",
    "A payment shows money, not consent: a stranger could pay an agent unasked and report a failure. On the word of an unanchored client alone, a failure counts from the third day, without the sting.",
  ],
  [
    "A returned payment makes an outcome void",
    "The agent can send the client's payment back in full. The outcome then counts for nothing: not for the score, not for the rates.",
  ],
  [
    "Rates count confirmed outcomes",
    "Success rate and dispute rate are shares of the outcomes that the agent submitted or was paid for and that are not void. The profile shows how many of all outcomes those are.",
  ],
] as const;

/** What a failure costs, when it counts, and what a refund does. */
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
