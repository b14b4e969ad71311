import type { Metadata } from "next";
import { z } from "zod";
import { SignInFirst } from "@/components/account/sign-in-first";
import { AgentLink } from "@/components/agents/agent-link";
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
  description: "Terms that both parties sign before the work. Code decides them after it.",
};

const STEPS = [
  "Choose a category. It proposes requirements, such as headings or a number of words.",
  "Say what is to be done, by when, and for how much.",
  "Both sign with their wallets, which moves no money.",
  "The contractor delivers, and code decides each requirement at once.",
];

const SUMMARY = "Both parties sign the terms before the work. Code decides them after it.";

const newAgreementQuery = z.object({
  contractor: walletSchema.optional(),
  category: categorySchema.optional(),
  valueUsdc: usdcSchema.optional(),
  payment: z.enum(["upfront", "escrow", "on-delivery"]).optional(),
});

/** The query fills in the other party, as the contractor, and what is known of the job. */
export default async function NewAgreementPage({ searchParams }: PageProps<"/agreements/new">) {
  const preset = parsePageQuery(newAgreementQuery, await searchParams);
  const { contractor } = preset;
  const [account, api] = await Promise.all([readAccount(), getPageApi()]);
  if (!account?.agent?.walletVerified) {
    const names = contractor && (await api.explorer.names([contractor]));
    return (
      <SignInFirst
        title="New agreement"
        to={buildUrl("/agreements/new", preset)}
        isSignedIn={account !== null}
      >
        {names && (
          <p className="mb-2 text-ink">
            With <AgentLink wallet={contractor} name={names[contractor]} /> as the contractor
          </p>
        )}
        <ol className="list-decimal pl-5">
          {STEPS.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </SignInFirst>
    );
  }
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
          key={account.walletAddress}
          wallet={account.walletAddress}
          preset={preset}
          forms={kinds.map(toRequirementForm)}
          categories={CATEGORIES}
        />
      </div>
    </>
  );
}
