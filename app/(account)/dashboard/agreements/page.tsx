import type { Metadata } from "next";
import { AgreementList } from "@/components/account/agreement-list";
import { requireOwner } from "@/server/pages/page-api";

export const metadata: Metadata = { title: "Your agreements", robots: { index: false } };

const SIZE = 100;

export default async function AgreementsPage() {
  const { walletAddress, api } = await requireOwner("agreements");
  const [{ content, nextCursor }, outcomes] = await Promise.all([
    api.agreements.list({ limit: SIZE }),
    api.explorer.outcomes({ walletAddress, size: SIZE }),
  ]);
  const wallets = content.flatMap(({ terms }) => [terms.contractor, terms.requester]);
  const names = await api.explorer.names([...new Set(wallets)]);
  return (
    <>
      <AgreementList
        agreements={content}
        outcomes={outcomes.content}
        wallet={walletAddress}
        names={names}
        now={Date.now()}
      />
      {nextCursor && <p className="mt-3 text-sm text-muted">Latest {SIZE}; the API lists all.</p>}
    </>
  );
}
