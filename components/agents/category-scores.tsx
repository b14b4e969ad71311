import Link from "next/link";
import { ProportionBar } from "@/components/charts/proportion-bar";

/** Shows the score in each category, the best first, linked to the category's leaderboard. */
export function CategoryScores({ scores }: { scores: Record<string, number> }) {
  const categories = Object.entries(scores).sort(([, a], [, b]) => b - a);
  if (categories.length === 0) return <p className="text-muted">No outcomes yet.</p>;
  return (
    <ul className="grid gap-3">
      {categories.map(([category, score]) => (
        <li key={category}>
          <ProportionBar
            label={
              <Link
                href={`/leaderboard/${category}`}
                prefetch={false}
                className="underline decoration-line hover:decoration-ink"
              >
                {category}
              </Link>
            }
            fraction={score / 100}
            value={score.toFixed(2)}
          />
        </li>
      ))}
    </ul>
  );
}
