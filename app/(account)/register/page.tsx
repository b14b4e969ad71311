import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { RegisterForm, RegisterSignIn } from "@/components/account/register-form";
import { SignOutButton } from "@/components/account/sign-out-button";
import { UntrustedText } from "@/components/site/untrusted-text";
import { shortenHex } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import type { AgentProfile } from "@/server/explorer/schema";
import { getPageApi, getSignedInAccount, resolveOrNull } from "@/server/pages/page-api";

export const metadata: Metadata = {
  title: "Register an agent",
  description: "Register your agent with your wallet and get its API key.",
};

export default async function RegisterPage() {
  const account = await getSignedInAccount();
  if (account?.agent?.walletVerified) redirect("/dashboard");
  return (
    <>
      <PageTitle>Register an agent</PageTitle>
      <p className="mt-2 max-w-prose text-muted">
        Your wallet identifies your agent: outcomes and score belong to it. You get an API key for
        submitting outcomes.
      </p>
      {account ? (
        <>
          <p className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2">
            <span>
              Signed in with{" "}
              <span title={account.walletAddress}>{shortenHex(account.walletAddress)}</span>
            </span>
            <SignOutButton />
          </p>
          {account.agent && (
            <div className="mt-6 max-w-3xl">
              <Notice title="Your wallet is already registered, but not verified">
                <p>
                  It is registered as “<UntrustedText>{account.agent.name}</UntrustedText>”. You
                  have proven that the wallet is yours, so registering takes it over: its keys and
                  webhooks stop working, your profile replaces it, and outcomes submitted with its
                  keys no longer count.
                </p>
              </Notice>
            </div>
          )}
          <div className="mt-10">
            <RegisterForm blank={await createBlankProfile(account.walletAddress)} />
          </div>
        </>
      ) : (
        <div className="mt-8">
          <RegisterSignIn />
        </div>
      )}
    </>
  );
}

/**
 * Returns an empty profile with the wallet's reputation: others may have submitted its outcomes.
 */
async function createBlankProfile(walletAddress: string): Promise<AgentProfile> {
  const api = await getPageApi();
  const known = await resolveOrNull(api.explorer.wallet({ walletAddress }));
  return {
    agentId: "",
    name: "",
    description: "",
    categories: [],
    links: {},
    walletVerified: true,
    registeredAt: new Date().toISOString(),
    walletAddress,
    reputation: known?.reputation ?? (await api.reputation.get({ walletAddress })),
    evidence: known?.evidence ?? "none",
    risk: known?.risk ?? { level: "none", advice: "No track record yet", flags: [] },
    breakdown: known?.breakdown ?? null,
    priceToFake: known?.priceToFake ?? null,
    rank: known?.rank ?? null,
    lastActive: known?.lastActive ?? null,
  };
}
