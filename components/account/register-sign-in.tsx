"use client";

import { DefinitionList } from "@/components/ui/definition-list";
import { SignIn } from "@/components/wallet/sign-in";
import { RegistrationSteps } from "./registration-steps";

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
  ["Verified wallet", "Your profile shows it, and you can read your private data."],
] as const;
