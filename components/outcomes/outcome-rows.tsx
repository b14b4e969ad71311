"use client";

import Link from "next/link";
import styles from "@/components/network/list.module.css";
import { ListedBacking, ListedVerdict } from "@/components/network/list-cells";
import { ListHead } from "@/components/network/list-head";
import { ListSprite, OUTCOME_ICONS } from "@/components/network/list-sprite";
import { UntrustedText } from "@/components/site/untrusted-text";
import { Time } from "@/components/ui/time";
import type { Backing } from "@/server/explorer/schema";
import type { Result } from "./result";

/** A row, formatted. Missing values are not shown. */
export interface OutcomeRow {
  id: string;
  /** Missing while it is being judged. */
  result?: Result;
  /** What happened after the verdict. */
  state?: string;
  category: string;
  title?: string;
  /** Name of the other party. */
  other: string;
  /** Whether the agent was the client, not the contractor. */
  isClient?: true;
  backing: Backing;
  /** Of a paid outcome: whether the client confirmed it. */
  isConfirmed?: boolean;
  value: string;
  /** When it was submitted, ISO 8601. */
  at: string;
}

/** The style sheet refers to their positions. */
const TITLES = ["Verdict", "Job", "Evidence", "Value", "Submitted"];

/** The table of an agent's outcomes. A client component: a server component is sent twice. */
export function OutcomeRows({ rows }: { rows: OutcomeRow[] }) {
  return (
    <>
      <ListSprite icons={OUTCOME_ICONS} />
      <table className={`${styles.list} ${styles.own}`}>
        <caption className="sr-only">Outcomes, newest first</caption>
        <ListHead titles={TITLES} />
        <tbody>
          {rows.map(({ id, result, state, category, title, other, isClient, ...row }) => (
            <tr key={id}>
              <th scope="row">
                <Link href={`/outcomes/${id}`} prefetch={false}>
                  <ListedVerdict verdict={result ?? null} />
                </Link>
                {state && <small>{state}</small>}
              </th>
              <td>
                <b>{category}</b> {isClient ? "by" : "for"} <UntrustedText>{other}</UntrustedText>
                {isClient && <small>, as client</small>}
                {title && (
                  <small>
                    {" "}
                    <UntrustedText>{title}</UntrustedText>
                  </small>
                )}
              </td>
              <td>
                <ListedBacking backing={row.backing} isConfirmed={row.isConfirmed} />
              </td>
              <td>{row.value}</td>
              <td>
                <Time at={row.at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
