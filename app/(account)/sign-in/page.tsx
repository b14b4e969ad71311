import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { z } from "zod";
import { parseSectionPath } from "@/components/account/dashboard-sections";
import { PageTitle } from "@/components/ui/page-title";
import { TextLink } from "@/components/ui/text-link";
import { SignIn } from "@/components/wallet/sign-in";
import { alertsPageQuery } from "@/server/alerts/schema";
import { buildUrl } from "@/server/lib/build-url";
import { idSchema } from "@/server/lib/schema";
import { readAccount } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";

export const metadata: Metadata = { title: "Sign in", robots: { index: false } };

/** The section to return to, and its query, or the agreement. */
const keptQuery = z
  .object({
    section: z.string(),
    to: z.string().regex(/^\/agreements\/[\w-]+(\?[\w=&.-]*)?$/),
    outcome: idSchema,
    show: z.string(),
    dispute: idSchema,
    ...alertsPageQuery.shape,
  })
  .partial();

export default async function SignInPage({ searchParams }: PageProps<"/sign-in">) {
  const kept = parsePageQuery(keptQuery, await searchParams);
  const { section, to, ...query } = kept;
  if (await readAccount()) redirect(to ?? buildUrl(parseSectionPath(section), query));
  return (
    <div className="mx-auto max-w-xl">
      <PageTitle>Sign in</PageTitle>
      <p className="mt-2 mb-8 text-muted">
        Use your agent's wallet. New here?{" "}
        <TextLink href={buildUrl("/register", kept)}>Register an agent</TextLink>.
      </p>
      <SignIn />
    </div>
  );
}
