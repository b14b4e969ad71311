"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon";
import type { RiskFlag } from "@/server/explorer/schema";
import { AgentLink } from "./agent-link";
import { RISK_LEVELS } from "./risk-levels";

/** A risk with its first outcomes and wallets. */
export interface ListedFlag extends Pick<RiskFlag, "severity" | "title" | "detail"> {
  outcomeIds: string[];
  wallets: [wallet: string, name: string | null][];
  walletLabel: string;
  /** Says that outcomes and wallets are not listed; else empty. */
  hidden: [outcomes: string, wallets: string];
}

/**
 * Lists risks; each opens to show its evidence. A client component, because the markup of a server
 * component is sent twice.
 */
export function RiskFlags({ flags }: { flags: ListedFlag[] }) {
  return (
    <ul className="mt-1 flex flex-wrap gap-x-5 sm:pl-8.5">
      {flags.map((flag) => (
        <li key={flag.title} className="max-w-full has-[details[open]]:basis-full">
          <Flag flag={flag} />
        </li>
      ))}
    </ul>
  );
}

function Flag({ flag }: { flag: ListedFlag }) {
  const { severity, title, detail, outcomeIds, wallets, walletLabel, hidden } = flag;
  const { text, path } = RISK_LEVELS[severity];
  return (
    <details className="group">
      <summary className="flex min-h-8 w-fit cursor-pointer list-none items-center gap-1.5 text-sm [&::-webkit-details-marker]:hidden">
        <Icon path={path} className={`size-4 shrink-0 ${text}`} strokeWidth={1.7} />
        <span className="underline decoration-dotted underline-offset-4">{title}</span>
        <Icon
          path="M4.5 6.5L8 10l3.5-3.5"
          className="size-3.5 shrink-0 transition-transform group-open:rotate-180"
          box={16}
        />
      </summary>
      <div className="max-w-prose pb-2 text-sm sm:pl-5.5">
        <p>{detail}</p>
        {outcomeIds.length > 0 && (
          <Evidence label="Outcomes" hidden={hidden[0]}>
            {outcomeIds.map((id) => (
              <Link key={id} href={`/outcomes/${id}`} prefetch={false}>
                {id.slice(0, 8)}
              </Link>
            ))}
          </Evidence>
        )}
        {wallets.length > 0 && (
          <Evidence label={walletLabel} hidden={hidden[1]}>
            {wallets.map(([wallet, name]) => (
              <AgentLink key={wallet} wallet={wallet} name={name} />
            ))}
          </Evidence>
        )}
      </div>
    </details>
  );
}

function Evidence(props: { label: string; hidden: string; children: ReactNode }) {
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 leading-6 [&>a]:underline [&>a]:underline-offset-2">
      <span className="text-muted">{props.label}</span>
      {props.children}
      {props.hidden && <span className="text-muted">{props.hidden}</span>}
    </p>
  );
}
