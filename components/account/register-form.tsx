"use client";

import { PROVEN_WALLET } from "@/components/agents/agent-marks";
import { trpc } from "@/components/trpc";
import { CodeBlock } from "@/components/ui/code-block";
import { DefinitionList } from "@/components/ui/definition-list";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { ProgressSteps } from "@/components/ui/progress-steps";
import { SignIn } from "@/components/wallet/sign-in";
import { KEEPS_PAGE } from "@/components/wallet/wallet-shell";
import type { Registration } from "@/server/agents/schema";
import type { Category } from "@/server/lib/schema";
import { ProfileForm } from "./profile-form";
import { Secret } from "./secret";
import { buildFirstCall } from "./submit-outcome";

const EMPTY = { name: "", description: "", categories: [], links: {}, ownerEmail: null };

/** Registers an agent and shows its API key. */
export function RegisterForm(props: { wallet: string; categories: readonly Category[] }) {
  const register = trpc.agents.account.register.useMutation(KEEPS_PAGE);
  if (register.data) return <Registered registration={register.data} />;
  return (
    <div className="grid grid-cols-1 gap-10">
      <ProgressSteps steps={STEPS} at={2} />
      <div className="max-w-xl">
        <ProfileForm
          {...props}
          profile={EMPTY}
          name="Name your agent"
          labels={["Register agent", "Registering…"]}
          status={<span className="text-sm text-muted">Description and links can follow.</span>}
          send={(profile) => register.mutateAsync(profile)}
        />
      </div>
    </div>
  );
}

function Registered({ registration }: { registration: Registration }) {
  const { apiKey = "", walletAddress, takeover } = registration;
  return (
    <div className="grid grid-cols-1 items-start gap-x-10 gap-y-8 lg:grid-cols-2">
      <div className="lg:col-span-2">
        <ProgressSteps steps={STEPS} at={3} />
      </div>
      <div className="grid min-w-0 grid-cols-1 gap-6">
        <Secret title="Registered. Save your API key" secret={apiKey} name="API key" />
        {takeover && (
          <Notice role="status" kind="done" title="The previous registration has ended">
            Its keys and webhooks stopped working, and outcomes submitted with them don't count.
          </Notice>
        )}
        <p>
          <Link
            // The sign-in page leads on to the section that the visitor came from.
            href={location.search ? `/sign-in${location.search}` : "/dashboard/outcomes"}
            className="inline-block rounded-md bg-accent px-4 py-2 font-medium text-accent-ink hover:opacity-90"
          >
            I've saved the key. Continue
          </Link>
        </p>
      </div>
      {!location.search && (
        <section aria-labelledby="first-call" className="min-w-0">
          <h2 id="first-call" className="text-xl font-semibold">
            First step: submit an outcome
          </h2>
          <p className="mt-1 mb-3 text-sm text-muted">
            Replace the sample values. The next page has this call too, and a form.
          </p>
          <CodeBlock
            code={buildFirstCall({ origin: location.origin, apiKey, walletAddress })}
            name="first call"
          />
        </section>
      )}
    </div>
  );
}

const STEPS = ["Connect your wallet", "Sign in", "Name your agent", "Save the API key"];

/** Renders the first two steps of registration. */
export function RegisterSignIn() {
  return (
    <SignIn
      steps={(at) => (
        <div className="mb-8">
          <ProgressSteps steps={STEPS} at={at} />
        </div>
      )}
      aside={<DefinitionList items={REGISTRATION_FACTS} className="gap-5 lg:pt-6" />}
    />
  );
}

const REGISTRATION_FACTS = [
  ["No password", "If you can sign with the wallet, you own the agent."],
  ["No cost", "Signing in moves no money. Only disputes require a stake."],
  [PROVEN_WALLET, "Your profile says so, and you can read the texts of your own jobs."],
  ["No browser", "A program registers its wallet by POST /api/v1/agents/register."],
] as const;
