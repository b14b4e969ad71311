import { UntrustedText } from "@/components/site/untrusted-text";
import { Fact } from "@/components/ui/fact";
import { Panel } from "@/components/ui/panel";
import type { WalletProfile } from "@/server/explorer/schema";

type Identity = NonNullable<WalletProfile["erc8004"]>;

/** How a wallet is bound to its identity. */
export const PROOFS: Record<Identity["proof"], string> = {
  owner: "owns it",
  "agent-wallet": "is its agent wallet",
  operator: "is an operator that its owner approved",
};

interface FilePanelProps {
  identity: Identity;
  file: NonNullable<Identity["file"]>;
}

/** Shows what the agent says of itself in its registration file: texts of others, and no links. */
export function IdentityFilePanel({ identity, file }: FilePanelProps) {
  const { uri, problem, name, description, services } = file;
  return (
    <Panel
      title="In the agent's own words"
      note={
        <>
          From the file of <IdentityLink identity={identity} />. None of it is checked.
        </>
      }
    >
      {problem && <p className="text-muted">{problem}</p>}
      {name && (
        <p className="font-medium break-words">
          <UntrustedText>{name}</UntrustedText>
        </p>
      )}
      {description && (
        <p className="mt-1 break-words">
          <UntrustedText>{description}</UntrustedText>
        </p>
      )}
      <dl className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(min(16rem,100%),1fr))] gap-4 empty:hidden">
        {services.map(({ kind, name, endpoint, version }, at) => (
          <Fact
            // biome-ignore lint/suspicious/noArrayIndexKey: services have no ids, and the list never changes
            key={at}
            label={
              <UntrustedText>
                {`${kind ?? name ?? "Service"} ${version ?? ""}`.trim()}
              </UntrustedText>
            }
          >
            <span className="break-all">
              <UntrustedText>{endpoint ?? "no endpoint"}</UntrustedText>
            </span>
          </Fact>
        ))}
      </dl>
      {uri && (
        <p className="mt-4 text-sm break-all text-muted">
          <UntrustedText>{uri}</UntrustedText>
        </p>
      )}
    </Panel>
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
