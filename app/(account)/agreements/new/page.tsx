import type { Metadata } from "next";
import { z } from "zod";
import { SignInHere } from "@/components/account/sign-in-first";
import { AgreementForm } from "@/components/agreements/agreement-form";
import { toRequirementForm } from "@/components/agreements/requirement-fields";
import { PageTitle } from "@/components/ui/page-title";
import { TextLink } from "@/components/ui/text-link";
import { buildUrl } from "@/server/lib/build-url";
import { CATEGORIES, categorySchema, usdcSchema } from "@/server/lib/schema";
import { walletSchema } from "@/server/lib/wallet";
import { getPageApi, readAccount } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";

export const metadata: Metadata = {
  title: "New agreement",
  description: "Terms that both parties sign before the work. Code then checks the work.",
};

const SUMMARY = "Both parties sign the terms before the work. Code then checks the work.";

const newAgreementQuery = z.object({
  contractor: walletSchema.optional(),
  category: categorySchema.optional(),
  valueUsdc: usdcSchema.optional(),
  payment: z.enum(["upfront", "escrow", "on-delivery"]).optional(),
});

/** The query fills in the other party, as the contractor, and what is known of the job. */
export default async function NewAgreementPage({ searchParams }: PageProps<"/agreements/new">) {
  const preset = parsePageQuery(newAgreementQuery, await searchParams);
  const [account, api] = await Promise.all([readAccount(), getPageApi()]);
  const wallet = account?.agent?.walletVerified ? account.walletAddress : null;
  const kinds = await api.requirements.list();
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
          key={wallet}
          wallet={wallet}
          preset={preset}
          forms={kinds.map(toRequirementForm)}
          categories={CATEGORIES}
          signIn={
            <SignInHere to={buildUrl("/agreements/new", preset)} isSignedIn={account !== null} />
          }
        />
      </div>
    </>
  );
}
