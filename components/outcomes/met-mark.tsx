import type { Met } from "@/server/judging/schema";

const MARKS: Record<Met, { label: string; tone: string; path: string }> = {
  yes: { label: "Met", tone: "text-good", path: "M5.8 10.4l2.8 2.8 5.6-6.2" },
  no: { label: "Not met", tone: "text-bad", path: "M6.6 6.6l6.8 6.8m0-6.8l-6.8 6.8" },
  unclear: {
    label: "Unclear",
    tone: "text-muted",
    path: "M7.6 7.9c0-1.5 1-2.4 2.4-2.4s2.4.9 2.4 2.2c0 1.7-2.4 1.9-2.4 3.7m0 2.9v.3",
  },
};

/** Shows whether a demand is met by shape and label, not by colour alone. */
export function MetMark({ met, label = MARKS[met].label }: { met: Met; label?: string }) {
  const { tone, path } = MARKS[met];
  return (
    <span className={`inline-flex items-center gap-1.5 font-medium whitespace-nowrap ${tone}`}>
      <svg viewBox="0 0 20 20" className="size-5 shrink-0" aria-hidden="true" fill="none">
        <circle
          cx="10"
          cy="10"
          r="8.4"
          stroke="currentColor"
          strokeWidth="1.4"
          strokeDasharray={met === "unclear" ? "2.6 2.2" : undefined}
        />
        <path
          d={path}
          stroke="currentColor"
          strokeWidth="1.9"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {label}
    </span>
  );
}
