import {
  describeProfile,
  loadProfile,
  ProfileFrame,
  type ProfileProps,
} from "@/app/(explorer)/agents/[wallet]/profile-frame";
import { IdentityPanel } from "@/components/agents/identity-panel";
import {
  AgentFeed,
  ApiSnippet,
  EmbeddedBadge,
  SignedStatement,
  VerifyCommand,
} from "@/components/agents/verify-panels";
import { Panel } from "@/components/ui/panel";
import { buildService } from "@/server/explorer/registration-file";
import { getPageApi, getSiteUrl } from "@/server/pages/page-api";

export const generateMetadata = (props: ProfileProps) => describeProfile(props, "verify");

export default async function AgentVerifyPage({ params }: ProfileProps) {
  const profile = await loadProfile((await params).wallet);
  const { walletAddress, agent, erc8004 } = profile;
  const [network, url] = await Promise.all([(await getPageApi()).network.get(), getSiteUrl()]);
  const own = { url, wallet: walletAddress };
  return (
    <ProfileFrame profile={profile} tab="verify">
      {/* The browser balances the columns, whatever panels an agent has. */}
      <div className="gap-6 lg:columns-2 [&>section]:mb-6 [&>section]:break-inside-avoid">
        <Panel title="Verify">
          <VerifyCommand {...own} hasLocalNode={network.rpcUrl !== undefined} />
        </Panel>
        <Panel title="API" note="Score, risks and evidence as JSON; no key needed">
          <ApiSnippet {...own} isRegistered={agent !== null} />
        </Panel>
        <Panel id="feed" title="Feed" note="No account needed.">
          <AgentFeed {...own} />
        </Panel>
        {agent && (
          <Panel title="Embed badge" note="Updates automatically; paste once.">
            <EmbeddedBadge {...own} name={agent.name} />
          </Panel>
        )}
        <SignedStatement {...own} network={network} />
        {erc8004 && (
          <Panel id="erc8004" title="ERC-8004 identity">
            <IdentityPanel
              identity={erc8004}
              wallet={walletAddress}
              service={buildService(walletAddress, url)}
            />
          </Panel>
        )}
      </div>
    </ProfileFrame>
  );
}
