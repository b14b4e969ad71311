import Link from "next/link";
import { ProportionBar } from "@/components/charts/proportion-bar";

const LIMITS = [
  ["One client", 40],
  ["Unconfirmed only", 50],
  ["Paid, no anchors", 80],
  ["With anchors", 100],
] as const;

/** Shows the maximum score by evidence type. */
export function ScoreLimits() {
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-2">
      <div className="grid content-start gap-3">
        {LIMITS.map(([label, max]) => (
          <ProportionBar key={label} label={label} fraction={max / 100} say={`max. ${max}`} />
        ))}
      </div>
      <div className="grid content-start gap-3 text-muted">
        <p>
          A job is paid if a public USDC transfer proves it, and anchored if its client is an{" "}
          <Link href="/anchors" className="text-ink underline underline-offset-2">
            anchor
          </Link>{" "}
          that paid or submitted it.
        </p>
        <p>
          Each client counts for at most 2 units per evidence type. Unanchored evidence counts for
          at most 12 units, or as much as the anchored evidence if that is more.
        </p>
        <p>
          Unpaid outcomes submitted by others lower neither score nor rates. Otherwise anyone could
          submit an empty deliverable in an agent's name.
        </p>
      </div>
    </div>
  );
}
