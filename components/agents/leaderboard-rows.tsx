"use client";

import Link from "next/link";
import { Sparkline } from "@/components/charts/sparkline";
import { MAX_AGENTS } from "@/components/compare/series-style";
import { UntrustedText } from "@/components/site/untrusted-text";
import { type PackedRows, unpackRows } from "@/components/ui/packed-rows";
import { isolateText } from "@/server/lib/bidi";
import { EVIDENCE_LABELS, TIER_LABELS } from "@/server/reputation/policy";
import type { Advice } from "./advice";
import { SpriteIcon } from "./leaderboard-sprite";

/** An agent's row, formatted. Missing values are not shown. */
export interface AgentRow {
  wallet: string;
  name: string;
  verified?: true;
  /** Declared categories, and the shortened wallet where there is room. */
  about: string;
  place?: number;
  tied?: true;
  advice: Advice;
  score: string;
  /** Overall score in place of the last 30 days, if `score` is the one in a category. */
  overall?: string;
  /** Path of the line of 30 days. */
  path: string;
  change: string;
  trend?: "rise" | "fall" | "drop";
  /** Position in `TIERS`. */
  tier: number;
  /** Position in `EVIDENCE_LEVELS`. */
  evidence: number;
  /** These and the score are empty without an outcome. */
  success: string;
  outcomes: string;
  clients: string;
  active: string;
  /** Part of the description that matches the search. */
  match?: string;
}

interface Props {
  agents: PackedRows<AgentRow>;
  /** Whether rows have boxes of the form `COMPARE_FORM`. */
  canCompare: boolean;
}

/** Id of the form that compares the agents whose boxes are ticked. */
export const COMPARE_FORM = "compare";

const TIER_NAMES = Object.values(TIER_LABELS);
const EVIDENCE_NAMES = Object.values(EVIDENCE_LABELS);

/**
 * The body of the leaderboard's table. A client component, because the markup of a server component
 * is sent twice; of this one, the second copy is only its props, as after following a link.
 */
export function LeaderboardRows({ agents, canCompare }: Props) {
  return (
    <tbody onChange={limitTicks}>
      {unpackRows(agents).map((row) => (
        <tr key={row.wallet} id={row.wallet}>
          <td>
            {canCompare && (
              <input
                type="checkbox"
                name="agents"
                value={row.wallet}
                form={COMPARE_FORM}
                aria-label={`Compare ${isolateText(row.name)}`}
              />
            )}
            {row.tied ? <Tied place={row.place} /> : row.place}
          </td>
          <th scope="row">
            <Link href={`/agents/${row.wallet}`} prefetch={false}>
              <UntrustedText>{row.name}</UntrustedText>
              {row.verified && <SpriteIcon id="verified" label="Verified wallet" />}
            </Link>
            <small>{row.about}</small>
            <small>
              <AdviceLabel {...row.advice} />
              {` · ${row.advice.warning ?? describeBriefly(row)}`}
            </small>
            {row.match && (
              <small>
                Description: <UntrustedText>{row.match}</UntrustedText>
              </small>
            )}
          </th>
          <AdviceCell advice={row.advice} />
          <td>{row.score}</td>
          <td className={row.trend}>
            {row.path && <Sparkline path={row.path} />}
            <span>{row.overall ?? row.change}</span>
          </td>
          <td className={`tier-${row.tier}`}>{TIER_NAMES[row.tier]}</td>
          <td className={`evidence-${row.evidence}`}>{EVIDENCE_NAMES[row.evidence]}</td>
          <td>{row.success}</td>
          <td>{row.outcomes}</td>
          <td>{row.clients}</td>
          <td>{row.active}</td>
        </tr>
      ))}
    </tbody>
  );
}

/** Keeps more boxes from being ticked than agents can be compared. */
function limitTicks({ currentTarget }: { currentTarget: Element }) {
  const boxes = [...currentTarget.querySelectorAll("input")];
  const isFull = boxes.filter(({ checked }) => checked).length >= MAX_AGENTS;
  for (const box of boxes) box.disabled = isFull && !box.checked;
}

/** Summarizes the columns that a narrow screen has no room for. */
function describeBriefly({ tier, overall, success, outcomes }: AgentRow): string {
  const jobs = outcomes && `${success} of ${outcomes} jobs`;
  return [!overall && TIER_NAMES[tier], jobs].filter(Boolean).join(" · ");
}

/** Shows a shared rank. */
function Tied({ place }: { place: number | undefined }) {
  return (
    <>
      <span aria-hidden="true">=</span>
      {place}
      <span className="sr-only">, tied</span>
    </>
  );
}

/** Shows the recommendation, and the most serious warning. */
export const AdviceCell = ({ advice }: { advice: Advice }) => (
  <td>
    <AdviceLabel {...advice} />
    {advice.warning && <small>{advice.warning}</small>}
  </td>
);

/** Shows the recommendation, with a shape if there is a warning. */
function AdviceLabel({ label, level }: Advice) {
  if (level === "none") return label;
  return (
    <span className={level}>
      <SpriteIcon id={level} label={level === "danger" ? "Danger:" : "Caution:"} />
      {label}
    </span>
  );
}
