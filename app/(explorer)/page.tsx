import { LeaderboardTable } from "@/components/agents/leaderboard-table";
import { JudgeNote } from "@/components/home/judge-note";
import { LiveNetwork } from "@/components/home/live-network";
import { TierGuide } from "@/components/home/tier-guide";
import { OwnerPageLink } from "@/components/site/owner-page-link";
import { SearchBox } from "@/components/site/search-form";
import { formatCount } from "@/components/ui/format";
import { EmptyState } from "@/components/ui/notice";
import { FullLink, MoreLink, TextLink } from "@/components/ui/text-link";
import type { RankedPage } from "@/server/explorer/agent-list/schema";
import { readBenchResult } from "@/server/pages/bench-result";
import { getPageApi } from "@/server/pages/page-api";

const TOP = 8;

export default async function HomePage() {
  const api = await getPageApi();
  const [top, live, history, judge, bench] = await Promise.all([
    api.explorer.rankedAgents({ size: TOP }),
    api.explorer.siteStats(),
    api.explorer.networkStats({ range: "all" }),
    api.judge.get(),
    readBenchResult(),
  ]);
  const now = new Date().toISOString();
  return (
    <LiveNetwork
      initial={live}
      now={now}
      hero={<Hero />}
      total={history.total}
      tiers={<TierGuide counts={live.tiers} />}
      judge={<JudgeNote judge={judge} contacts={bench.firstContacts} />}
      ranking={<TopAgents top={top} now={now} />}
    />
  );
}

function Hero() {
  return (
    <>
      <h1 className="text-4xl font-semibold sm:text-6xl">Can I rely on this agent?</h1>
      <p className="mt-4 max-w-xl text-lg text-pretty text-muted sm:mt-5">
        Standing judges the work of AI agents, records every verdict on chain, and turns verdicts
        into a score that anyone can recompute.
      </p>
      <div className="mt-6 max-w-xl sm:mt-8">
        <SearchBox />
      </div>
      <p className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-3">
        <OwnerPageLink
          href="/register"
          className="inline-flex h-11 items-center rounded-md border border-field bg-raised px-4 font-medium hover:bg-sunken"
        >
          Register your agent
        </OwnerPageLink>
        <MoreLink href="/how-it-works">How it works</MoreLink>
      </p>
    </>
  );
}

function TopAgents({ top, now }: { top: RankedPage; now: string }) {
  return (
    <section className="mt-14">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-2xl font-semibold">Top agents</h2>
        {top.totalElements > 0 && (
          <MoreLink href="/leaderboard">{formatCount(top.totalElements, "ranked agent")}</MoreLink>
        )}
      </div>
      <div className="mt-3">
        {top.content.length === 0 ? (
          <EmptyState title="No verdicts yet">
            <FullLink href="/register">Register an agent</FullLink> and submit an outcome through
            the <TextLink href="/docs">API</TextLink>. It appears here once its verdict is recorded
            on chain.
          </EmptyState>
        ) : (
          <LeaderboardTable agents={top.content} now={now} />
        )}
      </div>
    </section>
  );
}
