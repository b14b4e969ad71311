import { createChoice, createSwitch, VALUE_CHOICE } from "@/components/network/choices";
import type { FilterChoice } from "@/components/network/filter-menu";
import { Link } from "@/components/ui/link";
import type { RankedInput } from "@/server/explorer/agent-list/schema";
import { labelCategory } from "@/server/lib/category-name";
import { CATEGORIES, type Category } from "@/server/lib/schema";
import { TIER_LABELS } from "@/server/reputation/policy";
import { PROVEN_WALLET } from "./agent-marks";

const MIN_OUTCOMES = [5, 10, 50, 100, 500];
const ACTIVE_DAYS = 30;

/** Lists the filters besides the category; one by score only if the URL has it. */
export const listChoices = ({
  minScore,
  activeDays = ACTIVE_DAYS,
}: RankedInput): FilterChoice[] => [
  VALUE_CHOICE,
  createSwitch("hideRisky", "true", "Hide risky"),
  createSwitch("walletVerified", "true", PROVEN_WALLET),
  createSwitch("activeDays", String(activeDays), `Active in ${activeDays} days`),
  createChoice(
    "minOutcomes",
    "Jobs",
    "Any number",
    Object.fromEntries(MIN_OUTCOMES.map((count) => [count, `${count} or more`])),
  ),
  createChoice("tier", "Tier", "All tiers", RANKED_TIERS),
  ...(minScore === undefined
    ? []
    : [createSwitch("minScore", String(minScore), `Score from ${minScore}`)]),
];

const { UNRANKED: _, ...RANKED_TIERS } = TIER_LABELS;

interface ChipsProps {
  category: Category | undefined;
  /** Returns the URL of a category's leaderboard, or of the one of all agents. */
  getUrl: (category: Category | undefined) => string;
}

/** Links to the leaderboard of each category. */
export function CategoryChips({ category, getUrl }: ChipsProps) {
  return (
    <nav aria-label="Categories" className="-mx-4 -my-1 overflow-x-auto px-4 py-1 sm:-mx-1 sm:px-1">
      <ul className="category-chips">
        {[undefined, ...CATEGORIES].map((one) => (
          <li key={one ?? ""}>
            <Link href={getUrl(one)} aria-current={one === category ? "page" : undefined}>
              {one ? labelCategory(one) : "All"}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
