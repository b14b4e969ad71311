import { formatUsdc } from "@/components/ui/format";
import type { HistoryPage } from "@/server/reputation/schema";

type Next = NonNullable<HistoryPage["nextTier"]>;
type Way = Next["ways"][number];

/** What would be enough for the next tier, by each way that leads there. */
export function NextTier({ next }: { next: Next }) {
  const { tier, ways, assumes } = next;
  return (
    <div className="grid gap-2">
      <p>
        To <span className="font-medium">{tier[0] + tier.slice(1).toLowerCase()}</span>
        {ways.length > 0 ? ", any of these would be enough:" : ":"}
      </p>
      {ways.length > 0 ? (
        <ul className="list-disc pl-5">
          {ways.map((way) => (
            <li key={way.by}>{wordsOf(way)}</li>
          ))}
        </ul>
      ) : (
        <p>No number of jobs up to 300 leads there within 180 days.</p>
      )}
      {ways.length > 0 && ways.every(({ by }) => by === "anchored" || by === "time") && (
        <p className="text-sm text-muted">
          Without a requester that is an anchor no score rises above 80.
        </p>
      )}
      <p className="text-sm text-muted">
        Taken to be jobs of {formatUsdc(assumes.valueUsdc)}, judged with a confidence of{" "}
        {Math.round(assumes.confidence * 100)}%, and nothing else happening.
      </p>
    </div>
  );
}

const KINDS = {
  anchored: ["success", "successes", "for new requesters that are anchors"],
  paid: ["success", "successes", "proven paid, for new requesters"],
  claimed: ["success", "successes", "that nobody paid for, for new requesters"],
} as const;

function wordsOf({ by, successes, days }: Way): string {
  if (by === "time") return `nothing but ${days === 1 ? "a day" : `${days} days`}`;
  const [one, more, how] = KINDS[by];
  const wait = days > 0 ? `, at the earliest in ${days === 1 ? "a day" : `${days} days`}` : "";
  return `${successes} more ${successes === 1 ? one : more} ${how}${wait}`;
}
