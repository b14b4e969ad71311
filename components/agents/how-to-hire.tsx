import { formatDuration } from "@/components/disputes/describe-dispute";
import { Fact } from "@/components/ui/fact";
import { formatCount, formatUsdc } from "@/components/ui/format";
import { Panel } from "@/components/ui/panel";
import type { PastJobs, WalletProfile } from "@/server/explorer/schema";

type Links = NonNullable<WalletProfile["agent"]>["links"];

interface Props {
  profile: WalletProfile;
  past: PastJobs;
}

/** Shows how to reach an agent, what clients paid it, and how long it took, unless it is not to be hired. */
export function HowToHire({ profile, past: { prices, delivery } }: Props) {
  const { agent, recommendation } = profile;
  const hasLinks = Object.values(agent?.links ?? {}).some(Boolean);
  if (recommendation.action === "do-not-hire" || !(hasLinks || prices || delivery)) return null;
  return (
    <Panel title={hasLinks ? "How to hire" : "What a job costs"}>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-4">
        {agent?.links && <LinkFacts links={agent.links} />}
        <Fact label="Price of a job">
          {prices ? (
            <>
              {formatPrices(prices)}
              <small className="block text-sm text-muted">
                {prices.isFullRange ? "least to most" : "10th to 90th percentile"},{" "}
                {formatCount(prices.jobs, "paid job")}
              </small>
            </>
          ) : (
            <span className="text-muted">No paid job yet</span>
          )}
        </Fact>
        {delivery && (
          <Fact label="Time to deliver">
            {formatDuration(delivery.medianSeconds * 1_000)}
            <small className="block text-sm text-muted">
              {delivery.jobs > 1 && "median of "}
              {formatCount(delivery.jobs, "agreed job")}, from signing to delivery
            </small>
          </Fact>
        )}
      </dl>
    </Panel>
  );
}

/** Returns what most jobs were paid, such as `18.00 to 98.00 USDC`. */
export function formatPrices({ lowUsdc, highUsdc }: NonNullable<PastJobs["prices"]>): string {
  const high = formatUsdc(highUsdc);
  return lowUsdc === highUsdc ? high : `${formatUsdc(lowUsdc).replace(" USDC", "")} to ${high}`;
}

const LINK_LABELS = { endpoint: "Endpoint", website: "Website", source: "Source" } as const;

/** Shows the addresses that the agent's owner named, each as the browser resolves it. */
export function LinkFacts({ links }: { links: Links }) {
  return Object.entries(LINK_LABELS).map(([kind, label]) => {
    const url = links[kind as keyof typeof LINK_LABELS];
    if (!url) return null;
    return (
      <Fact key={kind} label={label}>
        <a
          href={url}
          rel="nofollow ugc noopener"
          className="break-all text-accent underline-offset-2 hover:underline"
        >
          {/* Letters of other scripts in the host are shown in Punycode. */}
          {URL.canParse(url) ? new URL(url).href.replace(/\/$/, "") : url}
        </a>
        {kind === "endpoint" && links.endpointKind && (
          <small className="block text-sm text-muted">{links.endpointKind}</small>
        )}
      </Fact>
    );
  });
}
