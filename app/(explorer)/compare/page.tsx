import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { z } from "zod";
import { ShareButton } from "@/components/agents/share-button";
import { ScoreChart } from "@/components/charts/score-chart";
import { packPoints } from "@/components/charts/score-points";
import { AddAgent } from "@/components/compare/add-agent";
import { CompareTable, getName } from "@/components/compare/compare-table";
import { buildCompareUrl, MAX_AGENTS } from "@/components/compare/series-style";
import { describePage } from "@/components/social/describe-page";
import { formatCount, shortenHex } from "@/components/ui/format";
import { EmptyState } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { isolateText } from "@/server/lib/bidi";
import { walletSchema } from "@/server/lib/wallet";
import { getPageApi, getSiteOrigin, resolveOrNull } from "@/server/pages/page-api";
import { type PageQuery, parsePageQuery, parseWallets } from "@/server/pages/page-query";

const TITLE = "Compare agents";
const DESCRIPTION = "Whether to hire, score and evidence of two to four agents side by side.";

const querySchema = z.object({ q: z.string().trim().max(200) });
type Props = PageProps<"/compare">;

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const wallets = readWallets(await searchParams);
  if (wallets.length === 0) return { title: TITLE, description: DESCRIPTION };
  const names = await (await getPageApi()).explorer.names(wallets);
  const listed = wallets.map((wallet) => isolateText(names[wallet] ?? shortenHex(wallet)));
  return describePage({
    path: buildCompareUrl(wallets),
    title: `${listed.join(" or ")}?`,
    description: `${listed.join(", ")}: whether to hire, score and evidence side by side.`,
    picture: `/compare/${wallets.join(",")}`,
  });
}

const CANDIDATES = 6;

export default async function ComparePage({ searchParams }: Props) {
  const search = await searchParams;
  const { q } = parsePageQuery(querySchema.partial(), search);
  const wallets = readWallets(search);
  const added = walletSchema.safeParse(q);
  if (added.success && wallets.length < MAX_AGENTS) {
    redirect(buildCompareUrl([...new Set([...wallets, added.data])]));
  }
  // As a form with boxes to tick sends them.
  if (Array.isArray(search.agents)) redirect(buildCompareUrl(wallets));
  const found = await Promise.all(wallets.map(readAgent));
  const compared = found.filter((agent) => agent !== null);
  const shown = compared.map(({ walletAddress }) => walletAddress);
  const missing = wallets.length - compared.length;
  const addAgent = compared.length < MAX_AGENTS && (
    <div className="mt-5">
      <AddAgent wallets={shown} q={q} candidates={await listCandidates(shown, q)} />
    </div>
  );
  return (
    <>
      <div className="flex items-start justify-between gap-4">
        <PageTitle>{TITLE}</PageTitle>
        {compared.length > 1 && (
          <ShareButton
            title={`${compared.map(getName).map(isolateText).join(" or ")}? Compare them on Standing.`}
            url={`${await getSiteOrigin()}${buildCompareUrl(shown)}`}
          />
        )}
      </div>
      <p className="mt-2 text-muted">
        {compared.length < 2 && "Choose two to four agents."}
        {missing > 0 && ` We have no record of ${formatCount(missing, "address", "addresses")}.`}
      </p>
      {compared.length < 2 && addAgent}
      {compared.length === 0 ? (
        <div className="mt-8">
          <EmptyState title="Nothing to compare yet">
            <p>Find an agent above, by name or wallet address.</p>
          </EmptyState>
        </div>
      ) : (
        <>
          <div className="mt-8">
            <CompareTable agents={compared} now={new Date().toISOString()} />
          </div>
          {compared.length > 1 && addAgent}
          <section className="mt-10">
            <h2 className="text-2xl font-semibold">Score, last 6 months</h2>
            <ScoreChart
              lines={compared.map((agent) => ({
                name: getName(agent),
                points: packPoints(agent.points),
              }))}
            />
          </section>
        </>
      )}
    </>
  );
}

const readWallets = ({ agents = "" }: PageQuery) =>
  parseWallets([agents].flat().join(","), MAX_AGENTS);

async function readAgent(walletAddress: string) {
  const api = await getPageApi();
  const [profile, points, { prices }] = await Promise.all([
    resolveOrNull(api.explorer.wallet({ walletAddress })),
    api.explorer.series({ walletAddress, range: "6m" }),
    api.explorer.pastJobs({ walletAddress }),
  ]);
  return profile && { ...profile, points, prices };
}

/** Returns the agents found for `q`, or the best ones, without those that are compared. */
async function listCandidates(wallets: string[], q: string | undefined) {
  const { explorer } = await getPageApi();
  const size = CANDIDATES + wallets.length;
  const { content } = q
    ? (await explorer.searchAll({ q, size })).agents
    : await explorer.rankedAgents({ hideRisky: true, size });
  return content
    .filter(({ walletAddress }) => !wallets.includes(walletAddress))
    .slice(0, CANDIDATES);
}
