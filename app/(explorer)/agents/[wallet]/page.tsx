import type { Metadata } from "next";
import { cache } from "react";
import { BadgePanel } from "@/components/agents/badge-panel";
import { Counterparties } from "@/components/agents/counterparties";
import { DisputeHistory } from "@/components/agents/dispute-history";
import { HiringAdvice } from "@/components/agents/hiring-advice";
import { IdentityPanel } from "@/components/agents/identity-panel";
import { PriceTag } from "@/components/agents/price-to-fake";
import { ApiSnippet, SignedStatement, VerifyCommand } from "@/components/agents/profile-commands";
import { ProfileHeader } from "@/components/agents/profile-header";
import {
  ProfileActions,
  ProfileSectionLinks,
  RegisterHint,
} from "@/components/agents/profile-navigation";
import { describeProfilePage } from "@/components/agents/profile-page-data";
import { RegistryFeedbackPanel } from "@/components/agents/registry-feedback";
import { ScoreBreakdownTable } from "@/components/agents/score-breakdown";
import { ScoreChanges } from "@/components/agents/score-changes";
import { CategoryScores, ScoreSummary } from "@/components/agents/score-summary";
import { WatchAgent } from "@/components/agents/watch-agent";
import { ActivityMap } from "@/components/charts/activity-map";
import { ScoreHistory } from "@/components/charts/score-history";
import { AgentOutcomes } from "@/components/outcomes/agent-outcomes";
import { Breadcrumbs } from "@/components/site/breadcrumbs";
import { StructuredData } from "@/components/site/structured-data";
import { shortenHex } from "@/components/ui/format";
import { EmptyState } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { getOembedUrl } from "@/server/explorer/oembed";
import { buildService } from "@/server/explorer/registration-file";
import { profileQuery } from "@/server/explorer/schema";
import { isolateText } from "@/server/lib/bidi";
import { listParties } from "@/server/outcomes/list-parties";
import { getPageApi, getSiteUrl, resolveOptional, resolveOr404 } from "@/server/pages/page-api";
import {
  buildPageUrl,
  type PageQuery,
  parsePageQuery,
  redirectToCleanUrl,
  requirePage,
} from "@/server/pages/page-query";
import { countEvidence } from "@/server/reputation/score/count-evidence";

interface Props {
  params: Promise<{ wallet: string }>;
  searchParams: Promise<PageQuery>;
}

const ROWS = 10;

const loadProfile = cache(async (walletAddress: string) =>
  resolveOr404((await getPageApi()).explorer.wallet({ walletAddress })),
);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { agent, reputation, recommendation, walletAddress } = await loadProfile(
    (await params).wallet,
  );
  const { score, tier, totalOutcomes } = reputation;
  const name = agent ? isolateText(agent.name) : shortenHex(walletAddress);
  const path = `/agents/${walletAddress}`;
  return {
    title: name,
    description: `${name}: score ${score.toFixed(2)}, ${tier}, ${totalOutcomes} judged outcomes. ${recommendation.summary}`,
    alternates: {
      types: {
        "application/atom+xml": `${path}/feed.xml`,
        "application/json+oembed": getOembedUrl(await getSiteUrl(), path),
      },
    },
  };
}

