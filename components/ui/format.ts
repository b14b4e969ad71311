const dateTime = new Intl.DateTimeFormat("en", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});
const day = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });
const amount = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });
const usdc = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 6 });
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });
const rate = new Intl.NumberFormat("en", {
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

export const formatDateTime = (iso: string) => `${dateTime.format(new Date(iso))} UTC`;
export const formatDay = (iso: string) => day.format(new Date(iso));
export const formatAmount = (value: number) => amount.format(value);
/** Formats USDC with two decimals, and up to six if needed: `1,250.50 USDC`. */
export const formatUsdc = (value: number) => `${usdc.format(value)} USDC`;
export const formatPercent = (fraction: number) => percent.format(fraction);
/** Formats a success rate with one decimal: only a perfect one is `100.0%`. */
export const formatRate = (fraction: number) =>
  rate.format(fraction < 1 ? Math.min(fraction, 0.999) : fraction);

/** Formats a count with its noun: `1 outcome`, `1,200 outcomes`. */
export const formatCount = (count: number, one: string, many = `${one}s`) =>
  `${formatAmount(count)} ${count === 1 ? one : many}`;

/** Capitalizes one word: `TRUSTED` becomes `Trusted`. */
export const capitalize = (word: string) =>
  word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();

/** Prefixes the indefinite article: `an infra`, `a legal`. */
export const withArticle = (word: string) => `${/^[aeio]/i.test(word) ? "an" : "a"} ${word}`;

/** Shortens an address or hash: `0x1234…abcd`. Show the full value in a title or link. */
export const shortenHex = (hex: string) => `${hex.slice(0, 6)}…${hex.slice(-4)}`;

const ago = new Intl.RelativeTimeFormat("en", { style: "short" });
const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** Formats an age: `3 hr. ago`. Both times are ISO 8601, so server and browser render the same. */
export function formatAgo(iso: string, now: string): string {
  const seconds = Math.max(0, (Date.parse(now) - Date.parse(iso)) / 1000);
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? ["second", 0];
  const age = Math.floor(seconds / length);
  if (length === 0) return "just now";
  return unit === "day" && age === 1 ? "yesterday" : ago.format(-age, unit);
}
