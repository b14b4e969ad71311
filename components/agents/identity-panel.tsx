import { WrappedCommand } from "@/components/verify/wrapped-command";
import type { WalletProfile } from "@/server/explorer/schema";

type Identity = NonNullable<WalletProfile["erc8004"]>;

const PROOFS: Record<Identity["proof"], string> = {
  owner: "owns it",
  "agent-wallet": "is its agent wallet",
  operator: "is an operator that its owner approved",
};

interface Props {
  identity: Identity;
  wallet: string;
  /** Entry for the services of the agent's registration file. */
  service: object;
}

/** Says why the identity is the agent's, and offers what to add to its registration file. */
export function IdentityPanel({ identity, wallet, service }: Props) {
  const { agentId, proof, checkedBlock } = identity;
  return (
    <div className="grid grid-cols-1 gap-3">
      <p>
        This wallet {PROOFS[proof]}: <IdentityLink identity={identity} />, checked at block{" "}
        {checkedBlock}.
      </p>
      <p className="text-sm text-muted">
        Entry for <code>services</code> of the identity's registration file:
      </p>
      <WrappedCommand command={JSON.stringify(service)} />
      <p className="text-sm text-muted">
        Without a file of your own, register{" "}
        <a
          href={`/api/v1/agents/${wallet}/erc8004.json`}
          className="underline underline-offset-2 hover:text-ink"
        >
          this file
        </a>{" "}
        as the <code>agentURI</code> of identity {agentId}.
      </p>
    </div>
  );
}

/** Names the identity, with a link to an explorer if the chain has one. */
export function IdentityLink({ identity }: { identity: Identity }) {
  const label = `ERC-8004 #${identity.agentId}`;
  if (!identity.explorerUrl) return <span className="whitespace-nowrap">{label}</span>;
  return (
    <a
      href={identity.explorerUrl}
      rel="noopener"
      className="whitespace-nowrap underline underline-offset-2"
    >
      {label}
    </a>
  );
}
