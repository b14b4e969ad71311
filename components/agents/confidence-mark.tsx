import { formatPercent } from "@/components/ui/format";

const WORDS = [
  { from: 0.9, word: "very sure" },
  { from: 0.75, word: "sure" },
  { from: 0.5, word: "fairly sure" },
  { from: 0.25, word: "unsure" },
  { from: 0, word: "very unsure" },
] as const;

/** How sure a score is, as a bar and in a word: the confidence that is one of its two factors. */
export function ConfidenceMark({ confidence }: { confidence: number | null }) {
  if (confidence === null) return <span className="text-sm text-muted">no evidence</span>;
  const word = WORDS.find(({ from }) => confidence >= from)?.word;
  return (
    <span
      className="inline-grid w-20 gap-1"
      title={`Confidence ${formatPercent(confidence)}: how much evidence stands behind the score`}
    >
      <span className="text-sm whitespace-nowrap">{word}</span>
      <span className="h-1 overflow-hidden rounded-full bg-line" aria-hidden="true">
        <span
          className="block h-full rounded-full bg-accent"
          style={{ width: `${Math.round(Math.min(1, confidence) * 100)}%` }}
        />
      </span>
    </span>
  );
}
