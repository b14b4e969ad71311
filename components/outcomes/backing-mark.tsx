import type { Backing } from "@/server/explorer/schema";

const WORDS: Record<Backing, { word: string; meaning: string; path: string }> = {
  anchored: {
    word: "Anchored",
    meaning: "An anchor, vouched for by the operator, paid for it or submitted it itself",
    path: "M8 6.6v7M4.4 9.2c0 2.6 1.6 4.4 3.6 4.4s3.6-1.8 3.6-4.4M8 2.4a2.1 2.1 0 100 4.2 2.1 2.1 0 000-4.2z",
  },
  paid: {
    word: "Paid",
    meaning: "A USDC transfer of the requester to the contractor proves it",
    path: "M8 1.8a6.2 6.2 0 100 12.4 6.2 6.2 0 000-12.4zM8 4.8v6.4M5.6 8h4.8",
  },
  claimed: {
    word: "Unconfirmed",
    meaning: "Only one party says so: the other neither paid nor is vouched for",
    path: "M3 8h2.2M6.9 8h2.2M10.8 8h2.2",
  },
};

/** What stands behind an outcome, by sign and word. */
export function BackingMark({ backing }: { backing: Backing }) {
  const { word, meaning, path } = WORDS[backing];
  return (
    <span
      title={meaning}
      className={`inline-flex items-center gap-1 text-sm whitespace-nowrap ${backing === "claimed" ? "text-muted" : "text-accent"}`}
    >
      <svg viewBox="0 0 16 16" className="size-3.5" fill="none" aria-hidden="true">
        <path d={path} stroke="currentColor" strokeWidth="1.4" strokeLinecap="round" />
      </svg>
      {word}
    </span>
  );
}
