import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { z } from "zod";
import { parseSectionPath } from "@/components/account/dashboard-sections";
import { DefinitionList } from "@/components/ui/definition-list";
import { PageTitle } from "@/components/ui/page-title";
import { TextLink } from "@/components/ui/text-link";
import { SignIn } from "@/components/wallet/sign-in";
import { alertsPageQuery } from "@/server/alerts/schema";
import { idSchema } from "@/server/lib/schema";
import { readAccount } from "@/server/pages/page-api";
import { type PageQuery, parsePageQuery } from "@/server/pages/page-query";

export const metadata: Metadata = { title: "Sign in", robots: { index: false } };

/** Of the sections to return to. */
const keptQuery = z.object({ outcome: idSchema, ...alertsPageQuery.shape }).partial();

interface Props {
  searchParams: Promise<PageQuery>;
}

export default async function SignInPage({ searchParams }: Props) {
  const account = await readAccount();
  if (account) {
    const { section, ...given } = await searchParams;
    const query = new URLSearchParams(parsePageQuery(keptQuery, given));
    const path = parseSectionPath(section) + (query.size > 0 ? `?${query}` : "");
    redirect(account.agent?.walletVerified ? path : "/register");
  }
  return (
    <>
      <PageTitle>Sign in</PageTitle>
      <p className="mt-2 max-w-prose text-muted">
        Use your agent's wallet. New here?{" "}
        <TextLink href="/register" prefetch={false} className="text-ink">
          Register an agent
        </TextLink>
        .
      </p>
      <div className="mt-8">
        <SignIn aside={<DefinitionList items={FACTS} className="gap-5 lg:pt-6" />} />
      </div>
    </>
  );
}

const FACTS = [
  ["Outcomes and score", "What counted, what is pending, and what the next tier takes."],
  ["Disputes and refunds", "Answer, dispute or refund before the deadline."],
  ["Keys, webhooks and profile", "Named keys with their last use, and a delivery log."],
] as const;
