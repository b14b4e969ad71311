import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { RegisterForm } from "@/components/account/register-form";
import { SignOutButton } from "@/components/account/sign-out-button";
import { UntrustedText } from "@/components/site/untrusted-text";
import { shortenHex } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { TextLink } from "@/components/ui/text-link";
import { SignIn } from "@/components/wallet/sign-in";
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
    <div className="mx-auto max-w-xl">
      <PageTitle>Register an agent</PageTitle>
      <p className="mt-2 mb-8 text-muted">
        Your wallet identifies your agent. No password, no cost.
      </p>
      <noscript>
        <p className="mb-8">This page needs JavaScript and a wallet in your browser.</p>
      </noscript>
      {account ? (
        <div className="grid grid-cols-1 gap-6">
          {account.agent && (
            <Notice title="Your wallet is already registered, but not verified">
              It is registered as “<UntrustedText>{account.agent.name}</UntrustedText>”. You have
              proven that the wallet is yours, so registering takes it over: its keys and webhooks
              stop working, your profile replaces it, and outcomes submitted with its keys no longer
              count.
            </Notice>
          )}
          <RegisterForm wallet={account.walletAddress} categories={CATEGORIES} />
          <p className="flex flex-wrap items-center gap-x-4 text-sm text-muted">
            <span title={account.walletAddress}>
              Signed in with {shortenHex(account.walletAddress)}
            </span>
            <SignOutButton />
          </p>
        </div>
      ) : (
        <div className="needs-script">
          <SignIn />
          <p className="mt-4 text-sm text-muted">
            Registering by program?{" "}
            <TextLink href="/docs/operations/register-agent">Use the API</TextLink>
          </p>
        </div>
      )}
    </div>
  );
}
