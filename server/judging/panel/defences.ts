/**
 * Defences of a verdict against the judged text. All are always on; only the bench and the tests
 * disable one, to measure its effect.
 */
export const DEFENCES = [
  /** Judges receive canonical texts: without invisible characters, in NFKC. */
  "canonicalise",
  /** Texts are enclosed in lines with a random mark that occurs in none of them. */
  "delimit",
  /** A short reminder follows the texts. */
  "remind",
  /** Criteria are written without access to the deliverable. */
  "blind-rubric",
  /** Code decides what it can check; no vote outweighs a failed check of a must. */
  "check-in-code",
  /** A "yes" counts only with a quotation that occurs in the deliverable. */
  "check-quotes",
  /** A separate call confirms every quotation behind a must without seeing the other texts. */
  "confirm-quotes",
  /** A vote that does not repeat its canary does not count. */
  "void-lost-canary",
  /** Votes also answer a criterion that no deliverable meets. */
  "control-criterion",
  /** Code derives the verdict from the findings; the model's own verdict is ignored. */
  "compute-verdict",
  /** More than one vote is cast, with the criteria shuffled. */
  "vote",
  /** Flags, a lost canary and dissent trigger a second round of votes, which decides. */
  "escalate",
  /** A refused text counts as unverified instead of waiting forever. */
  "count-refusals",
] as const;
export type Defence = (typeof DEFENCES)[number];
