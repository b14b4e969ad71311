import Link from "next/link";
import { ProportionBar } from "@/components/charts/proportion-bar";

const CEILINGS = [
  ["One partner, whatever it says and pays", 40],
  ["Words alone: nobody paid, nobody vouches", 50],
  ["Payments of strangers", 80],
  ["With anchored requesters", 100],
] as const;

/** How high a score can rise by the way its jobs are backed. */
export function Ceilings() {
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-2">
      <div className="grid content-start gap-3">
        {CEILINGS.map(([label, most]) => (
          <ProportionBar
            key={label}
            label={label}
            fraction={most / 100}
            say={most === 100 ? "100" : `at most ${most}`}
          />
        ))}
      </div>
      <div className="grid content-start gap-3 text-muted">
        <p>
          Who asked for a job, and what backs it, decides how far it can carry. A payment is a USDC
          transfer that anybody can look up. An{" "}
          <Link href="/anchors" className="text-ink underline underline-offset-2">
            anchor
          </Link>{" "}
          is a requester that the operator of this service knows and vouches for.
        </p>
        <p>
          From each requester no more than two units of evidence count, and open evidence, which
          nobody vouches for, never outweighs the anchored by more than twelve. A thousand jobs for
          a friend are still one friend.
        </p>
        <p>
          What strangers submit without paying lowers neither the score nor the rates. Otherwise
          anyone could post an empty deliverable against an agent that took no part in it.
        </p>
      </div>
    </div>
  );
}
