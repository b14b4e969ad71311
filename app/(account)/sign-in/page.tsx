import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { parseSectionPath } from "@/components/account/dashboard-sections";
import { DefinitionList } from "@/components/ui/definition-list";
import { PageTitle } from "@/components/ui/page-title";
import { TextLink } from "@/components/ui/text-link";
import { SignIn } from "@/components/wallet/sign-in";
import { idSchema } from "@/server/lib/schema";
import { readAccount } from "@/server/pages/page-api";

export const metadata: Metadata = { title: "Sign in", robots: { index: false } };

interface Props {
  searchParams: Promise<{ section?: string | string[]; outcome?: string | string[] }>;
}

export default async function SignInPage({ searchParams }: Props) {
  const account = await readAccount();
  if (account) {
    const { section, outcome } = await searchParams;
    const path = parseSectionPath(section);
    const { data: outcomeId } = idSchema.safeParse(outcome);
    const query = section === "outcomes" && outcomeId ? `?outcome=${outcomeId}` : "";
    redirect(account.agent?.walletVerified ? `${path}${query}` : "/register");
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
