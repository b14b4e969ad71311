import { Mark } from "@/components/ui/mark";
import type { Met } from "@/server/judging/schema";

const LABELS: Record<Met, string> = { yes: "Met", no: "Not met", unclear: "Unclear" };

/** Shows whether a demand is met. */
export const MetMark = ({ met, label = LABELS[met] }: { met: Met; label?: string }) => (
  <Mark mark={met}>{label}</Mark>
);
