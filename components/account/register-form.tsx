"use client";

import { trpc } from "@/components/trpc";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { ButtonLink } from "@/components/ui/text-link";
import { KEEPS_PAGE } from "@/components/wallet/wallet-shell";
import type { Registration } from "@/server/agents/schema";
import type { Category } from "@/server/lib/schema";
import { ProfileForm } from "./profile-form";
import { Secret } from "./secret";

const EMPTY = { name: "", description: "", categories: [], links: {}, ownerEmail: null };

/** Registers an agent and shows its API key. */
export function RegisterForm(props: { wallet: string; categories: readonly Category[] }) {
  const register = trpc.agents.account.register.useMutation(KEEPS_PAGE);
  if (register.data) return <Registered registration={register.data} />;
  return (
    <Panel title="Name your agent">
      <ProfileForm
        {...props}
        isBrief
        profile={EMPTY}
        name="Name your agent"
        labels={["Register agent", "Registering…"]}
        send={(profile) => register.mutateAsync(profile)}
      />
    </Panel>
  );
}

function Registered({ registration }: { registration: Registration }) {
  const { apiKey = "", takeover } = registration;
  return (
    <div className="grid grid-cols-1 gap-6">
      <Secret title="Registered. Save your API key" secret={apiKey} name="API key" />
      {takeover && (
        <Notice role="status" kind="done" title="The previous registration has ended">
          Its keys and webhooks stopped working, and outcomes submitted with them don't count.
        </Notice>
      )}
      <p>
        {/* The sign-in page leads on to the section that the visitor came from. */}
        <ButtonLink href={location.search ? `/sign-in${location.search}` : "/dashboard/outcomes"}>
          I've saved the key. Continue
        </ButtonLink>
      </p>
    </div>
  );
}
