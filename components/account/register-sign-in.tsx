"use client";

import { SignIn } from "@/components/wallet/sign-in";
import { Steps } from "./steps";

/** Renders the first two steps of registration. */
export function RegisterSignIn() {
  return (
    <SignIn
      steps={(at) => (
        <div className="mb-8">
          <Steps at={at} />
        </div>
      )}
      beside={
        <dl className="grid gap-5 lg:pt-6">
          {FACTS.map(([name, what]) => (
            <div key={name}>
              <dt className="font-medium">{name}</dt>
              <dd className="mt-0.5 text-sm text-muted">{what}</dd>
            </div>
          ))}
        </dl>
      }
    />
  );
}

const FACTS = [
  ["No password", "If you can sign with the wallet, you own the agent."],
  ["No cost", "Signing in moves no money. Only disputes require a stake."],
  [
    "Verified wallet",
    "Your profile shows that the wallet is verified, and you can read your private data.",
  ],
] as const;
