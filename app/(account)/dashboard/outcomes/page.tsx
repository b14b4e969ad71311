import type { Metadata } from "next";
import { z } from "zod";
import { OutcomesSection } from "@/components/account/outcomes-section";
import { CATEGORIES, idSchema, pageInputShape } from "@/server/lib/schema";
import { listParties } from "@/server/outcomes/list-parties";
import { getSiteOrigin, requireOwner, resolveOrNull } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";

export const metadata: Metadata = { title: "Your outcomes", robots: { index: false } };

const querySchema = z.object({ outcome: idSchema }).partial().extend({ page: pageInputShape.page });

export default async function OutcomesPage({ searchParams }: PageProps<"/dashboard/outcomes">) {
  const { page, ...query } = parsePageQuery(querySchema, await searchParams);
  const { walletAddress, api } = await requireOwner("outcomes", query);
  const outcomeId = query.outcome;
  const [outcomes, terms, chosen] = await Promise.all([
    api.explorer.outcomes({ walletAddress, page, size: 20 }),
    api.disputes.terms(),
    outcomeId ? resolveOrNull(api.outcomes.get({ outcomeId })) : null,
  ]);
  const listed = [...outcomes.content, ...(chosen ? [chosen] : [])];
  const [names, jobNames] = await Promise.all([
    api.explorer.names(listParties(listed)),
    api.outcomes.jobNames(listed.map((outcome) => outcome.outcomeId)),
  ]);
  return (
    <OutcomesSection
      wallet={walletAddress}
      chosen={chosen}
      initial={outcomes}
      names={{ names, jobNames }}
      terms={terms}
      categories={CATEGORIES}
      url={await getSiteOrigin()}
      now={Date.now()}
    />
  );
}
