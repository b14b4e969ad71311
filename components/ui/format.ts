// Dates and numbers are put together here: the first format that a page creates of `Intl` freezes a
// phone for up to 100 ms while the page loads. Times are UTC, given as ISO 8601 or in milliseconds.

/** Formats a number with commas, rounded to `most` decimals; of these, zeros end at `least`. */
function formatNumber(value: number, least: number, most: number): string {
  const [whole = "", decimals = ""] = Math.abs(value).toFixed(most).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const kept = decimals.replace(/0+$/, "").padEnd(least, "0");
  const number = kept ? `${grouped}.${kept}` : grouped;
  return value < 0 && /[1-9]/.test(number) ? `−${number}` : number;
}

const SIZES = [
  ["B", 1e9],
  ["M", 1e6],
  ["K", 1e3],
] as const;
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** Formats `8:05 PM`. */
export function formatClock(time: string | number): string {
  const date = new Date(time);
  const hours = date.getUTCHours();
  const minutes = String(date.getUTCMinutes()).padStart(2, "0");
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? "AM" : "PM"}`;
}
/** Formats `Nov`. */
export const formatMonthName = (time: string | number) =>
  MONTHS[new Date(time).getUTCMonth()] as string;
/** Formats `Nov 2026`. */
export const formatMonth = (time: string | number) =>
  `${formatMonthName(time)} ${new Date(time).getUTCFullYear()}`;
/** Formats `Nov 22`. */
export const formatDayOfYear = (time: string | number) =>
  `${formatMonthName(time)} ${new Date(time).getUTCDate()}`;
/** Formats `Nov 22, 2026`. */
export const formatDay = (time: string | number) =>
  `${formatDayOfYear(time)}, ${new Date(time).getUTCFullYear()}`;
/** Formats `8:05 PM UTC`. */
export const formatTime = (time: string | number) => `${formatClock(time)} UTC`;
/** Formats `Nov 22, 2026, 8:05 PM UTC`. */
export const formatDateTime = (time: string | number) => `${formatDay(time)}, ${formatTime(time)}`;

/** Formats up to six decimals: `1,250.5`. */
export const formatAmount = (value: number) => formatNumber(value, 0, 6);
/** Formats a number of three digits at most: `850`, `1.2K`, `35M`. */
export function formatCompact(value: number): string {
  const [suffix, size] = SIZES.find(([, size]) => value >= size) ?? ["", 1];
  return formatNumber(value / size, 0, value / size < 10 ? 1 : 0) + suffix;
}
/** Formats USDC with two decimals, and up to six if needed: `1,250.50 USDC`. */
export const formatUsdc = (value: number) => `${formatNumber(value, 2, 6)} USDC`;
/** Formats a limit or the value of a job, without cents if they are zero: `1,250 USDC`, `12.50 USDC`. */
export const formatValue = (value: number) => formatUsdc(value).replace(".00 ", " ");
/** Formats a score, or an amount of evidence, with two decimals: `76.20`. */
export const formatScore = (value: number) => formatNumber(value, 2, 2);
/** Returns the difference of two scores as they are shown, so that a reader who subtracts finds the same. */
export const subtractAsShown = (a: number, b: number) =>
  (Math.round(a * 100) - Math.round(b * 100)) / 100;
/** Formats a fraction with up to `decimals`: `12.5%`; only a whole is `100%`. */
export const formatPercent = (fraction: number, decimals = 1) =>
  `${formatNumber(limitPercent(fraction, decimals), 0, decimals)}%`;
/**
 * Formats a success rate with one decimal: only a perfect one is `100.0%`. If not all of the counted jobs
 * were assessed, says how many: `50.0% of 4 assessed`.
 */
export const formatSuccessRate = (fraction: number | null, assessed = 0, counted = 0) =>
  fraction === null
    ? "Not assessed"
    : `${formatNumber(limitPercent(fraction, 1), 1, 1)}%${assessed < counted ? ` of ${formatAmount(assessed)} assessed` : ""}`;

/**
 * Formats the quality and the confidence of a score. Scores are rounded down; confidence is rounded to
 * what the score leaves of it, so that the figures multiply to the score.
 */
export function formatFactors(quality: number, confidence: number, score: number) {
  const shown = formatPercent(quality, 2);
  const rest = score > 0 ? score / Number.parseFloat(shown) : confidence;
  return [shown, formatPercent(rest, 2)] as const;
}

/** Converts to percent; keeps what is below a whole from being rounded up to it. */
const limitPercent = (fraction: number, decimals: number) =>
  fraction < 1 ? Math.min(fraction * 100, 100 - 10 ** -decimals) : fraction * 100;

/** Formats a duration in seconds: `12.3 s`. */
export const formatSeconds = (ms: number) =>
  ms < 100 ? "less than 0.1 s" : `${formatNumber(ms / 1_000, 1, 1)} s`;

/** Formats a place on the leaderboard: `#3`; a score of zero has none. */
export const formatRank = (rank: number | null, score: number) =>
  rank === null || score === 0 ? "–" : `#${formatAmount(rank)}`;

/** Formats a count with its noun: `1 outcome`, `1,200 outcomes`. */
export const formatCount = (count: number, one: string, many = `${one}s`) =>
  `${formatAmount(count)} ${count === 1 ? one : many}`;

/** Capitalizes one word: `TRUSTED` becomes `Trusted`. */
export const capitalize = (word: string) => capitalizeFirst(word.toLowerCase());

/** Capitalizes the first letter of a text. */
export const capitalizeFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Prefixes the indefinite article: `an infra`, `a legal`. */
export const withArticle = (word: string) => `${/^[aeio]/i.test(word) ? "an" : "a"} ${word}`;

/** Shortens an address or hash: `0x1234…abcd`. Show the full value in a title or link. */
export const shortenHex = (hex: string) => `${hex.slice(0, 6)}…${hex.slice(-4)}`;

const DAY_SECONDS = 86_400;
const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", DAY_SECONDS],
  ["hour", 3_600],
  ["minute", 60],
] as const;
const TIME_LEFT_UNITS = UNITS.slice(2);

/** Formats the time until a deadline by its largest unit: `6 days left`. Two days and more are rounded. */
export function formatTimeLeft(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const [unit, length] = TIME_LEFT_UNITS.find(([, length]) => seconds >= length) ?? ["second", 1];
  const round = seconds >= 2 * DAY_SECONDS ? Math.round : Math.floor;
  return `${formatCount(round(seconds / length), unit)} left`;
}

/**
 * Formats an age: `3 hours ago`; from 24 hours on in days of the calendar, so that a time and its day have
 * the same. Both times are ISO 8601, so server and browser render the same.
 */
export function formatAgo(iso: string, now: string): string {
  const [from = 0, to = 0] = [iso, now].map((time) => Date.parse(time) / 1000);
  const days = Math.floor(to / DAY_SECONDS) - Math.floor(from / DAY_SECONDS);
  const seconds = to - from < DAY_SECONDS ? Math.max(0, to - from) : days * DAY_SECONDS;
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? ["", 0];
  if (length === 0) return "just now";
  const age = Math.floor(seconds / length);
  return unit === "day" && age === 1 ? "yesterday" : `${formatCount(age, unit)} ago`;
}
