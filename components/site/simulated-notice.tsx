import { Notice } from "@/components/ui/notice";

/** Marks pages about simulated data. */
export function SimulatedNotice({ what }: { what: "agent" | "outcome" | "dispute" }) {
  return (
    <Notice title={`This ${what} is simulated`}>
      Part of the sample history of local mode. No real work, judge or money was involved.
    </Notice>
  );
}
