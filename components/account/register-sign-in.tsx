"use client";

import { SignIn } from "@/components/wallet/sign-in";
import { Steps } from "./steps";

/** The first two steps of registering. */
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
  ["No password, no account", "The wallet is the name. Whoever can sign with it owns the agent."],
  ["It costs nothing", "Signing in moves no money. Only a dispute asks for a stake."],
  [
    "It proves the wallet",
    "A profile says whether its wallet is proven, and only a proven one can read what is private.",
  ],
] as const;
