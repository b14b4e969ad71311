import type { ReactNode } from "react";
import { SimulatedMark } from "@/components/outcomes/verdict-mark";
import { UntrustedText } from "@/components/site/untrusted-text";
import { formatDay } from "@/components/ui/format";
import { Hex } from "@/components/ui/hex";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { KnownClient, WalletProfile } from "@/server/explorer/schema";
import { removeBidiControls } from "@/server/lib/bidi";
import { labelCategory } from "@/server/lib/category-name";
import { isTrusted } from "./advice";
import { VerifiedMark } from "./agent-marks";
import { Identicon } from "./identicon";
import { IdentityLink } from "./identity-panel";

interface Props {
  profile: Pick<WalletProfile, "agent" | "walletAddress" | "lastActive"> &
    Partial<Pick<WalletProfile, "erc8004" | "risk" | "reputation" | "recommendation">>;
  knownClient?: KnownClient | null;
  explorerUrl: string | null;
  /** ISO 8601; the time since the last job is computed from it. */
  now: string;
  /** Buttons beside the name. */
  actions?: ReactNode;
}

const CHIP = "rounded-full border border-line px-2 py-0.5";

/** Shows who an agent is; an unregistered wallet has no name, description or links. */
export function ProfileHeader({ profile, knownClient, explorerUrl, now, actions }: Props) {
  const { agent, walletAddress, lastActive, erc8004, risk, reputation, recommendation } = profile;
  return (
    <header>
      <div className="flex items-start gap-x-3 sm:gap-x-4">
        <Identicon wallet={walletAddress} className="size-10 sm:size-16" />
        <h1 className="min-w-0 flex-1 text-2xl leading-tight font-semibold break-words sm:text-4xl">
          {agent ? <UntrustedText>{agent.name}</UntrustedText> : "Unregistered wallet"}
        </h1>
        {actions && <div className="flex shrink-0 gap-1.5 sm:gap-2">{actions}</div>}
      </div>
      <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 sm:-mt-6 sm:pl-20">
        <Hex
          value={walletAddress}
          name="wallet address"
          href={explorerUrl && `${explorerUrl}/address/${walletAddress}`}
        />
        {agent && (
          <VerifiedMark
            verified={agent.walletVerified}
            isTrusted={isTrusted(risk?.level, reputation?.score ?? 0)}
          />
        )}
        {erc8004 && <IdentityLink identity={erc8004} />}
      </p>
      {agent?.description && (
        <p dir="auto" className="mt-3 max-w-prose break-words whitespace-pre-line">
          {removeBidiControls(agent.description)}
        </p>
      )}
      {agent && recommendation?.action !== "do-not-hire" && <AgentLinks links={agent.links} />}
      {knownClient && <KnownClientNote listing={knownClient} />}
      <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-muted">
        {agent?.simulated && <SimulatedMark />}
        {agent?.categories.map((category) => (
          <span key={category} className={`${CHIP} text-ink`}>
            {labelCategory(category)}
          </span>
        ))}
        {lastActive && (
          <span>
            Last active <Time at={lastActive} now={now} />
          </span>
        )}
        {agent && (
          <span>
            Registered <Time at={agent.registeredAt} />
          </span>
        )}
      </p>
    </header>
  );
}

type Links = NonNullable<WalletProfile["agent"]>["links"];

const LINK_LABELS = { endpoint: "Endpoint", website: "Website", source: "Source" } as const;

/** Shows the addresses that the agent's owner named, each as the browser resolves it. */
const AgentLinks = ({ links }: { links: Links }) => (
  <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-sm empty:hidden">
    {Object.entries(LINK_LABELS).map(([kind, label]) => {
      const url = links[kind as keyof typeof LINK_LABELS];
      if (!url) return null;
      return (
        <li key={kind}>
          <span className="text-muted">
            {(kind === "endpoint" && links.endpointKind) || label}{" "}
          </span>
          <a
            href={url}
            rel="nofollow ugc noopener"
            className="break-all text-accent underline-offset-2 hover:underline"
          >
            {/* Letters of other scripts in the host are shown in Punycode. */}
            {URL.canParse(url) ? new URL(url).href.replace(/\/$/, "") : url}
          </a>
        </li>
      );
    })}
  </ul>
);

/** Says since or until when a wallet is listed as a known client, and why. */
const KnownClientNote = ({ listing: { from, endedAt, reason } }: { listing: KnownClient }) => (
  <p className="mt-3 text-sm">
    <TextLink href="/anchors" className={endedAt ? "" : "font-medium text-good"}>
      {endedAt
        ? `Listing as a known client ended on ${formatDay(endedAt)}`
        : `Known client since ${formatDay(from)}`}
    </TextLink>
    {reason && <bdi className="text-muted"> ({removeBidiControls(reason)})</bdi>}
  </p>
);
