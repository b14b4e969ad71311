// Apart from the comparison, which would load cryptography into the page.

/** What no comparison with the ledger shows, whatever its result. */
export const UNPROVEN =
  "This can't prove that the verdicts are right, nor who the anchors are, nor what signed terms reserve of a limit.";
