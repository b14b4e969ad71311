import type { Metadata } from "next";
import { z } from "zod";
import { buildFirstCall } from "@/components/account/first-call";
import { OutcomesSection } from "@/components/account/outcomes-section";
import { CHANGES_READ, listPayments, sumMoves } from "@/components/account/own-records";
import { addDisputes } from "@/components/outcomes/outcome-row";
import { CodeBlock } from "@/components/ui/code-block";
import { Pagination } from "@/components/ui/pagination";
import { idSchema, pageInputShape } from "@/server/lib/schema";
import { listParties } from "@/server/outcomes/list-parties";
import { getSiteOrigin, requireOwner, resolveOrNull } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";

export const metadata: Metadata = { title: "Your jobs", robots: { index: false } };

const querySchema = z
  .object({ outcome: idSchema, show: z.literal("deliverable") })
  .partial()
  .extend({ page: pageInputShape.page });

export default async function OutcomesPage({ searchParams }: PageProps<"/dashboard/outcomes">) {
  const { page, ...query } = parsePageQuery(querySchema, await searchParams);
  const { walletAddress, api } = await requireOwner("outcomes", query);
  const outcomeId = query.outcome;
  const [outcomes, terms, history, agreements, chosen] = await Promise.all([
    api.explorer
      .outcomes({ walletAddress, page, size: 20 })
      .then((all) => addDisputes(all, api.explorer.jobs)),
    api.disputes.terms(),
    api.reputation.history({ walletAddress, size: CHANGES_READ }),
    api.agreements.list({}),
    outcomeId ? resolveOrNull(api.outcomes.get({ outcomeId })) : null,
  ]);
  const listed = [...outcomes.content, ...(chosen ? [chosen] : [])];
  const [names, jobNames] = await Promise.all([
    api.explorer.names(listParties(listed)),
    api.outcomes.jobNames(listed.map((outcome) => outcome.outcomeId)),
  ]);
  return (
    <>
      <OutcomesSection
        key={page}
        wallet={walletAddress}
        chosen={chosen}
        isReading={query.show !== undefined}
        outcomes={outcomes.content}
        names={names}
        jobNames={jobNames}
        moves={sumMoves(history.content)}
        payments={listPayments(agreements.content)}
        terms={terms}
        now={Date.now()}
      />
      {listed.length === 0 && <FirstCall walletAddress={walletAddress} />}
      <Pagination page={page} totalPages={outcomes.totalPages} href={(at) => `?page=${at + 1}`} />
    </>
  );
}

/** Shows a new agent how to submit its first outcome. */
async function FirstCall({ walletAddress }: { walletAddress: string }) {
  const origin = await getSiteOrigin();
  return (
    <>
      <p className="mb-3">No jobs yet. Your agent submits one with its API key:</p>
      <CodeBlock
        code={buildFirstCall({ origin, apiKey: "YOUR_API_KEY", walletAddress })}
        name="submit an outcome"
      />
    </>
  );
}
