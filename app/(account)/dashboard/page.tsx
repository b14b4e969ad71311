import type { Metadata } from "next";
import type { z } from "zod";
import { listTasks } from "@/components/account/open-tasks";
import { OutcomesSection } from "@/components/account/outcomes-section";
import { NextTier, ScoreFigures } from "@/components/account/overview";
import { listPayments, sumMoves } from "@/components/account/own-records";
import { TaskList } from "@/components/account/task-list";
import { UnsubmittedNotice } from "@/components/account/unsubmitted-notice";
import { ScoreHistory } from "@/components/charts/score-history";
import { addDisputes } from "@/components/outcomes/outcome-row";
import { formatAmount } from "@/components/ui/format";
import { EmptyState } from "@/components/ui/notice";
import { ButtonLink, MoreLink } from "@/components/ui/text-link";
import { SERIES_RANGES, seriesInput } from "@/server/explorer/schema";
import { listParties } from "@/server/outcomes/list-parties";
import { getOwnerApi, requireOwner } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";

export const metadata: Metadata = { title: "Dashboard", robots: { index: false } };

/** Enough to cover the dispute window of a busy agent. */
const OUTCOMES_READ = 100;
const OUTCOMES_SHOWN = 6;
/** Jobs from which on the score has a course. */
const CHARTED_FROM = 10;
/** Enough for the outcomes shown. */
const CHANGES_READ = 50;

const filter = seriesInput.pick({ range: true });

type Range = z.infer<typeof filter>["range"];

/** Reads what the overview shows of an owner. */
async function readOverview(wallet: string, range: Range) {
  const api = await getOwnerApi();
  const [disputes, agreements, terms, outcomes, history, ...others] = await Promise.all([
    api.disputes.list({}),
    api.agreements.list({}),
    api.disputes.terms(),
    api.explorer.outcomes({ walletAddress: wallet, size: OUTCOMES_READ }),
    api.reputation.history({ walletAddress: wallet, size: CHANGES_READ }),
    api.explorer.profile({ walletAddress: wallet }),
    api.explorer.series({ walletAddress: wallet, range }),
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
  const now = Date.now();
  const tasks = listTasks({
    wallet,
    disputes: disputes.content,
    agreements: agreements.content,
    outcomes: outcomes.content,
    jobNames,
    terms,
    now,
  });
  const moves = sumMoves(history.content);
  const payments = listPayments(agreements.content);
  const shown = { wallet, outcomes: newest.content, names, jobNames, moves, payments, now };
  return { tasks, total: outcomes.totalElements, nextTier: history.nextTier, shown, others };
}

export default async function DashboardPage({ searchParams }: PageProps<"/dashboard">) {
  const { walletAddress } = await requireOwner();
  const { range } = parsePageQuery(filter, await searchParams);
  const { tasks, total, nextTier, shown, others } = await readOverview(walletAddress, range);
  const [profile, series] = others;
  const { totalOutcomes } = profile.reputation;
  return (
    <div className="grid grid-cols-1 gap-8">
      <UnsubmittedNotice wallet={walletAddress} />
      <TaskList tasks={tasks} wallet={walletAddress} names={shown.names} />
      <ScoreFigures profile={profile} />
      {total > 0 ? (
        <section aria-labelledby="newest">
          <div className="mb-2 flex items-baseline justify-between gap-4">
            <h2 id="newest" className="text-xl font-semibold">
              Newest jobs
            </h2>
            <MoreLink href="/dashboard/outcomes">All {formatAmount(total)}</MoreLink>
          </div>
          <OutcomesSection {...shown} />
        </section>
      ) : (
        <EmptyState title="No jobs yet">
          <ButtonLink href="/dashboard/outcomes">Submit your first job</ButtonLink>
        </EmptyState>
      )}
      <div className="grid grid-cols-1 gap-x-12 gap-y-8 lg:grid-cols-[3fr_2fr]">
        {totalOutcomes >= CHARTED_FROM && (
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
        {totalOutcomes > 0 && nextTier && <NextTier next={nextTier} />}
      </div>
    </div>
  );
}
