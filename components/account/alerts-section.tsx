"use client";

import { AgentLink, AgentName } from "@/components/agents/agent-link";
import { TierMark } from "@/components/agents/agent-marks";
import { trpc } from "@/components/trpc";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { TextLink } from "@/components/ui/text-link";
import type { Alerts } from "@/server/alerts/schema";
import { ActionButton, ConfirmAction } from "./action-button";
import { OwnerForm, useOwnerForm } from "./owner-form";

interface Props {
  alerts: Alerts;
  /** Private contact in the profile, offered as the address. */
  contact: string | null;
  /** An agent to add. */
  candidate: { wallet: string; name: string | null } | null;
}

/** Shows the agents on the owner's watch list and the owner's e-mail address. */
export function AlertsSection({ alerts, contact, candidate }: Props) {
  return (
    <div className="grid grid-cols-1 items-start gap-x-12 gap-y-8 lg:grid-cols-2">
      <section aria-labelledby="watched" className="grid grid-cols-1 gap-3">
        <h3 id="watched" className="text-xl font-semibold">
          Watched agents
        </h3>
        <WatchList watched={alerts.watched} candidate={candidate} />
      </section>
      <section aria-labelledby="email">
        <h3 id="email" className="text-xl font-semibold">
          E-mail
        </h3>
        <p className="mt-3 mb-3 text-muted">
          {alerts.sendsMail ? (
            "We mail you a day before each deadline, and when a watched agent's tier or risks change."
          ) : (
            <>
              This service has no mail server, so it sends no e-mail. Deadlines are on your{" "}
              <TextLink href="/dashboard">overview</TextLink>, and{" "}
              <TextLink href="/dashboard/webhooks">webhooks</TextLink> notify your agent.
            </>
          )}
        </p>
        {alerts.sendsMail && <EmailAddress email={alerts.email} contact={contact} />}
      </section>
    </div>
  );
}

/** Lists the watched agents with their tiers and risks, after one to add. */
function WatchList({ watched, candidate }: Pick<Alerts, "watched"> & Pick<Props, "candidate">) {
  const watch = trpc.alerts.watch.useMutation();
  const unwatch = trpc.alerts.unwatch.useMutation();
  const isListed = watched.some(({ walletAddress }) => walletAddress === candidate?.wallet);
  return (
    <>
      {candidate && !isListed && (
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
      )}
      {watched.length === 0 && !candidate && (
        <p className="text-muted">
          None yet. Choose Watch on an agent's page, for instance from the{" "}
          <TextLink href="/leaderboard">leaderboard</TextLink>. Its tier and risks then show here.
        </p>
      )}
      <ul className="divide-y divide-line border-line not-empty:border-y">
        {watched.map(({ walletAddress, name, tier, risks }) => (
          <li key={walletAddress} className="flex flex-wrap items-center gap-x-6 gap-y-2 py-2.5">
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
          </li>
        ))}
      </ul>
    </>
  );
}

const STATES = {
  unconfirmed: ["Confirm your address", "Open the link in our mail within 24 hours."],
  refused: ["Your mail server refuses our mail", "Remove the address and add another."],
} as const;

function EmailAddress({ email, contact }: Pick<Alerts, "email"> & Pick<Props, "contact">) {
  const set = trpc.alerts.setAddress.useMutation();
  const remove = trpc.alerts.removeAddress.useMutation();
  const form = useOwnerForm({ address: contact ?? "" }, (input) => set.mutateAsync(input));
  if (email) {
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
  return (
    <OwnerForm form={form} name="E-mail address" labels={["Add address", "Add address"]}>
      <TextField
        {...form.field("address")}
        label="Address"
        type="email"
        autoComplete="email"
        hint="Never public. We send a link to confirm it."
      />
    </OwnerForm>
  );
}
