"use client";

import type { ReactNode } from "react";
import { ScoreSquare } from "@/components/charts/score-square";
import { TextLink } from "@/components/ui/text-link";
import { POLICY } from "@/server/reputation/policy";
import type { CountedClass, CountedEvidence, ScoreBreakdown } from "@/server/reputation/schema";

interface Props {
  breakdown: ScoreBreakdown | null;
  /** The same evidence after the caps; null without outcomes. */
  evidence: CountedEvidence | null;
  score: number;
}

const CLASSES = [
  ["anchored", "Anchored", "client trusted by the operator"],
  ["paid", "Paid", "proven USDC payment"],
  ["claimed", "Unconfirmed", "only the submitter's claim"],
] as const;

/**
 * Derives a score step by step: recorded evidence, what the caps leave, quality × confidence. A
 * client component, because the markup of a server component is sent twice.
 */
export function ScoreBreakdownTable({ breakdown, evidence, score }: Props) {
  if (!breakdown || !evidence) return <p className="text-muted">No outcomes yet.</p>;
  const { quality, confidence, good, tenureCapacity } = breakdown;
  const [weighedGood, weighedBad] = evidence.total.weighed;
  const half = POLICY.halfConfidenceUnits;
  const isLimitedByAge = evidence.total.counted > good + 0.005;
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-[1fr_15rem]">
      <div className="grid min-w-0 gap-5">
        <EvidenceTable evidence={evidence} />
        <dl className="grid gap-1.5 text-sm">
          <Step name="Quality" value={percent(quality)}>
            {units(weighedGood)} good ÷ ({units(weighedGood)} + {units(weighedBad)} bad)
          </Step>
          <Step name="Evidence" value={units(good)}>
            {isLimitedByAge
              ? `${units(evidence.total.counted)}, but account age allows ${units(tenureCapacity)}`
              : `${units(evidence.total.counted)} counted; account age allows ${units(tenureCapacity)}`}
          </Step>
          <Step name="Confidence" value={percent(confidence)}>
            {units(good)} ÷ ({units(good)} + {half})
          </Step>
          <Step name="Score" value={score.toFixed(2)} isResult>
            {percent(quality)} × {percent(confidence)}
          </Step>
        </dl>
        <p className="text-sm text-muted">
          A job counts at most one unit, one client {POLICY.requesterCap}, all claims{" "}
          {POLICY.claimedCap}. Old jobs count less.{" "}
          <TextLink href="/how-it-works" className="hover:text-ink">
            How it works
          </TextLink>
        </p>
      </div>
      <ScoreSquare quality={quality} confidence={confidence} score={score} brief />
    </div>
  );
}

const NUMBER = "py-1.5 pl-2 text-right sm:pl-3";
const COUNTED = `${NUMBER} font-medium`;

function EvidenceTable({ evidence: { classes, total } }: { evidence: CountedEvidence }) {
  return (
    <table className="w-full border-collapse text-xs sm:text-sm">
      <caption className="sr-only">
        Evidence in units: recorded, after the limits, and as counted for confidence
      </caption>
      <thead className="text-muted">
        <tr>
          <td />
          <th scope="colgroup" colSpan={2} className="pl-3 text-right font-normal">
            Recorded
          </th>
          <th scope="colgroup" colSpan={2} className="pl-3 text-right font-normal">
            After limits
          </th>
          <th scope="col" rowSpan={2} className={`${NUMBER} align-bottom font-normal`}>
            Counted
          </th>
        </tr>
        <tr className="border-b border-line">
          <th scope="col" className="py-1.5 text-left font-normal">
            Units
          </th>
          {["Recorded", "After limits"].flatMap((group) =>
            ["Good", "Bad"].map((side) => (
              <th key={group + side} scope="col" className={`${NUMBER} font-normal`}>
                {side}
              </th>
            )),
          )}
        </tr>
      </thead>
      <tbody>
        {CLASSES.map(([key, name, meaning]) => (
          <tr key={key} className="border-b border-line">
            <th scope="row" className="py-1.5 text-left font-normal">
              {name} <span className="text-muted max-md:sr-only">({meaning})</span>
            </th>
            <Numbers part={classes[key]} />
          </tr>
        ))}
        <tr className="font-medium">
          <th scope="row" className="py-1.5 text-left font-medium">
            Sum
          </th>
          <Numbers part={total} />
        </tr>
      </tbody>
    </table>
  );
}

function Numbers({ part: { recorded, weighed, counted } }: { part: CountedClass }) {
  return (
    <>
      <td className={`${NUMBER} text-muted`}>{units(recorded[0])}</td>
      <td className={`${NUMBER} text-muted`}>{units(recorded[1])}</td>
      <td className={NUMBER}>{units(weighed[0])}</td>
      <td className={`${NUMBER} ${weighed[1] > 0 ? "text-bad" : ""}`}>{units(weighed[1])}</td>
      <td className={COUNTED}>{units(counted)}</td>
    </>
  );
}

interface StepProps {
  name: string;
  value: string;
  isResult?: boolean;
  children: ReactNode;
}

function Step({ name, value, isResult = false, children }: StepProps) {
  return (
    <div
      className={`grid grid-cols-[6rem_1fr_auto] items-baseline gap-x-3 ${isResult ? "border-t border-line pt-1.5" : ""}`}
    >
      <dt>{name}</dt>
      <dd className="text-muted">{children}</dd>
      <dd className={isResult ? "font-serif text-xl font-semibold" : "font-medium"}>{value}</dd>
    </div>
  );
}

/** With as many digits as it takes to multiply to the score. */
const percent = (fraction: number) => `${(fraction * 100).toFixed(2)}%`;

const units = (value: number) => value.toFixed(2);
