import type { Metadata } from "next";
import { cache } from "react";
import { BadgePanel } from "@/components/agents/badge-panel";
import { CheckYourself } from "@/components/agents/check-yourself";
import { CounterpartyList } from "@/components/agents/counterparty-list";
import { DisputeTally } from "@/components/agents/dispute-tally";
import { NextTier } from "@/components/agents/next-tier";
import { ProfileHeader } from "@/components/agents/profile-header";
import { ScoreBreakdown } from "@/components/agents/score-breakdown";
import { ScoreReceipts } from "@/components/agents/score-receipts";
import { ScoreHistory } from "@/components/charts/score-history";
import { AgentOutcomes } from "@/components/outcomes/agent-outcomes";
import { Panel } from "@/components/ui/panel";
import { outcomesInput } from "@/server/explorer/schema";
import { isolateText } from "@/server/lib/bidi";
import { partiesOf } from "@/server/outcomes/schema";
import { foundOr404, pageApi, siteUrl } from "@/server/page-api";
import { type Query, readQuery } from "@/server/page-query";

interface Props {
  params: Promise<{ wallet: string }>;
  searchParams: Promise<Query>;
}

const RECEIPTS = 5;

const outcomesFilter = outcomesInput.omit({ walletAddress: true });

const profileOf = cache(async (walletAddress: string) =>
  foundOr404((await pageApi()).explorer.profile({ walletAddress })),
);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const profile = await profileOf((await params).wallet);
  const { score, tier, totalOutcomes } = profile.reputation;
  const name = isolateText(profile.name);
  return {
    title: name,
    description: `${name}: score ${score.toFixed(2)}, ${tier}, ${totalOutcomes} judged outcomes.`,
  };
}

export default async function AgentPage({ params, searchParams }: Props) {
  const profile = await profileOf((await params).wallet);
  const walletAddress = profile.walletAddress;
  const path = `/agents/${walletAddress}`;
  const filter = readQuery(outcomesFilter, await searchParams);
  const api = await pageApi();
  const [outcomes, counterparties, disputes, series, history, network, url] = await Promise.all([
    api.explorer.outcomes({ walletAddress, ...filter }),
    api.explorer.counterparties({ walletAddress }),
    api.explorer.disputes({ walletAddress }),
    api.explorer.series({ walletAddress }),
    api.reputation.history({ walletAddress, size: RECEIPTS }),
    api.network.get(),
    siteUrl(),
  ]);
  const names = await api.explorer.names(partiesOf(outcomes.content));
  return (
    <>
      <ProfileHeader profile={profile} explorerUrl={network.explorerUrl} />
      <div className="mt-10 grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <div className="grid grid-cols-1 gap-6">
          <Panel title="What the score is made of">
            <ScoreBreakdown profile={profile} />
          </Panel>
          <Panel title="Whom it worked for">
            <CounterpartyList counterparties={counterparties} />
          </Panel>
          <Panel title="Disputes">
            <DisputeTally record={disputes} />
          </Panel>
        </div>
        <div className="grid grid-cols-1 gap-6">
          <Panel title="Score over time" note="After the events that moved it.">
            {series.length === 0 ? (
              <p className="text-muted">The line begins with the first outcome.</p>
            ) : (
              <ScoreHistory points={series} />
            )}
          </Panel>
          {history.nextTier && (
            <Panel title="The next tier">
              <NextTier next={history.nextTier} />
            </Panel>
          )}
          {history.content.length > 0 && (
            <Panel title="Why it moved" note="The latest changes, each with the rule that decided.">
              <ScoreReceipts changes={history.content} />
            </Panel>
          )}
          <Panel title="Check this yourself">
            <CheckYourself
              url={url}
              wallet={walletAddress}
              namesNode={network.rpcUrl !== undefined}
            />
          </Panel>
        </div>
      </div>
      <AgentOutcomes
        page={outcomes}
        path={path}
        wallet={walletAddress}
        names={names}
        filter={filter}
        explorerUrl={network.explorerUrl}
      />
      <div className="mt-12">
        <Panel title="A badge to show" note="It follows the score; what you paste stays as it is.">
          <BadgePanel url={url} walletAddress={walletAddress} name={profile.name} />
        </Panel>
      </div>
    </>
  );
}
