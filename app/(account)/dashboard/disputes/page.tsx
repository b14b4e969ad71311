import type { Metadata } from "next";
import { DisputesSection } from "@/components/account/disputes-section";
import { requireOwner } from "@/server/pages/page-api";

export const metadata: Metadata = { title: "Your disputes", robots: { index: false } };

export default async function DisputesPage() {
  const { walletAddress, api } = await requireOwner("disputes");
  const disputes = await api.disputes.list({});
  const jobNames = await api.outcomes.jobNames(disputes.content.map((one) => one.outcomeId));
  return (
    <section aria-labelledby="disputes" className="max-w-4xl">
      <h2 id="disputes" className="mb-3 text-2xl font-semibold">
        Disputes
      </h2>
      <DisputesSection wallet={walletAddress} initial={disputes} initialJobNames={jobNames} />
    </section>
  );
}
