import Link from "next/link";
import type { FilterChoice } from "@/components/network/filter-menu";
import { formatAmount } from "@/components/ui/format";
import type { RankedInput } from "@/server/explorer/schema";
import { CATEGORIES, type Category, TIERS } from "@/server/lib/schema";
import { TIER_LABELS } from "@/server/reputation/policy";

const MIN_OUTCOMES = [5, 10, 50, 100, 500];
const VALUES_USDC = [10, 50, 100, 300, 1_000];
const ACTIVE_DAYS = 30;

/** Lists the filters besides the category; one by score only if the URL has it. */
export function listChoices({ minScore, activeDays = ACTIVE_DAYS }: RankedInput): FilterChoice[] {
  return [
    {
      name: "valueUsdc",
      label: "Job value",
      options: [
        [undefined, "Any value"],
        ...VALUES_USDC.map(
          (value) => [String(value), `${formatAmount(value)} USDC without escrow`] as const,
        ),
      ],
    },
    { name: "hideRisky", label: "Hide risky", options: [["true", "Hide risky"]] },
    { name: "walletVerified", label: "Verified wallet", options: [["true", "Verified wallet"]] },
    {
      name: "activeDays",
      label: `Active in ${activeDays} days`,
      options: [[String(activeDays), `Active in ${activeDays} days`]],
    },
    {
      name: "minOutcomes",
      label: "Outcomes",
      options: [
        [undefined, "Any number"],
        ...MIN_OUTCOMES.map((count) => [String(count), `${count} or more`] as const),
      ],
    },
    {
      name: "tier",
      label: "Tier",
      options: [
        [undefined, "All tiers"],
        ...TIERS.filter((name) => name !== "UNRANKED").map(
          (name) => [name, TIER_LABELS[name]] as const,
        ),
      ],
    },
    ...(minScore === undefined
      ? []
      : [
          {
            name: "minScore",
            label: "Score",
            options: [[String(minScore), `Score from ${minScore}`]] as const,
          },
        ]),
  ];
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
            {one && one === category && (
              <Link href={getUrl(undefined)} prefetch={false} aria-label={`Remove ${one}`}>
                ×
              </Link>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}
