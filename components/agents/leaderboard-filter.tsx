import { createChoice, createSwitch, VALUE_CHOICE } from "@/components/network/choices";
import type { FilterChoice } from "@/components/network/filter-menu";
import { Link } from "@/components/ui/link";
import { labelCategory } from "@/server/lib/category-name";
import { CATEGORIES, type Category } from "@/server/lib/schema";
import { TIER_LABELS } from "@/server/reputation/policy";

const { UNRANKED: _, ...RANKED_TIERS } = TIER_LABELS;

/** The filters besides the category. */
export const LEADERBOARD_CHOICES: readonly FilterChoice[] = [
  VALUE_CHOICE,
  createSwitch("hideRisky", "true", "Hide risky"),
  createSwitch("activeDays", "30", "Active in 30 days"),
  createChoice("tier", "Tier", "All tiers", RANKED_TIERS),
];

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
