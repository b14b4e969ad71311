import { Icon } from "@/components/ui/icon";
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

const CIRCLE = "M10 1.6a8.4 8.4 0 110 16.8 8.4 8.4 0 010-16.8z";

/** Shows whether a demand is met by shape and label, not by colour alone. */
export function MetMark({ met, label = MARKS[met].label }: { met: Met; label?: string }) {
  const { tone, path } = MARKS[met];
  return (
    <span className={`inline-flex items-center gap-1.5 font-medium whitespace-nowrap ${tone}`}>
      <Icon path={`${CIRCLE}${path}`} className="size-5 shrink-0" strokeWidth={1.7} />
      {label}
    </span>
  );
}
