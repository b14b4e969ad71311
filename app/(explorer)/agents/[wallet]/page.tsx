import Link from "next/link";
import { redirect } from "next/navigation";
import { HiringAdvice } from "@/components/agents/hiring-advice";
import { CategoryScores, ScoreSummary } from "@/components/agents/score-summary";
import { ScoreHistory } from "@/components/charts/score-history";
import { OutcomeList } from "@/components/outcomes/agent-outcomes";
import { EmptyState } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { profileJobsQuery, profileQuery } from "@/server/explorer/schema";
import { listParties } from "@/server/outcomes/list-parties";
import { getPageApi } from "@/server/pages/page-api";
import {
  buildPageUrl,
  type PageQuery,
  parsePageQuery,
  redirectToCleanUrl,
} from "@/server/pages/page-query";
import { describeProfile, loadProfile, ProfileFrame, type ProfileProps } from "./profile-frame";

interface Props extends ProfileProps {
  searchParams: Promise<PageQuery>;
}

const NEWEST_JOBS = 5;

export const generateMetadata = (props: Props) => describeProfile(props);

export default async function AgentPage({ params, searchParams }: Props) {
  const profile = await loadProfile((await params).wallet);
  const { walletAddress, risk, reputation } = profile;
  const path = `/agents/${walletAddress}`;
  const query = await searchParams;
  // The list of jobs was on this page, and links to a part of it still work.
  if (Object.keys(profileJobsQuery.shape).some((name) => name in query)) {
    redirect(buildPageUrl(`${path}/jobs`, parsePageQuery(profileJobsQuery, query), {}));
  }
  redirectToCleanUrl(path, profileQuery, query);
  const { range } = parsePageQuery(profileQuery, query);
  const { explorer } = await getPageApi();
  const own = { walletAddress };
  const [outcomes, clients, series, month] = await Promise.all([
    explorer.outcomes({ ...own, size: NEWEST_JOBS }),
    explorer.counterparties(own),
    explorer.series({ ...own, range }),
    explorer.series({ ...own, range: "30d" }),
  ]);
  const names = await explorer.names([
    ...listParties(outcomes.content),
    ...risk.flags.flatMap(({ wallets }) => wallets),
  ]);
  return (
    <ProfileFrame profile={profile} tab="">
      <HiringAdvice profile={profile} names={names} />
      <div className="mt-6 grid grid-cols-1 gap-x-10 gap-y-8 lg:grid-cols-[17rem_1fr]">
        <ScoreSummary profile={profile} monthChange={getMonthChange(month)} clients={clients} />
        {series.length > 0 ? (
          <ScoreHistory
            points={series}
            range={range}
            getUrl={(to) => buildPageUrl(path, {}, { range: to })}
          />
        ) : (
          <EmptyState title="No score yet">
            <p>The chart starts with the first outcome as contractor.</p>
          </EmptyState>
        )}
      </div>
      <section className="mt-10">
        <div className="mb-3 flex items-baseline justify-between gap-4">
          <h2 className="text-xl font-semibold">Newest jobs</h2>
          {outcomes.totalElements > 0 && (
            <Link href={`${path}/jobs`} className="text-sm text-accent hover:underline">
              All jobs
            </Link>
          )}
        </div>
        {outcomes.content.length > 0 ? (
          <OutcomeList outcomes={outcomes.content} wallet={walletAddress} names={names} />
        ) : (
          <p className="text-muted">None yet.</p>
        )}
      </section>
      <div className="mt-10">
        <Panel title="By category">
          <CategoryScores scores={reputation.categoryScores} />
        </Panel>
      </div>
    </ProfileFrame>
  );
}

/** Returns the points since 30 days ago; null if there was no score then. */
function getMonthChange(month: { at: string; score: number; cause: string }[]): number | null {
  const [first, last] = [month[0], month.at(-1)];
  // The series starts with a day's score only if there was one before the range.
  if (!first || !last || month.length < 2 || first.cause !== "day") return null;
  return last.score - first.score;
}
