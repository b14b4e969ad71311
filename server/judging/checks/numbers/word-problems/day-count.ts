import { Exact } from "@/server/judging/checks/numbers/figures";

const MONTHS =
  "january february march april may june july august september october november december".split(
    " ",
  );
const DATE = `(${MONTHS.join("|")}) (\\d{1,2}),? (\\d{4})`;
const DAYS = new RegExp(
  `^\\W*how many days (?:are|were) (?:there )?(?:between|from) ${DATE},? (?:and|to|until) ${DATE}\\s?\\?\\s*$`,
  "i",
);
const MILLISECONDS = 86_400_000;

/** Returns the days between the two dates that a question names, with and without the last one. */
export function countDays(task: string): Exact[] | null {
  const match = DAYS.exec(task);
  if (!match) return null;
  const [from, to] = [match.slice(1, 4), match.slice(4, 7)].map(([month = "", day, year]) =>
    Date.UTC(Number(year), MONTHS.indexOf(month.toLowerCase()), Number(day)),
  );
  const days = new Exact((to ?? 0) - (from ?? 0)).div(MILLISECONDS);
  return [days, days.plus(1)];
}
