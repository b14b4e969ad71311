import Link from "next/link";
import { formatCount } from "@/components/ui/format";
import type { RankedInput } from "@/server/explorer/schema";
import { CATEGORIES, type Category, TIERS } from "@/server/lib/schema";
import { TIER_LABELS } from "@/server/reputation/policy";

type Options = readonly (readonly [value: string, label: string])[];

const ACTIVE_DAYS: Options = [
  ["", "Active any time"],
  ["1", "Active in 24 hours"],
  ["7", "Active in 7 days"],
  ["30", "Active in 30 days"],
  ["90", "Active in 90 days"],
];
const TIER_OPTIONS: Options = [
  ["", "All tiers"],
  ...TIERS.filter((name) => name !== "UNRANKED").map((name) => [name, TIER_LABELS[name]] as const),
];

interface Props {
  query: RankedInput;
  /** Path of the leaderboard. */
  path: string;
  /** The same list without filters. */
  clearUrl: string;
}

/** Whether the query has a filter besides the category. */
export const isFiltered = ({ tier, minScore, activeDays }: RankedInput) =>
  tier !== undefined || minScore !== undefined || activeDays !== undefined;

/**
 * Filters the leaderboard with a plain form, whose state is in the URL. It is a row on wide screens
 * and a sheet on narrow ones; both work without JavaScript.
 */
export function LeaderboardFilter({ query, path, clearUrl }: Props) {
  const { tier, minScore, activeDays, sort, size } = query;
  const count = [tier, minScore, activeDays].filter((value) => value !== undefined).length;
  return (
    <>
      <button type="button" popoverTarget="filters" className="leaderboard-filter-button">
        {count > 0 ? formatCount(count, "filter") : "Filter"}
      </button>
      <form
        id="filters"
        popover="auto"
        action={path}
        aria-label="Filter the leaderboard"
        className="leaderboard-filter"
      >
        <p className="font-serif text-xl font-semibold">Filter</p>
        <Select label="Tier" name="tier" value={tier} options={TIER_OPTIONS} />
        <label>
          <span>Minimum score</span>
          <input
            name="minScore"
            type="number"
            min={0}
            max={100}
            step="any"
            inputMode="decimal"
            placeholder="Min. score"
            defaultValue={minScore ?? ""}
          />
        </label>
        <Select label="Last active" name="activeDays" value={activeDays} options={ACTIVE_DAYS} />
        {sort !== "score" && <input type="hidden" name="sort" value={sort} />}
        {size !== DEFAULT_SIZE && <input type="hidden" name="size" value={size} />}
        <button type="submit">Apply</button>
        {count > 0 && (
          <Link href={clearUrl} prefetch={false}>
            Clear
          </Link>
        )}
      </form>
    </>
  );
}

/** Rows of a page unless the URL says otherwise. */
export const DEFAULT_SIZE = 25;

interface SelectProps {
  label: string;
  name: string;
  value: string | number | undefined;
  options: Options;
}

function Select({ label, name, value, options }: SelectProps) {
  return (
    <label>
      <span>{label}</span>
      <select name={name} defaultValue={value ?? ""}>
        {options.map(([option, optionLabel]) => (
          <option key={option} value={option}>
            {optionLabel}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ChipsProps {
  category: Category | undefined;
  /** Returns the URL of a category's leaderboard, or of the one of all agents. */
  getUrl: (category: Category | undefined) => string;
}

/** Links to the leaderboard of each category. */
export function CategoryChips({ category, getUrl }: ChipsProps) {
  return (
    <nav aria-label="Categories" className="-mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0">
      <ul className="category-chips">
        {[undefined, ...CATEGORIES].map((one) => (
          <li key={one ?? ""}>
            <Link
              href={getUrl(one)}
              prefetch={false}
              aria-current={one === category ? "page" : undefined}
            >
              {one ?? "All"}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
