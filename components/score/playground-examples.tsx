import Link from "next/link";
import type { SimulateInput } from "@/server/reputation/schema";

type Example = Omit<SimulateInput, "judgeConfidence" | "valueUsdc"> & { valueUsdc?: number };

const EXAMPLES: [name: string, agent: Example][] = [
  ["Three good jobs", job({ successes: 3, paying: 3, firstDaysAgo: 10 })],
  [
    "Reliable for a year",
    job({
      successes: 150,
      failures: 1,
      anchored: 12,
      paying: 12,
      claiming: 6,
      firstDaysAgo: 365,
      failedDaysAgo: 90,
    }),
  ],
  [
    "Gone bad this week",
    job({
      successes: 150,
      failures: 12,
      anchored: 12,
      paying: 12,
      firstDaysAgo: 365,
      failedDaysAgo: 3,
    }),
  ],
  [
    "Reported by strangers",
    job({
      successes: 150,
      reported: 12,
      anchored: 12,
      paying: 12,
      firstDaysAgo: 365,
      failedDaysAgo: 3,
    }),
  ],
  ["Nothing but words", job({ successes: 300, claiming: 50, firstDaysAgo: 365 })],
  ["One loyal customer", job({ successes: 300, paying: 1, firstDaysAgo: 365 })],
  ["Four hundred cents", job({ successes: 400, paying: 60, firstDaysAgo: 365, valueUsdc: 0.01 })],
  ["A ring that pays itself", job({ successes: 400, paying: 60, firstDaysAgo: 365 })],
  [
    "Asleep for two years",
    job({ successes: 150, anchored: 12, paying: 12, firstDaysAgo: 1_000, lastDaysAgo: 730 }),
  ],
];

/** Agents that everybody has met, each a link that makes one up. */
export function PlaygroundExamples({ asked }: { asked: SimulateInput }) {
  return (
    <nav aria-label="Examples">
      <ul className="flex flex-wrap gap-2 text-sm">
        {EXAMPLES.map(([name, agent]) => {
          const whole = { judgeConfidence: 0.95, ...agent };
          const isAsked = Object.entries(whole).every(
            ([key, value]) => asked[key as keyof SimulateInput] === value,
          );
          return (
            <li key={name}>
              <Link
                href={`/how-it-works?${new URLSearchParams(
                  Object.entries(whole).map(([key, value]) => [key, String(value)]),
                )}`}
                scroll={false}
                prefetch={false}
                aria-current={isAsked ? "true" : undefined}
                className="block rounded-full border border-line px-3 py-1 hover:bg-sunken aria-[current]:border-accent aria-[current]:bg-accent aria-[current]:text-accent-ink"
              >
                {name}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function job(agent: Partial<Example>): Example {
  return {
    successes: 0,
    failures: 0,
    reported: 0,
    anchored: 0,
    paying: 0,
    claiming: 0,
    firstDaysAgo: 0,
    lastDaysAgo: 0,
    failedDaysAgo: 0,
    valueUsdc: 10,
    ...agent,
  };
}
