import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { canAnswer } from "@/components/agents/advice";
import { LeaderboardTable } from "@/components/agents/leaderboard-table";
import { buildLeaderboardUrl, describeJob, type Job } from "@/components/compare/job";
import { describeTotal, RESULTS } from "@/components/network/list-heading";
import { ListPage } from "@/components/network/list-page";
import { SearchRecords } from "@/components/network/search-records";
import { addDisputes } from "@/components/outcomes/outcome-row";
import { SearchBox } from "@/components/site/search-form";
import { findExactPage } from "@/components/site/search-results";
import { capitalizeFirst } from "@/components/ui/format";
import { EmptyState } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { FullLink, TextLink } from "@/components/ui/text-link";
import { type SearchResults, searchAllInput } from "@/server/explorer/agent-list/schema";
import { labelCategory } from "@/server/lib/category-name";
import { listParties } from "@/server/outcomes/list-parties";
import { getPageApi } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";

export const metadata: Metadata = { title: "Search", robots: { index: false } };

export default async function SearchPage({ searchParams }: PageProps<"/search">) {
  const query = parsePageQuery(searchAllInput, await searchParams);
  const api = await getPageApi();
  const results = await api.explorer.searchAll(query);
  const exactPage = query.q && findExactPage(query.q.trim(), results);
  if (exactPage) redirect(exactPage);
  const { agents, jobs, text, valueUsdc, ...records } = results;
  const names = await api.explorer.names(listParties(records.outcomes));
  const { content } = await addDisputes({ content: records.outcomes }, api.explorer.jobs);
  const hasRecords =
    records.totalOutcomes > 0 || records.disputes.length > 0 || records.anchorSeqs.length > 0;
  const hasAgents = agents.totalElements > 0;
  return (
    <ListPage counts={agents} path="/search" filter={{ q: query.q }}>
      <PageTitle>{query.q ? "Search" : "All agents"}</PageTitle>
      <div className="mt-5">
        <SearchBox value={query.q} />
      </div>
      <span id={RESULTS} tabIndex={-1} />
      {hasRecords && <SearchRecords results={{ ...records, outcomes: content }} names={names} />}
      {jobs.map(({ category, best }) => (
        <BestAgents key={category ?? ""} job={{ valueUsdc, category }} best={best} />
      ))}
      {(hasAgents || !(hasRecords || jobs.length > 0)) && (
        <section className="mt-8">
          <h2 className="text-xl font-semibold">
            {describeCount(agents, text)}
            {jobs.length > 0 && ", across all categories"}
          </h2>
          <div className="mt-3">
            {hasAgents ? (
              <LeaderboardTable
                agents={agents.content}
                now={new Date().toISOString()}
                job={{ valueUsdc }}
              />
            ) : (
              <NoResults q={text} />
            )}
          </div>
        </section>
      )}
    </ListPage>
  );
}

/** Lists the agents that rank highest for a job. */
function BestAgents({ job, best }: { job: Job } & Pick<SearchResults["jobs"][0], "best">) {
  const subject = describeJob(job);
  const hasAnswer = best.some(canAnswer);
  return (
    <section className="mt-8">
      <h2 className="text-xl font-semibold">
        {hasAnswer ? `Best for ${subject}` : capitalizeFirst(subject)}
      </h2>
      {!hasAnswer && (
        <p className="mt-1 text-muted">
          No agent has {best.length > 0 ? "shown enough evidence" : "done such a job"} yet.
        </p>
      )}
      <div className="mt-3">
        {best.length > 0 && (
          <LeaderboardTable agents={best} now={new Date().toISOString()} job={job} />
        )}
      </div>
      <p className="mt-3 text-sm">
        <TextLink href={buildLeaderboardUrl(job)}>
          {job.category ? `${labelCategory(job.category)} leaderboard` : "Leaderboard"}
        </TextLink>
      </p>
    </section>
  );
}

function describeCount(found: SearchResults["agents"], q: string): string {
  const agents = describeTotal(found, "agent", false);
  if (!q) return `${agents} registered`;
  const isSimilar = !found.isExact && found.totalElements > 0;
  return `${agents} ${isSimilar ? "with words like" : "for"} “${q}”`;
}

const NoResults = ({ q }: { q: string }) => (
  <EmptyState title={q ? "No results" : "No agents yet"}>
    {q ? (
      <>
        A name, a kind of work, or a full address, hash or ID leads to results. Or choose from the{" "}
        <TextLink href="/leaderboard">leaderboard</TextLink>.
      </>
    ) : (
      <FullLink href="/register">Register the first one</FullLink>
    )}
  </EmptyState>
);
