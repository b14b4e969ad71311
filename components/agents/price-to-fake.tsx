"use client";

import { formatAmount, formatCount, formatPercent } from "@/components/ui/format";
import { Table } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { POLICY } from "@/server/reputation/policy";
import type { PriceToFake } from "@/server/reputation/schema";
import { listCosts } from "./list-costs";

interface Props {
  price: PriceToFake;
  score: number;
}

/** Shows in one line the least that faking a score would take, with the arithmetic on demand. */
export function PriceTag({ price, score }: Props) {
  return (
    <section aria-label="What it would cost to fake this score">
      <details className="group rounded-lg border border-line bg-raised">
        <summary className="flex min-h-12 cursor-pointer list-none flex-wrap items-center gap-x-3 px-4 py-2.5 [&::-webkit-details-marker]:hidden">
          <span className="text-sm text-muted">What it would cost to fake this score</span>
          <span className="font-medium">{listCosts(price)}</span>
          <span className="ml-auto text-sm text-accent">
            <span className="group-open:hidden">Show the arithmetic</span>
            <span className="hidden group-open:inline">Hide the arithmetic</span>
          </span>
        </summary>
        <Arithmetic price={price} score={score} />
      </details>
    </section>
  );
}

type Row = readonly [name: string, use: string, part: PriceToFake["paid"]];

function Arithmetic({ price, score }: Props) {
  const { goodUnits, claimed, paid, anchored, days, jobUsdc, confidence } = price;
  const rows: Row[] = [
    ["Claims", "free", { ...claimed, jobs: 0, usdc: 0 }],
    ["Payments", "the money comes back", paid],
    ["Anchored jobs", "an anchor must take part", anchored],
  ];
  const share = (score / 100).toFixed(4);
  return (
    <div className="grid gap-4 border-t border-line px-4 py-4 text-sm lg:grid-cols-2 lg:gap-8">
      <div className="grid content-start gap-2">
        <p>
          Without a failure, {score.toFixed(2)} takes {POLICY.halfConfidenceUnits} × {share} ÷ (1 −{" "}
          {share}) = <strong>{goodUnits.toFixed(2)} units</strong> of good evidence.
        </p>
        <p className="text-muted">
          Cheapest first: at most {POLICY.claimedCap} units from claims and {POLICY.openCap} without
          an anchor; each wallet counts for at most {POLICY.requesterCap}. Jobs of{" "}
          {formatAmount(jobUsdc)} USDC at {formatPercent(confidence)} confidence.{" "}
          {days > 0 &&
            `${formatCount(days, "day")} of history, because each day allows ${POLICY.unitsPerTenureDay} units. `}
          A lower bound: evidence decays, and fake work must pass the judge.{" "}
          <TextLink href="/how-it-works">How it works</TextLink>
        </p>
      </div>
      <Table
        caption="Cheapest evidence for this score"
        rows={rows.filter(([, , { units }]) => units > 0)}
        columns={[
          [
            "Evidence",
            "py-1.5 text-left",
            ([name, use]) => (
              <>
                {name} <span className="text-muted max-sm:hidden">({use})</span>
              </>
            ),
          ],
          ["Units", "py-1.5 pl-4 text-right", ([, , { units }]) => units.toFixed(2)],
          ["Wallets", "py-1.5 pl-4 text-right", ([, , { wallets }]) => formatAmount(wallets)],
          ["Jobs", "py-1.5 pl-4 text-right", ([, , { jobs }]) => (jobs ? formatAmount(jobs) : "–")],
          ["USDC", "py-1.5 pl-4 text-right", ([, , { usdc }]) => formatAmount(usdc)],
        ]}
      />
    </div>
  );
}
