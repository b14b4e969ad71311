"use client";

import Link from "next/link";
import type { Advice } from "@/components/agents/advice";
import { AdviceCell } from "@/components/agents/leaderboard-rows";
import { LeaderboardSprite, SpriteIcon } from "@/components/agents/leaderboard-sprite";
import { UntrustedText } from "@/components/site/untrusted-text";
import { type PackedRows, unpackRows } from "@/components/ui/packed-rows";
import { TIER_LABELS } from "@/server/reputation/policy";
import styles from "./list.module.css";
import { Age } from "./list-cells";
import { ListHead } from "./list-head";

/** An agent's row, formatted. Missing values are not shown. */
export interface AgentRow {
  wallet: string;
  name: string;
  verified?: true;
  categories: string;
  score: string;
  /** Position in `TIERS`. */
  tier: number;
  advice: Advice;
  outcomes: string;
  /** ISO 8601. */
  lastActive?: string;
  registered: string;
}

/** The style sheet refers to their positions. */
const TITLES = [
  "Agent",
  "Categories",
  "Score",
  "Tier",
  "Advice",
  "Outcomes",
  "Last job",
  "Registered",
];
const TIER_NAMES = Object.values(TIER_LABELS);

/** The table of agents. A client component: the markup of a server component is sent twice. */
export function AgentRows({ agents, now }: { agents: PackedRows<AgentRow>; now: string }) {
  return (
    <>
      <LeaderboardSprite />
      <table className={`${styles.list} ${styles.agents}`}>
        <caption className="sr-only">Registered agents</caption>
        <ListHead titles={TITLES} />
        <tbody>
          {unpackRows(agents).map((agent) => (
            <tr key={agent.wallet}>
              <th scope="row">
                <Link href={`/agents/${agent.wallet}`} prefetch={false} title={agent.wallet}>
                  <UntrustedText>{agent.name}</UntrustedText>
                </Link>
                {agent.verified && <SpriteIcon id="verified" label="Verified wallet" />}
              </th>
              <td>{agent.categories}</td>
              <td>{agent.score}</td>
              <td className={`tier-${agent.tier}`}>{TIER_NAMES[agent.tier]}</td>
              <AdviceCell advice={agent.advice} />
              <td>{agent.outcomes}</td>
              <td>{agent.lastActive && <Age at={agent.lastActive} now={now} />}</td>
              <td>{agent.registered}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
