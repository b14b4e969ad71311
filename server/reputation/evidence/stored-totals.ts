import type { Backing } from "@/server/reputation/score/weigh-outcome";

/** Good and bad evidence as decimal strings: they exceed the range of exact doubles. */
type StoredSums = Record<Backing, [good: string, bad: string]>;

/** The sums of a wallet's evidence on one day, as stored beside its reputation. */
export interface StoredTotals {
  /** The `version` of the reputation that the sums belong to. */
  version: number;
  /** UTC day of the decay, counted from 1970-01-01. */
  day: number;
  /** Evidence after the cap per requester, overall and by category. */
  overall: StoredSums;
  categories: Record<string, StoredSums>;
  outcomes: number;
  counted: number;
  successes: number;
  disputed: number;
  /** UTC day of the first success that is paid or anchored; null if there is none. */
  firstBackedDay: number | null;
}
