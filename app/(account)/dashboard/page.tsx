import type { Metadata } from "next";
import type { z } from "zod";
import { NewestOutcomes } from "@/components/account/newest-outcomes";
import { listTasks } from "@/components/account/open-tasks";
import { NextTier, ScoreFigures } from "@/components/account/overview";
import { sumMoves } from "@/components/account/own-records";
import { SetupList, TaskList } from "@/components/account/task-list";
import { UnsubmittedNotice } from "@/components/account/unsubmitted-notice";
import { ScoreHistory } from "@/components/charts/score-history";
import { addDisputes } from "@/components/outcomes/outcome-row";
import { SERIES_RANGES, seriesInput } from "@/server/explorer/schema";
import { listParties } from "@/server/outcomes/list-parties";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { getOwnerApi, requireOwner } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";

export const metadata: Metadata = { title: "Dashboard", robots: { index: false } };

/** Enough to cover the dispute window of a busy agent. */
const OUTCOMES_READ = 100;
const OUTCOMES_SHOWN = 8;
/** Enough for the outcomes shown. */
const CHANGES_READ = 50;

const filter = seriesInput.pick({ range: true });

type Range = z.infer<typeof filter>["range"];

/** Reads what the overview shows of an owner. */
async function readOverview(walletAddress: string, range: Range) {
  const api = await getOwnerApi();
  const [disputes, agreements, terms, outcomes, ...others] = await Promise.all([
    api.disputes.list({}),
    api.agreements.list({}),
    api.disputes.terms(),
    api.explorer.outcomes({ walletAddress, size: OUTCOMES_READ }),
    api.explorer.profile({ walletAddress }),
    api.explorer.series({ walletAddress, range }),
    api.reputation.history({ walletAddress, size: CHANGES_READ }),
    api.webhooks.list(),
  ]);
  const parties = [
    ...listParties([...outcomes.content, ...disputes.content]),
    ...agreements.content.flatMap((one) => [one.terms.contractor, one.terms.requester]),
  ];
  const jobs = [...outcomes.content, ...disputes.content].map(({ outcomeId }) => outcomeId);
  const [newest, names, jobNames] = await Promise.all([
    addDisputes({ content: outcomes.content.slice(0, OUTCOMES_SHOWN) }, api.explorer.jobs),
    api.explorer.names([...new Set(parties)]),
    api.outcomes.jobNames(jobs),
  ]);
  const now = new Date();
  const tasks = listTasks({
    wallet: walletAddress,
    disputes: disputes.content,
    agreements: agreements.content,
    outcomes: outcomes.content,
    jobNames,
    terms,
    now: now.getTime(),
  });
  const shown = { outcomes: newest.content, names, jobNames, now: now.toISOString() };
  return { tasks, outcomes, shown, others };
}

export default async function DashboardPage({ searchParams }: PageProps<"/dashboard">) {
  const { agent, walletAddress } = await requireOwner();
  const { range } = parsePageQuery(filter, await searchParams);
  const { tasks, outcomes, others, shown } = await readOverview(walletAddress, range);
  const [profile, series, history, webhooks] = others;
  const { content, totalElements } = outcomes;
  const isOwn = (one: PublicOutcome) => one.submittedBy.walletAddress === walletAddress;
  return (
    <div className="grid grid-cols-1 gap-8">
      <UnsubmittedNotice wallet={walletAddress} />
      <TaskList tasks={tasks} wallet={walletAddress} names={shown.names} />
      <ScoreFigures profile={profile} />
      <div className="grid grid-cols-1 gap-x-12 gap-y-10 lg:grid-cols-[3fr_2fr]">
        <div className="grid min-w-0 grid-cols-1 content-start gap-10">
          <NewestOutcomes
            {...shown}
            total={totalElements}
            moves={sumMoves(history.content)}
            wallet={walletAddress}
          />
          {series.length > 0 && (
            <ScoreHistory
              points={series}
              choice={{
                current: range,
                ranges: SERIES_RANGES,
                getUrl: (next) =>
                  next === filter.parse({}).range ? "/dashboard" : `/dashboard?range=${next}`,
              }}
            />
          )}
        </div>
        <div className="grid grid-cols-1 content-start gap-8">
          <SetupList
            hasOutcomes={totalElements > 0}
            hasSubmitted={content.some(isOwn)}
            hasWebhooks={webhooks.length > 0}
            hasProfile={agent.description !== "" && Object.keys(agent.links).length > 0}
          />
          {history.nextTier && <NextTier next={history.nextTier} />}
        </div>
      </div>
    </div>
  );
}
