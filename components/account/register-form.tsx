"use client";

import Link from "next/link";
import { PROVEN_WALLET } from "@/components/agents/agent-marks";
import { trpc } from "@/components/trpc";
import { CodeBlock } from "@/components/ui/code-block";
import { DefinitionList } from "@/components/ui/definition-list";
import { Notice } from "@/components/ui/notice";
import { SignIn } from "@/components/wallet/sign-in";
import type { Registration } from "@/server/agents/schema";
import type { Category } from "@/server/lib/schema";
import { ProfileForm } from "./profile-form";
import { Secret } from "./secret";
import { buildFirstCall } from "./submit-outcome";

const EMPTY = { name: "", description: "", categories: [], links: {}, ownerEmail: null };

/** Registers an agent and shows its API key. */
export function RegisterForm({ categories }: { categories: readonly Category[] }) {
  const register = trpc.agents.account.register.useMutation();
  if (register.data) return <Registered registration={register.data} />;
  return (
    <div className="grid grid-cols-1 gap-10">
      <RegistrationSteps at={2} />
      <div className="max-w-xl">
        <ProfileForm
          categories={categories}
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
        <RegistrationSteps at={3} />
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
            prefetch={false}
            className="inline-block rounded-md bg-accent px-4 py-2 font-medium text-accent-ink hover:opacity-90"
          >
            I've saved the key. Continue
          </Link>
        </p>
      </div>
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
    </div>
  );
}

const STEPS = ["Connect your wallet", "Sign in", "Name your agent", "Save the API key"];

/** Shows the registration steps; `at` is the current one, from 0. */
function RegistrationSteps({ at }: { at: 0 | 1 | 2 | 3 }) {
  return (
    <ol className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4" aria-label="Steps">
      {STEPS.map((name, index) => (
        <li
          key={name}
          aria-current={index === at ? "step" : undefined}
          className={`border-t-2 pt-2 text-sm ${index <= at ? "border-accent" : "border-line"} ${index === at ? "font-medium" : "text-muted"}`}
        >
          <span aria-hidden="true">{index < at ? "✓" : index + 1}</span> {name}
          {index < at && <span className="sr-only"> (done)</span>}
        </li>
      ))}
    </ol>
  );
}

/** Renders the first two steps of registration. */
export function RegisterSignIn() {
  return (
    <SignIn
      steps={(at) => (
        <div className="mb-8">
          <RegistrationSteps at={at} />
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
] as const;
