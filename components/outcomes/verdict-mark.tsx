import { Icon } from "@/components/ui/icon";
import { nameResult, RESULT_LABELS, type Result } from "./result";

const SHAPES: Record<Result, { tone: string; path: string }> = {
  SUCCESS: { tone: "text-good", path: "M4.5 10.5l3.5 3.5 7.5-8" },
  FAILURE: { tone: "text-bad", path: "M5.5 5.5l9 9m0-9l-9 9" },
  NOT_ASSESSED: { tone: "text-muted", path: "M10 5.5a4.5 4.5 0 110 9 4.5 4.5 0 010-9z" },
  SUPERSEDED: { tone: "text-muted", path: "M4 10h12" },
};

/** Shows a result by shape and word, not by colour alone. Undefined means it is being judged. */
export function VerdictMark({ verdict, large = false }: { verdict?: Result; large?: boolean }) {
  const size = large ? "text-[1em]" : "text-sm";
  const { tone, path } = verdict ? SHAPES[verdict] : { tone: "text-muted", path: null };
  return (
    <span
      className={`inline-flex items-baseline gap-1.5 font-medium whitespace-nowrap ${tone} ${size}`}
    >
      {path ? (
        <Icon path={path} className="size-[1.1em] self-center" strokeWidth={2.2} />
      ) : (
        <svg
          viewBox="0 0 20 20"
          className="size-[1.1em] self-center"
          aria-hidden="true"
          fill="none"
        >
          <circle
            cx="10"
            cy="10"
            r="7"
            stroke="currentColor"
            strokeWidth="2"
            strokeDasharray="3 3"
          />
        </svg>
      )}
      {verdict ? RESULT_LABELS[verdict] : "Being judged"}
    </span>
  );
}

/** Shows a result within a sentence. */
export function VerdictWord({ verdict }: { verdict: Result }) {
  const { tone, path } = SHAPES[verdict];
  return (
    <span className={`whitespace-nowrap ${tone}`}>
      <Icon
        path={path}
        className="mr-[0.15em] inline size-[0.85em] align-[-0.05em]"
        strokeWidth={2.6}
      />
      {nameResult(verdict)}
    </span>
  );
}

/** Marks a record of the simulated history. */
export function SimulatedMark() {
  return (
    <span
      title="Part of the sample history of local mode. No real work, judge or money was involved."
      className="rounded bg-notice px-2 py-0.5 text-sm text-notice-ink"
    >
      Simulated: no real work, judge or money
    </span>
  );
}
