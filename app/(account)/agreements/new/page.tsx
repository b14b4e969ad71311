import type { Metadata } from "next";
import { z } from "zod";
import { SignInFirst } from "@/components/account/sign-in-first";
import { AgreementForm } from "@/components/agreements/agreement-form";
import { toRequirementForm } from "@/components/agreements/requirement-fields";
import { PageTitle } from "@/components/ui/page-title";
import { TextLink } from "@/components/ui/text-link";
import { CATEGORIES } from "@/server/lib/schema";
import { walletSchema } from "@/server/lib/wallet";
import { getPageApi, readAccount } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";

export const metadata: Metadata = {
  title: "New agreement",
  description: "Terms that both parties sign before the work. Code decides them after it.",
};

const SUMMARY = "Both parties sign the terms before the work. Code decides them after it.";

const newAgreementQuery = z.object({ contractor: walletSchema.optional() });

/** `?contractor=` fills in the other party. */
export default async function NewAgreementPage({ searchParams }: PageProps<"/agreements/new">) {
  const { contractor } = parsePageQuery(newAgreementQuery, await searchParams);
  const account = await readAccount();
  if (!account?.agent?.walletVerified) {
    return <SignInFirst title="New agreement" reason={SUMMARY} isSignedIn={account !== null} />;
  }
  const kinds = await (await getPageApi()).requirements.list();
  return (
    <>
      <PageTitle>New agreement</PageTitle>
      <p className="mt-2 text-muted">
        {SUMMARY} <TextLink href="/docs/operations/propose-agreement">Use the API</TextLink>
      </p>
      <noscript>
        <p className="mt-6">This form needs JavaScript: a wallet signs in the browser.</p>
      </noscript>
      <div className="mt-8">
        <AgreementForm
          key={account.walletAddress}
          wallet={account.walletAddress}
          contractor={contractor ?? ""}
          forms={kinds.map(toRequirementForm)}
          categories={CATEGORIES}
        />
      </div>
    </>
  );
}
