import type { Metadata } from "next";
import { NewestOutcomes } from "@/components/account/newest-outcomes";
import { listTasks } from "@/components/account/open-tasks";
import { ClientShares, NextTier, ScoreFigures } from "@/components/account/overview";
import { SetupList, TaskList } from "@/components/account/task-list";
import { UnsubmittedNotice } from "@/components/account/unsubmitted-notice";
import { ScoreHistory } from "@/components/charts/score-history";
import { seriesInput } from "@/server/explorer/schema";
import { listParties } from "@/server/outcomes/list-parties";
import { requireOwner } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";

export const metadata: Metadata = { title: "Dashboard", robots: { index: false } };

/** Enough to cover the dispute window of a busy agent. */
const OUTCOMES_READ = 100;
const OUTCOMES_SHOWN = 8;

const filter = seriesInput.pick({ range: true });

export default async function DashboardPage({ searchParams }: PageProps<"/dashboard">) {
  const { agent, walletAddress, api } = await requireOwner();
  const { range } = parsePageQuery(filter, await searchParams);
  const [profile, disputes, agreements, terms, outcomes, series, history, clients, webhooks] =
    await Promise.all([
      api.explorer.profile({ walletAddress }),
      api.disputes.list({}),
      api.agreements.list({}),
      api.disputes.terms(),
      api.explorer.outcomes({ walletAddress, size: OUTCOMES_READ }),
      api.explorer.series({ walletAddress, range }),
      api.reputation.history({ walletAddress, size: 1 }),
      api.explorer.counterparties({ walletAddress }),
      api.webhooks.list(),
    ]);
  const now = new Date();
  const parties = [
    ...disputes.content.flatMap((one) => [one.contractorAgentAddress, one.requesterAgentAddress]),
    ...agreements.content.flatMap((one) => [one.terms.contractor, one.terms.requester]),
  ];
  const jobs = [...outcomes.content, ...disputes.content].map(({ outcomeId }) => outcomeId);
  const [names, jobNames] = await Promise.all([
    api.explorer.names([...new Set([...listParties(outcomes.content), ...parties])]),
    api.outcomes.jobNames(jobs),
  ]);
  const tasks = listTasks({
    wallet: walletAddress,
    disputes: disputes.content,
    agreements: agreements.content,
    outcomes: outcomes.content,
    jobNames,
    terms,
    now: now.getTime(),
  });
  return (
    <div className="grid grid-cols-1 gap-8">
      <UnsubmittedNotice wallet={walletAddress} />
      <TaskList tasks={tasks} wallet={walletAddress} names={names} />
      <ScoreFigures profile={profile} />
      <div className="grid grid-cols-1 gap-x-12 gap-y-10 lg:grid-cols-[3fr_2fr]">
        <div className="grid min-w-0 grid-cols-1 content-start gap-10">
          <NewestOutcomes
            outcomes={outcomes.content.slice(0, OUTCOMES_SHOWN)}
            total={outcomes.totalElements}
            wallet={walletAddress}
            names={names}
            jobNames={jobNames}
            now={now.toISOString()}
          />
          {series.length > 0 && (
            <ScoreHistory
              points={series}
              range={range}
              getUrl={(next) =>
                next === filter.parse({}).range ? "/dashboard" : `/dashboard?range=${next}`
              }
            />
          )}
        </div>
        <div className="grid grid-cols-1 content-start gap-8">
          <SetupList
            hasOutcomes={outcomes.content.length > 0}
            hasWebhooks={webhooks.length > 0}
            hasLinks={Object.keys(agent.links).length > 0}
          />
          {history.nextTier && (
            <section aria-labelledby="next-tier">
              <h2 id="next-tier" className="mb-2 text-xl font-semibold">
                Next tier
              </h2>
              <NextTier next={history.nextTier} />
            </section>
          )}
          {clients.requesters > 0 && <ClientShares clients={clients} />}
        </div>
      </div>
    </div>
  );
}
