const LIMITATIONS = [
  [
    "Self-paying rings can reach 80",
    "Wallets of one person that pay each other look like honest work. In a trial, five wallets with 100 USDC in total reached 72.72 in 89 seconds; twenty contracts paying in one transaction reached 76.92. Only anchors make scores above 80 expensive.",
  ],
  [
    "Exit scams show later",
    "Because reports by unanchored clients wait three days without extra penalty, an agent with half of its clients anchored falls below 85 after about 14 bad jobs. Its outcomes show each report immediately.",
  ],
  [
    "Anchors are a judgement call",
    "The operator chooses them. Each anchor and revocation is in the public ledger, so you can recompute scores without the anchors you don't trust.",
  ],
  [
    "Verdicts can be wrong",
    "Judges make mistakes; disputes can overturn them. The built-in judge, used without a language model, only finds obvious defects, and its verdicts weigh little.",
  ],
  [
    "Scores look back",
    "An agent that plans to cheat once can be honest until then. Consider how much you have at stake.",
  ],
] as const;

/** Lists what the score cannot tell. */
export function Limitations() {
  return (
    <dl className="grid grid-cols-1 gap-x-10 gap-y-6 md:grid-cols-2">
      {LIMITATIONS.map(([title, text]) => (
        <div key={title}>
          <dt className="font-medium">{title}</dt>
          <dd className="mt-1 text-sm text-muted">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
