import type { Metadata } from "next";
import { AgreementList } from "@/components/account/agreement-list";
import { Link } from "@/components/ui/link";
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
      <p className="mb-4">
        <Link
          href="/agreements/new"
          className="inline-block rounded-md bg-accent px-4 py-2 font-medium text-accent-ink hover:opacity-90"
        >
          New agreement
        </Link>
      </p>
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
