"use client";

import type { ReactNode } from "react";
import { ScoreSquare } from "@/components/charts/score-square";
import { Fold } from "@/components/ui/fold";
import { formatFactors, formatScore } from "@/components/ui/format";
import { formatPoints } from "@/components/ui/points";
import { Table } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { POLICY } from "@/server/reputation/policy";
import type { CountedClass, CountedEvidence, ScoreBreakdown } from "@/server/reputation/schema";

interface Props {
  breakdown: ScoreBreakdown | null;
  /** The same evidence after the caps; null without outcomes. */
  evidence: CountedEvidence | null;
  score: number;
  /** Points that it lacks of 100; null without outcomes. */
  losses: { failures: number; missing: number } | null;
}

/** Key, name, jobs of the kind, and why not all of them may count. */
const CLASSES = [
  ["anchored", "Known clients", "jobs for known clients", ""],
  [
    "paid",
    "Paid",
    "paid jobs",
    `without a known client at most ${formatScore(POLICY.openCap)} do, since anyone can pay a wallet of their own`,
  ],
  [
    "claimed",
    "Unconfirmed",
    "unconfirmed jobs",
    `at most ${formatScore(POLICY.claimedCap)} do, and they share the ${formatScore(POLICY.openCap)} of paid jobs`,
  ],
] as const;

/**
 * Shows a score as a picture and as the points that failures and missing evidence cost, with the
 * evidence below. A client component, because the markup of a server component is sent twice.
 */
export function ScoreBreakdownTable({ breakdown, evidence, score, losses }: Props) {
  if (!breakdown || !evidence || !losses) return <p className="text-muted">No jobs yet.</p>;
  const { quality, confidence, good, tenureCapacity } = breakdown;
  const [shownQuality, shownConfidence] = formatFactors(quality, confidence, score);
  const [weighedGood, weighedBad] = evidence.total.weighed;
  const isLimitedByAge = evidence.total.counted > good + 0.005;
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="grid grid-cols-1 items-center gap-x-10 gap-y-4 sm:grid-cols-[15rem_1fr]">
        <ScoreSquare quality={quality} confidence={confidence} score={score} />
        <dl className="grid gap-3">
          <Part name="Highest score" value="100.00" />
          <Part
            name="Failures"
            value={losses.failures > 0 ? formatPoints(-losses.failures) : "0.00"}
          >
            {formatScore(weighedBad)} of {formatScore(weighedGood + weighedBad)} in evidence failed:
            quality {shownQuality}
          </Part>
          <Part name="Missing evidence" value={formatPoints(-losses.missing)}>
            {formatScore(good)} ÷ ({formatScore(good)} + {POLICY.halfConfidenceUnits}): confidence{" "}
            {shownConfidence}
            {isLimitedByAge && `; account age allows only ${formatScore(tenureCapacity)}`}
          </Part>
          <Part name="Score" value={formatScore(score)} isResult>
            {shownQuality} × {shownConfidence}
          </Part>
        </dl>
      </div>
      <EvidenceSentences evidence={evidence} />
      <Fold summary="All figures of the formula">
        <EvidenceTable evidence={evidence} />
        <p className="mt-2 text-sm text-muted">
          A job adds at most 1, one client {POLICY.requesterCap} of each kind. Old jobs count less.{" "}
          <TextLink href="/how-it-works">How it works</TextLink>
        </p>
      </Fold>
    </div>
  );
}

/** Says for each kind of job how much of it counts, and why not all of it. */
function EvidenceSentences({ evidence: { classes } }: { evidence: CountedEvidence }) {
  return (
    <ul className="grid gap-1.5">
      <li className="text-sm text-muted">
        Where the evidence comes from; one job adds 1.00 at most
      </li>
      {CLASSES.map(([key, , jobs, reason]) => {
        const [good] = classes[key].recorded;
        const { counted } = classes[key];
        const cut = `of which ${formatScore(counted)} count: ${reason}`;
        return (
          good > 0 && (
            <li key={key}>
              <span className="font-medium">{formatScore(good)}</span> from {jobs},{" "}
              {good - counted < 0.005 ? "all of which count" : cut}
            </li>
          )
        );
      })}
    </ul>
  );
}

/** The size is also that of the titles. */
const CELL = "py-1.5 align-bottom text-xs sm:text-sm";
const NUMBER = `${CELL} pl-2 text-right sm:pl-3`;

const formatPair = ([good, bad]: readonly [number, number]) =>
  `${formatScore(good)} / ${formatScore(bad)}`;

interface EvidenceRow extends CountedClass {
  name: string;
}

function EvidenceTable({ evidence: { classes, total } }: { evidence: CountedEvidence }) {
  const sum = { name: "Sum", ...total };
  return (
    <Table<EvidenceRow>
      caption="Evidence: recorded, as weighed for quality, and as counted for confidence"
      rows={[...CLASSES.map(([key, name]) => ({ name, ...classes[key] })), sum]}
      columns={[
        ["Evidence", CELL, ({ name }) => name],
        ["Recorded: good / bad", `${NUMBER} text-muted`, ({ recorded }) => formatPair(recorded)],
        ["Weighed: good / bad", NUMBER, ({ weighed }) => formatPair(weighed)],
        ["Counted", `${NUMBER} font-medium`, ({ counted }) => formatScore(counted)],
      ]}
      getRowProps={({ name }) => (name === sum.name ? { className: "font-medium" } : {})}
    />
  );
}

interface PartProps {
  name: string;
  value: string;
  isResult?: boolean;
  children?: ReactNode;
}

function Part({ name, value, isResult = false, children }: PartProps) {
  return (
    <div
      className={`grid grid-cols-[1fr_auto] items-baseline gap-x-4 ${isResult ? "border-t border-line pt-2" : ""}`}
    >
      <dt className="font-medium">{name}</dt>
      <dd className={isResult ? "font-serif text-2xl font-semibold" : "font-medium"}>{value}</dd>
      {children && <dd className="text-sm text-muted">{children}</dd>}
    </div>
  );
}
