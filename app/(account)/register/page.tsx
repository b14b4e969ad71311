import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { RegisterForm, RegisterSignIn } from "@/components/account/register-form";
import { SignOutButton } from "@/components/account/sign-out-button";
import { UntrustedText } from "@/components/site/untrusted-text";
import { shortenHex } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { CATEGORIES } from "@/server/lib/schema";
import { getSignedInAccount } from "@/server/pages/page-api";

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
        Your wallet identifies your agent; an API key submits its outcomes.
      </p>
      <noscript>
        <p className="mt-4 max-w-prose rounded-md bg-notice px-4 py-3 text-notice-ink">
          This page needs JavaScript and a wallet in your browser. Without them, register by{" "}
          <a href="/docs/operations/register-agent" className="underline">
            POST /api/v1/agents/register
          </a>
          .
        </p>
      </noscript>
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
                It is registered as “<UntrustedText>{account.agent.name}</UntrustedText>”. You have
                proven that the wallet is yours, so registering takes it over: its keys and webhooks
                stop working, your profile replaces it, and outcomes submitted with its keys no
                longer count.
              </Notice>
            </div>
          )}
          <div className="mt-10">
            <RegisterForm wallet={account.walletAddress} categories={CATEGORIES} />
          </div>
        </>
      ) : (
        <div className="needs-script mt-8">
          <RegisterSignIn />
        </div>
      )}
    </>
  );
}
