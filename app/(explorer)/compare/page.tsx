import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { z } from "zod";
import { ShareButton } from "@/components/agents/share-button";
import { ScoreChart } from "@/components/charts/score-chart";
import { packPoints } from "@/components/charts/score-points";
import { AddAgent } from "@/components/compare/add-agent";
import { Answer, toChoice } from "@/components/compare/answer";
import { type ComparedAgent, CompareTable, getName } from "@/components/compare/compare-table";
import { buildCompareUrl, describeJob, type Job, MAX_AGENTS } from "@/components/compare/job";
import { CATEGORY_CHOICE, VALUE_CHOICE } from "@/components/network/choices";
import { FilterMenus } from "@/components/network/filter-menu";
import { StatusNote, WrongParameters } from "@/components/network/list-page";
import { nameParty } from "@/components/site/party-name";
import { describePage } from "@/components/social/describe-page";
import { PageTitle } from "@/components/ui/page-title";
import type { ScoreSeries } from "@/server/explorer/schema";
import { isolateText } from "@/server/lib/bidi";
import { categorySchema, usdcSchema } from "@/server/lib/schema";
import { walletSchema } from "@/server/lib/wallet";
import { getPageApi, getSiteOrigin, resolveOrNull } from "@/server/pages/page-api";
import {
  type PageQuery,
  parsePageQuery,
  parseWallets,
  redirectToCleanUrl,
} from "@/server/pages/page-query";

const TITLE = "Compare agents";
const DESCRIPTION = "Whether to hire, score and evidence of two to four agents side by side.";

const querySchema = z
  .object({
    agents: z.string(),
    q: z.string().trim().max(200),
    valueUsdc: usdcSchema,
    category: categorySchema,
  })
  .partial();

export async function generateMetadata({ searchParams }: PageProps<"/compare">): Promise<Metadata> {
  const wallets = readWallets(await searchParams);
  if (wallets.length === 0) return { title: TITLE, description: DESCRIPTION };
  const names = await (await getPageApi()).explorer.names(wallets);
  const listed = wallets.map((wallet) => nameParty({ walletAddress: wallet, name: names[wallet] }));
  return describePage({
    path: buildCompareUrl(wallets),
    title: `${listed.join(" or ")}?`,
    description: `${listed.join(", ")}: whether to hire, score and evidence side by side.`,
    picture: `/compare/${wallets.join(",")}`,
  });
}

const CANDIDATES = 6;

export default async function ComparePage({ searchParams }: PageProps<"/compare">) {
  const search = await searchParams;
  const { agents: _, q, ...job } = parsePageQuery(querySchema, search);
  const wallets = readWallets(search);
  const added = walletSchema.safeParse(q);
  if (added.success && wallets.length < MAX_AGENTS) {
    redirect(buildCompareUrl([...new Set([...wallets, added.data])], job));
  }
  // As a form with boxes to tick sends them.
  if (Array.isArray(search.agents)) redirect(buildCompareUrl(wallets, job));
  const wrong = redirectToCleanUrl("/compare", querySchema, search);
  const found = await Promise.all(wallets.map((wallet) => readAgent(wallet, job)));
  const compared = found.filter((agent) => agent !== null);
  const shown = compared.map(({ walletAddress }) => walletAddress);
  const candidates = await listCandidates(shown, q, job);
  const missing = wallets.filter((wallet) => !shown.includes(wallet));
  return (
    <>
      <WrongParameters wrong={[...wrong, ...listWrongWallets(search)]} />
      {missing.length > 0 && <StatusNote>No record of {missing.join(", ")}</StatusNote>}
      <div className="flex items-start justify-between gap-4">
        <PageTitle>{TITLE}</PageTitle>
        {compared.length > 1 && (
          <ShareButton
            title={`${compared.map(getName).map(isolateText).join(" or ")}? Compare them on Standing.`}
            url={`${await getSiteOrigin()}${buildCompareUrl(shown, job)}`}
          />
        )}
      </div>
      {compared.length > 0 ? (
        <Answer choices={compared.map((agent) => toChoice(agent, job))} job={job} isAmongThese />
      ) : (
        !q && describeJob(job) && <Answer choices={candidates} job={job} isAmongThese={false} />
      )}
      <div className="mt-4">
        <FilterMenus
          path="/compare"
          choices={[VALUE_CHOICE, CATEGORY_CHOICE]}
          filter={{ agents: shown.join(","), ...job, valueUsdc: job.valueUsdc?.toString() }}
        />
      </div>
      {compared.length > 0 && (
        <div className="mt-8">
          <CompareTable agents={compared} job={job} now={new Date().toISOString()} />
        </div>
      )}
      {compared.length < MAX_AGENTS && (
        <div className="mt-5">
          <AddAgent wallets={shown} job={job} q={q} candidates={candidates} />
        </div>
      )}
      {compared.length > 0 && (
        <section className="mt-10">
          <h2 className="text-2xl font-semibold">Score, last 6 months</h2>
          <ScoreChart
            lines={compared.map((agent) => ({
              name: getName(agent),
              points: packPoints(agent.points),
            }))}
          />
        </section>
      )}
    </>
  );
}

const readWallets = ({ agents = "" }: PageQuery) =>
  parseWallets([agents].flat().join(","), MAX_AGENTS);

/** Names what is no wallet address in the list of agents. */
const listWrongWallets = ({ agents = "" }: PageQuery) =>
  [agents]
    .flat()
    .flatMap((text) => text.split(","))
    .filter((text) => text && !walletSchema.safeParse(text).success)
    .map((text) => ["agents", text] as const);

type Compared = ComparedAgent & { points: ScoreSeries };

/** Reads an agent, with the recommendation and the limit for the job. */
async function readAgent(walletAddress: string, job: Job): Promise<Compared | null> {
  const api = await getPageApi();
  const [profile, { recommendation, limit }, points, { prices }] = await Promise.all([
    resolveOrNull(api.explorer.wallet({ walletAddress })),
    api.explorer.check({ walletAddress, ...job }),
    api.explorer.series({ walletAddress, range: "6m" }),
    api.explorer.pastJobs({ walletAddress, category: job.category }),
  ]);
  return profile && { ...profile, recommendation, limit, points, prices };
}

/** Returns the agents found for `q`, or the best ones for the job, without those that are compared. */
async function listCandidates(wallets: string[], q: string | undefined, job: Job) {
  const { explorer } = await getPageApi();
  const size = CANDIDATES + wallets.length;
  const { content } = q
    ? (await explorer.searchAll({ q, size })).agents
    : await explorer.rankedAgents({ ...job, hideRisky: true, size });
  return content
    .filter(({ walletAddress }) => !wallets.includes(walletAddress))
    .slice(0, CANDIDATES);
}
