/**
 * What protects a verdict from the text that is judged. All are always on; only the bench and the
 * tests take one out, to see what it is worth.
 */
export const DEFENCES = [
  /** Invisible characters out, NFKC. */
  "canonicalise",
  /** Fresh random delimiter, JSON-encoded material, forged delimiters escaped. */
  "delimit",
  /** A short reminder after the material. */
  "remind",
  /** Criteria are written without sight of the deliverable. */
  "blind-rubric",
  /** A "yes" counts only with a quotation that stands in the deliverable. */
  "check-quotes",
  /** The verdict is drawn by code from the findings, not taken from the model. */
  "compute-verdict",
  /** More than one vote, criteria shuffled. */
  "vote",
  /** Flags, canary and dissent ask for more votes. */
  "escalate",
  /** A refused text counts as unverified instead of waiting for ever. */
  "count-refusals",
] as const;
export type Defence = (typeof DEFENCES)[number];
