import type { Metadata } from "next";
import { OutcomesSection } from "@/components/account/outcomes-section";
import { listParties } from "@/server/outcomes/list-parties";
import { requireOwner } from "@/server/pages/page-api";

export const metadata: Metadata = { title: "Your outcomes", robots: { index: false } };

export default async function OutcomesPage() {
  const { walletAddress, api } = await requireOwner("outcomes");
  const [outcomes, terms] = await Promise.all([
    api.explorer.outcomes({ walletAddress, size: 20 }),
    api.disputes.terms(),
  ]);
  const names = await api.explorer.names(listParties(outcomes.content));
  return (
    <section aria-labelledby="outcomes">
      <h2 id="outcomes" className="mb-3 text-2xl font-semibold">
        Outcomes
      </h2>
      <OutcomesSection
        wallet={walletAddress}
        initial={outcomes}
        initialNames={names}
        terms={terms}
        now={Date.now()}
      />
    </section>
  );
}
