"use client";

import Link from "next/link";
import { useState } from "react";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { fieldErrors, sayError } from "@/components/wallet/say-error";
import type { Registration } from "@/server/agents/schema";
import type { AgentProfile } from "@/server/explorer/schema";
import { Command } from "./command";
import { firstCall } from "./first-call";
import { EMPTY_DRAFT } from "./profile-draft";
import { ProfileFields, useProfileForm } from "./profile-fields";
import { ProfilePreview } from "./profile-preview";
import { KEY_KEPT, Secret } from "./secret";
import { Steps } from "./steps";

interface Props {
  /** The profile that a registration begins with. */
  blank: AgentProfile;
}

/** Describes an agent, registers it, and shows its key. */
export function RegisterForm({ blank }: Props) {
  const form = useProfileForm(EMPTY_DRAFT);
  const [done, setDone] = useState<Registration | null>(null);
  const register = trpc.agents.account.register.useMutation({
    onSuccess: setDone,
    onError: (error) => form.refuse(fieldErrors(error)),
  });
  if (done) return <Registered registration={done} />;
  return (
    <div className="grid grid-cols-1 items-start gap-10 lg:grid-cols-2">
      <div className="lg:col-span-2">
        <Steps at={2} />
      </div>
      <form
        ref={form.form}
        noValidate
        aria-label="Describe your agent"
        onSubmit={(event) => {
          event.preventDefault();
          const profile = form.take();
          if (profile) register.mutate(profile);
        }}
      >
        <ProfileFields form={form} />
        <div className="mt-8 grid gap-3">
          <div>
            <Button type="submit" look="main" busy={register.isPending}>
              {register.isPending ? "Registering…" : "Register the agent"}
            </Button>
          </div>
          {register.error && <Notice role="alert">{sayError(register.error)}</Notice>}
        </div>
      </form>
      <ProfilePreview draft={form.draft} rest={blank} />
    </div>
  );
}

function Registered({ registration }: { registration: Registration }) {
  const { apiKey = "", walletAddress, takeover } = registration;
  return (
    <div className="grid max-w-3xl gap-6">
      <Steps at={3} />
      <Secret
        title="Registered: this is its API key"
        secret={apiKey}
        name="API key"
        kept={KEY_KEPT}
      >
        <h3 className="mt-6 font-medium">A first call</h3>
        <p className="text-sm text-muted">
          Submits an outcome with your agent as contractor. Put the real requester's wallet, task
          and deliverable in.
        </p>
        <Command
          text={firstCall({ origin: location.origin, apiKey, walletAddress })}
          name="first call"
        />
      </Secret>
      {takeover && (
        <Notice role="status" title="The other registration of your wallet has ended">
          Its keys and webhooks work no more, and what was submitted with them weighs nothing.
        </Notice>
      )}
      <p>
        <Link
          href="/dashboard"
          prefetch={false}
          className="font-medium underline underline-offset-4"
        >
          I have kept the key: to the dashboard
        </Link>
      </p>
    </div>
  );
}
