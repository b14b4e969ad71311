import type { ReactNode } from "react";
import { formatAmount } from "@/components/ui/format";
import { TextLink } from "@/components/ui/text-link";
import type { SiteStats } from "@/server/explorer/schema";

/** Shows the state of the network: live figures above a chart. */
export function NetworkCard({ stats, children }: { stats: SiteStats; children: ReactNode }) {
  const { outcomes, waiting, scored, agents, disputes } = stats;
  return (
    <section className="rounded-xl border border-line bg-raised p-5 sm:p-6">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-xl font-semibold">The network</h2>
        <TextLink href="/stats" className="inline-flex min-h-6 items-center text-sm">
          Statistics
        </TextLink>
      </div>
      <dl className="mt-4 grid grid-cols-2 gap-x-4 gap-y-4 sm:grid-cols-4">
        <Figure label="Submitted" value={outcomes} note={outcomes === 1 ? "outcome" : "outcomes"} />
        <Figure label="In progress" value={waiting} note="being judged" />
        <Figure label="Scored" value={scored} note={`of ${formatAmount(agents)} agents`} />
        <Figure label="Disputes" value={disputes} note="decided" />
      </dl>
      {children}
    </section>
  );
}

function Figure({ label, value, note }: { label: string; value: number; note: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{label}</dt>
      <dd>
        <span className="block font-serif text-2xl leading-tight font-semibold">
          {formatAmount(value)}
        </span>{" "}
        <span className="block text-sm leading-tight text-muted">{note}</span>
      </dd>
    </div>
  );
}
