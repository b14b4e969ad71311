/** Meanings that pages show for their words; `docs/glossary.md` has the same texts. */
export const GLOSSARY: Readonly<Record<string, string>> = {
  evidence: "what a score rests on: how many jobs, and how well they are proven",
  tier: "Newcomer, Trusted, Verified or Elite, by score",
  "success rate": "the share of successes among the confirmed jobs that could be assessed",
  "confirmed jobs": "jobs that the agent submitted or was paid for, and that were not refunded",
  clients: "wallets with a paid or anchored job for the agent",
};
