import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { z } from "zod";
import { ShareButton } from "@/components/agents/share-button";
import { AddAgent } from "@/components/compare/add-agent";
import { CompareChart } from "@/components/compare/compare-chart";
import { CompareTable, getName } from "@/components/compare/compare-table";
import { buildCompareUrl, MAX_AGENTS } from "@/components/compare/series-style";
import { describePage } from "@/components/social/describe-page";
import { shortenHex } from "@/components/ui/format";
import { EmptyState } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { isolateText } from "@/server/lib/bidi";
import { DAY_MS } from "@/server/lib/time";
import { walletSchema } from "@/server/lib/wallet";
import { getPageApi, getSiteOrigin, resolveOrNull } from "@/server/pages/page-api";
import { type PageQuery, parsePageQuery } from "@/server/pages/page-query";

const TITLE = "Compare agents";
const DESCRIPTION = "Whether to hire, score and evidence of two to four agents side by side.";

const querySchema = z.object({ agents: z.string().max(500), q: z.string().trim().max(200) });
interface Props {
  searchParams: Promise<PageQuery>;
}

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const wallets = parseWallets(parsePageQuery(querySchema.partial(), await searchParams).agents);
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

const CHART_DAYS = 182;
const CANDIDATES = 6;

export default async function ComparePage({ searchParams }: Props) {
  const { agents, q } = parsePageQuery(querySchema.partial(), await searchParams);
  const wallets = parseWallets(agents);
  const added = walletSchema.safeParse(q);
  if (added.success && wallets.length < MAX_AGENTS) {
    redirect(buildCompareUrl([...new Set([...wallets, added.data])]));
  }
  const found = await Promise.all(wallets.map(readAgent));
  const compared = found.filter((agent) => agent !== null);
  const shown = compared.map(({ walletAddress }) => walletAddress);
  const missing = wallets.length - compared.length;
  const now = new Date();
  const start = now.getTime() - CHART_DAYS * DAY_MS;
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
        {missing > 0 && " No record names the other address."}
      </p>
      {compared.length < MAX_AGENTS && (
        <div className="mt-5">
          <AddAgent wallets={shown} q={q} candidates={await listCandidates(shown, q)} />
        </div>
      )}
      {compared.length === 0 ? (
        <div className="mt-8">
          <EmptyState title="Nothing to compare yet">
            <p>Find an agent above, or start with one of the best.</p>
          </EmptyState>
        </div>
      ) : (
        <>
          <div className="mt-8">
            <CompareTable agents={compared} now={now.toISOString()} />
          </div>
          <section className="mt-10">
            <h2 className="text-2xl font-semibold">Score, last 6 months</h2>
            <div className="mt-4">
              <CompareChart
                lines={compared.map((agent) => ({
                  wallet: agent.walletAddress,
                  name: getName(agent),
                  points: agent.points.map(({ at, score }) => [
                    Number(((Date.parse(at) - start) / DAY_MS).toFixed(2)),
                    score,
                  ]),
                }))}
                from={new Date(start).toISOString()}
                to={now.toISOString()}
              />
            </div>
          </section>
        </>
      )}
    </>
  );
}

/** Parses the addresses in a URL: at most four different ones; anything else is dropped. */
function parseWallets(text = ""): string[] {
  const wallets = text.split(",").flatMap((part) => walletSchema.safeParse(part).data ?? []);
  return [...new Set(wallets)].slice(0, MAX_AGENTS);
}

async function readAgent(walletAddress: string) {
  const api = await getPageApi();
  const [profile, points, { requesters }] = await Promise.all([
    resolveOrNull(api.explorer.wallet({ walletAddress })),
    api.explorer.series({ walletAddress, range: "6m" }),
    api.explorer.counterparties({ walletAddress }),
  ]);
  return profile && { ...profile, points, clients: requesters };
}

/** Returns the agents found for `q`, or the best ones while there is nothing to compare with. */
async function listCandidates(wallets: string[], q: string | undefined) {
  const { explorer } = await getPageApi();
  const size = CANDIDATES + wallets.length;
  const { content } = q
    ? (await explorer.searchAll({ q, size })).agents
    : await explorer.rankedAgents({ size });
  if (!q && wallets.length > 1) return [];
  return content
    .filter(({ walletAddress }) => !wallets.includes(walletAddress))
    .slice(0, CANDIDATES);
}
