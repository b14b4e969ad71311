"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { IdentityLink } from "@/components/agents/identity-panel";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { formatDay } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { ErrorNotice } from "@/components/wallet/error-notice";
import type { OwnIdentity } from "@/server/identities/schema";

/** Links the agent to its ERC-8004 identity, or removes the link. */
export function IdentityForm({ linked, lost, held }: OwnIdentity) {
  const router = useRouter();
  const [agentId, setAgentId] = useState(held[0] ?? "");
  const link = trpc.agents.link.useMutation({ onSuccess: () => router.refresh() });
  return (
    <div className="grid gap-4 lg:w-[calc(50%-1.5rem)]">
      {lost && (
        <Notice title={`The link to identity ${lost.agentId} ended on ${formatDay(lost.lostAt)}`}>
          <p>{lost.reason}</p>
        </Notice>
      )}
      {linked ? (
        <div className="flex flex-wrap items-center gap-4">
          <IdentityLink identity={linked} />
          <Button busy={link.isPending} onClick={() => link.mutate({ erc8004AgentId: null })}>
            Remove link
          </Button>
        </div>
      ) : (
        <form
          noValidate
          aria-label="ERC-8004 identity"
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            link.mutate({ erc8004AgentId: agentId.trim() });
          }}
        >
          <TextField
            name="erc8004AgentId"
            label="Agent id"
            inputMode="numeric"
            autoComplete="off"
            hint={
              held.length > 0
                ? `Identities of your wallet: ${held.join(", ")}.`
                : "Your wallet must own the identity, be its agent wallet, or be its operator."
            }
            value={agentId}
            onChange={setAgentId}
          />
          <div>
            <Button type="submit" variant="primary" busy={link.isPending}>
              {link.isPending ? "Checking…" : "Link"}
            </Button>
          </div>
        </form>
      )}
      <ErrorNotice error={link.error} />
    </div>
  );
}
