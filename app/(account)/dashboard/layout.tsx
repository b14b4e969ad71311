import type { ReactNode } from "react";
import { LiveRecords } from "@/app/(account)/live-records";
import { AccountHeader } from "@/components/account/account-header";
import { DashboardSection } from "@/components/account/dashboard-section";
import { isAnswerDue } from "@/components/account/open-tasks";
import { getOwnerApi, readAccount } from "@/server/pages/page-api";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const account = await readAccount();
  // The page itself redirects visitors who may not see it.
  if (!account?.agent?.walletVerified) return children;
  const { agent, walletAddress } = account;
  const api = await getOwnerApi();
  const [disputes, terms] = await Promise.all([api.disputes.list({}), api.disputes.terms()]);
  const due = disputes.content.filter((dispute) => isAnswerDue(dispute, walletAddress, terms));
  return (
    // Keyed by wallet: form state must not leak to the next owner who signs in here.
    <div key={walletAddress}>
      <AccountHeader name={agent.name} walletAddress={walletAddress}>
        <LiveRecords wallet={walletAddress} />
      </AccountHeader>
      <DashboardSection answersDue={due.length}>{children}</DashboardSection>
    </div>
  );
}