export default async function AgentPage({ params, searchParams }: Props) {
  const profile = await loadProfile((await params).wallet);
  const { walletAddress, agent, risk, reputation, breakdown, priceToFake, erc8004 } = profile;
  const path = `/agents/${walletAddress}`;
  const query = await searchParams;
  redirectToCleanUrl(path, profileQuery, query);
  const { range, ...filter } = parsePageQuery(profileQuery, query);
  const { outcomes, clients, graph, disputes, series, month, moves, activity, network, url } =
    await loadSections({ walletAddress, range, ...filter });
  requirePage(outcomes);
  const api = await getPageApi();
  const registryFeedback = await resolveOptional(api.feedback.ofAgent({ walletAddress }), null);
  const names = await api.explorer.names([
    ...listParties(outcomes.content),
    ...risk.flags.flatMap(({ wallets }) => wallets),
  ]);
  const ring = risk.flags.find((flag) => flag.risk === "ring-payments")?.wallets ?? [];
  const now = new Date().toISOString();
  return (
    <>
      <Breadcrumbs
        origin={url}
        parents={[{ label: "Agents", path: "/agents" }]}
        current={agent?.name ?? shortenHex(walletAddress)}
      />
      <StructuredData data={describeProfilePage(profile, url)} />
      <ProfileHeader
        profile={profile}
        explorerUrl={network.explorerUrl}
        now={now}
        actions={
          <ProfileActions
            wallet={walletAddress}
            title={agent?.name ?? walletAddress}
            url={`${url}${path}`}
          />
        }
      />
      {!agent && <RegisterHint />}
      <HiringAdvice profile={profile} names={names} />
      <div className="mt-6 grid grid-cols-1 gap-x-10 gap-y-8 lg:grid-cols-[17rem_1fr]">
        <ScoreSummary profile={profile} monthChange={getMonthChange(month)} clients={clients} />
        {series.length > 0 ? (
          <ScoreHistory
            points={series}
            range={range}
            getUrl={(to) => buildPageUrl(path, filter, { range: to })}
          />
        ) : (
          <EmptyState title="No score yet">
            <p>The chart starts with the first outcome as contractor.</p>
          </EmptyState>
        )}
      </div>
      {priceToFake && <PriceTag price={priceToFake} score={reputation.score} />}
      <ProfileSectionLinks outcomes={outcomes.totalElements} clients={graph.total} />
      <div className="grid grid-cols-1 items-start gap-x-10 gap-y-10 lg:grid-cols-[minmax(0,1fr)_23rem]">
        <div className="grid min-w-0 grid-cols-1 gap-8">
          <AgentOutcomes
            page={outcomes}
            path={path}
            wallet={walletAddress}
            names={names}
            filter={filter}
            range={range}
          />
          {activity.days.length > 0 && (
            <Panel title="Activity" note="Outcomes by day, last 6 months">
              <ActivityMap activity={activity} />
            </Panel>
          )}
        </div>
        <Panel title="Why it moved">
          <ScoreChanges moves={moves} />
        </Panel>
      </div>
      <div className="mt-10 grid grid-cols-1 gap-6">
        <Panel title="Clients and payees" id="clients">
          <Counterparties clients={clients} graph={graph} wallet={walletAddress} ring={ring} />
        </Panel>
        <Panel title="What the score is made of" id="score">
          <ScoreBreakdownTable
            breakdown={breakdown}
            evidence={breakdown && countEvidence(breakdown)}
            score={reputation.score}
          />
        </Panel>
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
          <Panel title="By category">
            <CategoryScores scores={reputation.categoryScores} />
          </Panel>
          <Panel title="Disputes">
            <DisputeHistory record={disputes} />
          </Panel>
        </div>
        {registryFeedback && <RegistryFeedbackPanel feedback={registryFeedback} />}
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-2" id="verify">
          <Panel title="Verify">
            <VerifyCommand
              url={url}
              wallet={walletAddress}
              hasLocalNode={network.rpcUrl !== undefined}
            />
          </Panel>
          <Panel title="API" note="Score, risks and evidence as JSON; no key needed">
            <ApiSnippet url={url} wallet={walletAddress} isRegistered={agent !== null} />
          </Panel>
        </div>
        <SignedStatement url={url} wallet={walletAddress} network={network} />
        {erc8004 && (
          <Panel id="erc8004" title="ERC-8004 identity">
            <IdentityPanel
              identity={erc8004}
              wallet={walletAddress}
              service={buildService(walletAddress, url)}
            />
          </Panel>
        )}
        <Panel id="watch" title="Watch" note="No account needed.">
          <WatchAgent url={url} walletAddress={walletAddress} />
        </Panel>
        {agent && (
          <Panel title="Embed badge" note="Updates automatically; paste once.">
            <BadgePanel url={url} walletAddress={walletAddress} name={agent.name} />
          </Panel>
        )}
      </div>
    </>
  );
}

type Query = { walletAddress: string } & ReturnType<typeof profileQuery.parse>;

/** Loads everything but the profile itself. */
async function loadSections({ walletAddress, range, ...filter }: Query) {
  const { explorer, network } = await getPageApi();
  const own = { walletAddress };
  const [outcomes, clients, graph, disputes, series, month, moves, activity, chain, url] =
    await Promise.all([
      explorer.outcomes({ ...own, ...filter, size: ROWS }),
      explorer.counterparties(own),
      explorer.graph(own),
      explorer.disputes(own),
      explorer.series({ ...own, range }),
      explorer.series({ ...own, range: "30d" }),
      explorer.moves(own),
      explorer.activity(own),
      network.get(),
      getSiteUrl(),
    ]);
  return {
    outcomes,
    clients,
    graph,
    disputes,
    series,
    month,
    moves,
    activity,
    network: chain,
    url,
  };
}

/** Returns the points since 30 days ago; null if there was no score then. */
function getMonthChange(month: { at: string; score: number; cause: string }[]): number | null {
  const [first, last] = [month[0], month.at(-1)];
  // The series starts with a day's score only if there was one before the range.
  if (!first || !last || month.length < 2 || first.cause !== "day") return null;
  return last.score - first.score;
}
