import { ClientRecordFacts } from "@/components/agents/client-record";
import { HiringAdvice } from "@/components/agents/hiring-advice";
import { IdentityFilePanel } from "@/components/agents/identity-panel";
import { CategoryScores, ScoreSummary } from "@/components/agents/score-summary";
import { ScoreHistory } from "@/components/charts/score-history";
import { hasEarlierScore, listRanges } from "@/components/charts/score-points";
import { describeJob } from "@/components/compare/job";
import { WrongParameters } from "@/components/network/list-page";
import { OutcomeTable } from "@/components/network/outcome-table";
import { addDisputes, type OutcomeRow, toOutcomeRow } from "@/components/outcomes/outcome-row";
import { subtractAsShown } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { TextLink } from "@/components/ui/text-link";
import { profileQuery, type ScoreSeries, type WalletProfile } from "@/server/explorer/schema";
import { buildUrl } from "@/server/lib/build-url";
import { listParties } from "@/server/outcomes/list-parties";
import { getPageApi, readAccount } from "@/server/pages/page-api";
import { parsePageQuery, redirectToCleanUrl } from "@/server/pages/page-query";
import { describeNextJob, explainScore } from "@/server/reputation/score/explain-score";
import { describeProfile, loadProfile, ProfileFrame } from "./profile-frame";

type Props = PageProps<"/agents/[wallet]">;

const NEWEST_JOBS = 5;
/** Assumed for an agent that was never paid. */
const ASSUMED_JOB_USDC = 10;

export const generateMetadata = (props: Props) => describeProfile(props);

export default async function AgentPage({ params, searchParams }: Props) {
  const profile = await loadProfile((await params).wallet);
  const { walletAddress, reputation, erc8004 } = profile;
  const path = `/agents/${walletAddress}`;
  const query = await searchParams;
  const wrong = redirectToCleanUrl(path, profileQuery, query);
  const { range, ...job } = parsePageQuery(profileQuery, query);
  const { explorer } = await getPageApi();
  const own = { walletAddress };
  const hasJobs = reputation.totalOutcomes > 0;
  const [{ recommendation }, outcomes, past, month, halfYear, all, account] = await Promise.all([
    // For the job that a list was asked about.
    describeJob(job) ? explorer.check({ ...own, ...job }) : profile,
    explorer.outcomes({ ...own, size: NEWEST_JOBS, ...(hasJobs && { role: "contractor" }) }),
    explorer.pastJobs(own),
    explorer.series({ ...own, range: "30d" }),
    explorer.series({ ...own, range: "6m" }),
    range === "all" ? explorer.series({ ...own, range }) : [],
    readAccount(),
  ]);
  const series = { "30d": month, "6m": halfYear, all }[range];
  const { flags } = profile.risk;
  const [{ content }, names, jobs] = await Promise.all([
    addDisputes(outcomes, explorer.jobs),
    explorer.names([...listParties(outcomes.content), ...flags.flatMap(({ wallets }) => wallets)]),
    explorer.jobs([...new Set(flags.flatMap(({ outcomeIds }) => outcomeIds))]),
  ]);
  const newest = content.map((outcome) => toOutcomeRow(outcome, names));
  const isClient =
    !hasJobs && newest.some(({ requester }) => requester.walletAddress === walletAddress);
  const ranges = listRanges(month, halfYear);
  return (
    <ProfileFrame profile={profile} tab="">
      <WrongParameters wrong={wrong} />
      {isClient ? (
        <Panel
          title="Client"
          note="Hires agents and has no jobs of its own. Clients have no score."
        >
          <ClientRecordFacts record={profile.asClient} />
        </Panel>
      ) : (
        <HiringAdvice
          profile={{ ...profile, recommendation }}
          job={job}
          names={names}
          jobs={jobs}
          isOwn={account?.walletAddress === walletAddress}
        />
      )}
      <div className="mt-10 grid grid-cols-1 gap-10">
        {hasJobs && (
          <>
            <div className="grid grid-cols-1 gap-x-10 gap-y-8 lg:grid-cols-[17rem_1fr]">
              <ScoreSummary profile={profile} past={past} monthChange={getMonthChange(month)} />
              <ScoreHistory
                points={series}
                choice={{
                  current: ranges.includes(range) ? range : "6m",
                  ranges,
                  getUrl: (to) => buildUrl(path, { ...job, range: to }),
                }}
              />
            </div>
            <WhyThisScore
              profile={profile}
              usualUsdc={past.prices?.medianUsdc ?? ASSUMED_JOB_USDC}
            />
          </>
        )}
        {erc8004?.file && <IdentityFilePanel identity={erc8004} file={erc8004.file} />}
        {newest.length > 0 && <NewestJobs jobs={newest} wallet={walletAddress} />}
      </div>
    </ProfileFrame>
  );
}

function WhyThisScore({ profile, usualUsdc }: { profile: WalletProfile; usualUsdc: number }) {
  const { walletAddress, reputation, breakdown, risk } = profile;
  return (
    <Panel title="Why this score">
      <div className="grid grid-cols-1 gap-x-10 gap-y-5 lg:grid-cols-2">
        <div>
          <p>{explainScore(reputation, breakdown)}</p>
          <p className="mt-2 text-sm text-muted">
            {risk.level !== "danger" && `${describeNextJob(reputation, breakdown, usualUsdc)} `}
            <TextLink href={`/agents/${walletAddress}/score`} className="whitespace-nowrap">
              All steps
            </TextLink>
          </p>
        </div>
        <CategoryScores scores={reputation.categoryScores} />
      </div>
    </Panel>
  );
}

function NewestJobs({ jobs, wallet }: { jobs: OutcomeRow[]; wallet: string }) {
  return (
    <section>
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h2 className="text-xl font-semibold">Newest jobs</h2>
        <Link href={`/agents/${wallet}/jobs`} className="text-sm text-accent hover:underline">
          All jobs
        </Link>
      </div>
      <OutcomeTable outcomes={jobs} wallet={wallet} />
    </section>
  );
}

/** Returns the points since 30 days ago; null if there was no score then. */
function getMonthChange(month: ScoreSeries): number | null {
  const [first, last] = [month[0], month.at(-1)];
  return first && last && hasEarlierScore(month) ? subtractAsShown(last.score, first.score) : null;
}
