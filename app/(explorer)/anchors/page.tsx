import type { Metadata } from "next";
import { AnchorList } from "@/components/agents/anchor-list";
import { ListPage } from "@/components/network/list-page";
import { GLOSSARY } from "@/components/site/glossary";
import { Fact } from "@/components/ui/fact";
import { Fold } from "@/components/ui/fold";
import { capitalizeFirst, formatScore } from "@/components/ui/format";
import { EmptyState } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { FullLink, TextLink } from "@/components/ui/text-link";
import { getPageApi } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";
import { CEILINGS } from "@/server/reputation/policy";
import { pageInput } from "@/server/reputation/schema";

const MEANING = `${capitalizeFirst(GLOSSARY["known client"] ?? "")}.`;

export const metadata: Metadata = { title: "Known clients", description: MEANING };

export default async function AnchorsPage({ searchParams }: PageProps<"/anchors">) {
  const api = await getPageApi();
  const [anchors, network] = await Promise.all([
    api.anchors.list(parsePageQuery(pageInput, await searchParams)),
    api.network.get(),
  ]);
  const seqs = anchors.content.map(({ seq }) => seq);
  const [effects, revocations] = await Promise.all([
    api.explorer.anchorEffects(seqs),
    api.explorer.revocations(seqs),
  ]);
  return (
    <>
      <PageTitle>Known clients</PageTitle>
      <p className="mt-2 max-w-prose text-muted">
        {MEANING} Strangers may all be one person, so only jobs for known clients lift a score above{" "}
        {formatScore(CEILINGS.withoutAnchor)}.
      </p>
      <Rules />
      <div className="mt-8">
        <ListPage counts={anchors} path="/anchors" exportPath="/exports/anchors">
          {anchors.content.length === 0 ? (
            <EmptyState title="No known clients yet">
              Until the operator adds one with <code>npm run anchors</code>, no score exceeds{" "}
              {formatScore(CEILINGS.withoutAnchor)}.
            </EmptyState>
          ) : (
            <AnchorList
              anchors={anchors.content}
              {...{ effects, revocations }}
              now={new Date().toISOString()}
              explorerUrl={network.explorerUrl}
            />
          )}
        </ListPage>
      </div>
    </>
  );
}

/** Says who decides on known clients and what follows. */
const Rules = () => (
  <>
    <dl className="mt-6 grid gap-x-10 gap-y-4 text-sm sm:grid-cols-3">
      <Fact label="Who decides">
        The operator of this service alone, who knows who is behind the wallet and states why.
        Nothing else is checked: judge each reason yourself.
      </Fact>
      <Fact label="How to become one">
        <FullLink href="/register">Register</FullLink> with your wallet, which proves that it is
        yours, and ask the operator. No number of jobs makes a client a known one.
      </Fact>
      <Fact label="Scores without them">
        <TextLink href="/verify">Verify</TextLink> shows each score as if there were no known
        clients.
      </Fact>
    </dl>
    <Fold summary="Which jobs count" className="mt-4">
      <p className="max-w-prose text-sm text-muted">
        Jobs that a known client submitted or whose terms it signed, resolved while it was listed.
        If it is revoked, none counts, not even past ones; its records stay in the public ledger.
      </p>
    </Fold>
  </>
);
