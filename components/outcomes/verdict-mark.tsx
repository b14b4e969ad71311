import { Icon } from "@/components/ui/icon";
import { RESULTS, type Result } from "./result";

const PENDING = ["Being judged", "text-muted", "M10 3a7 7 0 110 14 7 7 0 010-14z"] as const;

/** Shows a result by shape and word, not by colour alone. Undefined means it is being judged. */
export function VerdictMark({ verdict, large = false }: { verdict?: Result; large?: boolean }) {
  const size = large ? "text-[1em]" : "text-sm";
  const [label, tone, shape] = verdict ? RESULTS[verdict] : PENDING;
  return (
    <span
      className={`inline-flex items-baseline gap-1.5 font-medium whitespace-nowrap ${tone} ${size}`}
    >
      <Icon
        path={shape}
        className={`size-[1.1em] self-center ${verdict ? "" : "[stroke-dasharray:1_4]"}`}
        strokeWidth={2.2}
      />
      {label}
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
