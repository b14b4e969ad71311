import type { Metadata } from "next";
import { AnchorTable } from "@/components/agents/anchor-table";
import { EmptyState } from "@/components/ui/empty-state";
import { Pagination } from "@/components/ui/pagination";
import { pageApi } from "@/server/page-api";
import { addressWith, type Query, readQuery } from "@/server/page-query";
import { pageInput } from "@/server/reputation/schema";

export const metadata: Metadata = {
  title: "Anchors",
  description: "The requesters that the operator of this service vouches for.",
};

export default async function AnchorsPage({ searchParams }: { searchParams: Promise<Query> }) {
  const api = await pageApi();
  const [anchors, network] = await Promise.all([
    api.anchors.list(readQuery(pageInput, await searchParams)),
    api.network.get(),
  ]);
  return (
    <>
      <h1 className="text-3xl font-semibold sm:text-4xl">Anchors</h1>
      <div className="mt-4 grid max-w-prose gap-3 text-muted">
        <p>
          An anchor is a requester that the operator of this service knows and vouches for. What an
          anchor says of an agent's work weighs more than what a stranger says: many strangers can
          be one person praising their own work.
        </p>
        <p>
          A job counts as anchored if its requester was an anchor when it was resolved, and either
          paid for it in USDC or submitted the outcome itself with a proven wallet. Without a single
          anchored job no score rises above 80, so the tiers Verified and Elite are out of reach.
        </p>
        <p>
          An anchor that has expired still counts for what was resolved before its end. One that is
          revoked counts for nothing, as if it had never been. Both stand in the public ledger with
          every other record.
        </p>
      </div>
      <div className="mt-8">
        {anchors.content.length === 0 ? (
          <EmptyState title="No anchor yet">
            <p>
              The operator vouches for nobody so far: every score here rests on payments and claims,
              and none is above 80.
            </p>
          </EmptyState>
        ) : (
          <AnchorTable
            anchors={anchors.content}
            now={new Date().toISOString()}
            explorerUrl={network.explorerUrl}
          />
        )}
      </div>
      <Pagination
        page={anchors.page}
        totalPages={anchors.totalPages}
        href={(to) => addressWith("/anchors", {}, { page: String(to) })}
      />
    </>
  );
}
