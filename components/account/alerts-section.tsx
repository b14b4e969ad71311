"use client";

import { AgentLink, AgentName } from "@/components/agents/agent-link";
import { TierMark } from "@/components/agents/agent-marks";
import { trpc } from "@/components/trpc";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { TextLink } from "@/components/ui/text-link";
import type { Alerts } from "@/server/alerts/schema";
import { ActionButton, ConfirmAction } from "./action-button";
import { ListAndForm } from "./list-and-form";
import { OwnerForm, useOwnerForm } from "./owner-form";

interface Props {
  alerts: Alerts;
  /** Private contact in the profile, offered as the address. */
  contact: string | null;
  /** An agent to add. */
  candidate: { wallet: string; name: string | null } | null;
}

/** Lists the agents that the owner watches, with their tiers and risks, beside the owner's e-mail address. */
export function AlertsSection({ alerts, contact, candidate }: Props) {
  const { watched, sendsMail, email } = alerts;
  const watch = trpc.alerts.watch.useMutation();
  const isListed = watched.some(({ walletAddress }) => walletAddress === candidate?.wallet);
  return (
    <ListAndForm
      first={
        candidate &&
        !isListed && (
          <p className="flex flex-wrap items-center gap-4 rounded-md bg-sunken px-4 py-3">
            <span className="min-w-0 flex-1">
              Watch <AgentName {...candidate} />?
            </span>
            <ActionButton
              variant="primary"
              run={() => watch.mutateAsync({ walletAddress: candidate.wallet })}
            >
              Watch agent
            </ActionButton>
          </p>
        )
      }
      rows={watched.map((agent) => <WatchedAgent key={agent.walletAddress} {...agent} />)}
      empty={
        <>
          Open an agent from the <TextLink href="/leaderboard">leaderboard</TextLink> and choose
          Watch. Its tier, risks and disputes then show here.
        </>
      }
      form={sendsMail && <EmailAddress email={email} contact={contact} />}
    />
  );
}

function WatchedAgent({ walletAddress, name, tier, risks }: Alerts["watched"][number]) {
  const unwatch = trpc.alerts.unwatch.useMutation();
  return (
    <>
      <div className="min-w-0 flex-1 basis-64">
        <AgentLink wallet={walletAddress} name={name} className="mr-4 font-medium" />
        <TierMark tier={tier} />
        <p className="text-sm text-muted">{risks.join(" · ") || "No risks"}</p>
      </div>
      <ActionButton
        small
        aria-label={`Stop watching ${name ?? walletAddress}`}
        run={() => unwatch.mutateAsync({ walletAddress })}
      >
        Stop watching
      </ActionButton>
    </>
  );
}

const STATES = {
  unconfirmed: ["Confirm your address", "Open the link in our mail within 24 hours."],
  refused: ["Your mail server refuses our mail", "Remove the address and add another."],
} as const;

/** Adds or removes the address that alerts are sent to. */
function EmailAddress({ email, contact }: Pick<Alerts, "email"> & Pick<Props, "contact">) {
  const set = trpc.alerts.setAddress.useMutation();
  const remove = trpc.alerts.removeAddress.useMutation();
  const form = useOwnerForm({ address: contact ?? "" }, (input) => set.mutateAsync(input));
  if (!email) {
    return (
      <OwnerForm form={form} name="E-mail address" labels={["Add address", "Add address"]}>
        <TextField
          {...form.field("address")}
          label="E-mail address"
          type="email"
          autoComplete="email"
          hint="For a mail before each deadline, and when a watched agent's tier or risks change. Never public."
        />
      </OwnerForm>
    );
  }
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="min-w-0 flex-1 font-medium break-all">{email.address}</p>
        {email.state === "unconfirmed" && (
          <ActionButton small run={() => set.mutateAsync({ address: email.address })}>
            Send again
          </ActionButton>
        )}
        <ConfirmAction
          label="Remove"
          target="your e-mail address"
          question="You'll get no more mail."
          confirm="Remove it"
          run={() => remove.mutateAsync()}
        />
      </div>
      <div role="status">
        {email.state === "confirmed" ? (
          <p className="text-sm text-muted">Confirmed. Alerts are on.</p>
        ) : (
          <Notice title={STATES[email.state][0]}>{STATES[email.state][1]}</Notice>
        )}
      </div>
    </div>
  );
}
