"use client";

import { IdentityLink } from "@/components/agents/identity-panel";
import { trpc } from "@/components/trpc";
import { TextField } from "@/components/ui/field";
import { formatDay } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import type { OwnIdentity } from "@/server/identities/schema";
import { ActionButton } from "./action-button";
import { OwnerForm, useOwnerForm } from "./owner-form";

/** Links the agent to its ERC-8004 identity, or removes the link. */
export function IdentityForm({ linked, lost, held }: OwnIdentity) {
  const link = trpc.agents.link.useMutation();
  const form = useOwnerForm({ erc8004AgentId: held[0] ?? "" }, ({ erc8004AgentId }) =>
    link.mutateAsync({ erc8004AgentId: erc8004AgentId.trim() }),
  );
  return (
    <div className="grid gap-4">
      {lost && (
        <Notice title={`The link to identity ${lost.agentId} ended on ${formatDay(lost.lostAt)}`}>
          {lost.reason}
        </Notice>
      )}
      {linked ? (
        <div className="flex flex-wrap items-center gap-4">
          <IdentityLink identity={linked} />
          <ActionButton run={() => link.mutateAsync({ erc8004AgentId: null })}>
            Remove link
          </ActionButton>
        </div>
      ) : (
        <OwnerForm form={form} name="ERC-8004 identity" labels={["Link", "Checking…"]}>
          <TextField
            {...form.field("erc8004AgentId")}
            label="ERC-8004 agent id"
            inputMode="numeric"
            autoComplete="off"
            hint={
              held.length > 0
                ? `Identities of your wallet: ${held.join(", ")}.`
                : "The number of your agent's token in the ERC-8004 registry. Your wallet must own it, be its agent wallet, or be its operator."
            }
          />
        </OwnerForm>
      )}
    </div>
  );
}
