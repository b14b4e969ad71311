import type { Metadata } from "next";
import type { ReactNode } from "react";
import { AnchorList } from "@/components/agents/anchor-list";
import { ListPage } from "@/components/network/list-page";
import { ScoreCeiling } from "@/components/score/score-ceiling";
import { EmptyState } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { getPageApi } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";
import { CEILINGS } from "@/server/reputation/policy";
import { pageInput } from "@/server/reputation/schema";

export const metadata: Metadata = {
  title: "Anchors",
  description: "Clients trusted by the operator of this service.",
};

export default async function AnchorsPage({ searchParams }: PageProps<"/anchors">) {
  const api = await getPageApi();
  const [anchors, network] = await Promise.all([
    api.anchors.list(parsePageQuery(pageInput, await searchParams)),
    api.network.get(),
  ]);
  const effects = await api.explorer.anchorEffects(anchors.content.map(({ seq }) => seq));
  return (
    <>
      <PageTitle>Anchors</PageTitle>
      <p className="mt-2 max-w-prose text-muted">
        Clients that the operator of this service vouches for. Strangers may all be one person, so
        only jobs for anchors lift a score above {CEILINGS.withoutAnchor}.
      </p>
      <div className="mt-6">
        <ScoreCeiling />
      </div>
      <div className="mt-8">
        <ListPage counts={anchors} path="/anchors" exportPath="/exports/anchors">
          {anchors.content.length === 0 ? (
            <EmptyState title="No anchors yet">
              <p>
                Until the operator adds one with <code>npm run anchors</code>, no score exceeds{" "}
                {CEILINGS.withoutAnchor}.
              </p>
            </EmptyState>
          ) : (
            <AnchorList
              anchors={anchors.content}
              effects={effects}
              now={new Date().toISOString()}
              explorerUrl={network.explorerUrl}
            />
          )}
        </ListPage>
      </div>
      <dl className="mt-10 grid max-w-4xl gap-x-10 gap-y-4 text-sm sm:grid-cols-3">
        <Rule term="A job is anchored if">
          its client was an anchor when it was resolved, and paid in USDC or submitted it from a
          verified wallet.
        </Rule>
        <Rule term="An expired anchor">still counts for outcomes resolved before it expired.</Rule>
        <Rule term="A revoked anchor">
          never counts, not even for past outcomes. Its records stay in the public ledger.
        </Rule>
      </dl>
    </>
  );
}

function Rule({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-medium">{term}</dt>
      <dd className="mt-0.5 text-muted">{children}</dd>
    </div>
  );
}
