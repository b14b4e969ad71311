import type { Metadata } from "next";
import { z } from "zod";
import { DisputesSection } from "@/components/account/disputes-section";
import { CHANGES_READ, sumMoves } from "@/components/account/own-records";
import { idSchema } from "@/server/lib/schema";
import { listParties } from "@/server/outcomes/list-parties";
import { requireOwner } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";

export const metadata: Metadata = { title: "Your disputes", robots: { index: false } };

const querySchema = z.object({ dispute: idSchema }).partial();

export default async function DisputesPage({ searchParams }: PageProps<"/dashboard/disputes">) {
  const query = parsePageQuery(querySchema, await searchParams);
  const { walletAddress, api } = await requireOwner("disputes", query);
  const [disputes, history] = await Promise.all([
    api.disputes.list({}),
    api.reputation.history({ walletAddress, size: CHANGES_READ }),
  ]);
  const [names, jobNames] = await Promise.all([
    api.explorer.names(listParties(disputes.content)),
    api.outcomes.jobNames(disputes.content.map((one) => one.outcomeId)),
  ]);
  return (
    <DisputesSection
      wallet={walletAddress}
      chosenId={query.dispute}
      disputes={disputes}
      names={names}
      jobNames={jobNames}
      moves={sumMoves(history.content, "disputeId")}
    />
  );
}
