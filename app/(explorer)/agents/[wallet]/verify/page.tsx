import {
  describeProfile,
  loadProfile,
  ProfileFrame,
  type ProfileProps,
} from "@/app/(explorer)/agents/[wallet]/profile-frame";
import { IdentityPanel } from "@/components/agents/identity-panel";
import { EmbeddedBadge, SignedStatement } from "@/components/agents/verify-panels";
import { CopyLine } from "@/components/ui/code-block";
import { FoldedPanel, Panel } from "@/components/ui/panel";
import { FullLink, TextLink } from "@/components/ui/text-link";
import { buildService } from "@/server/explorer/registration-file";
import { getPageApi, getSiteUrl } from "@/server/pages/page-api";

export const generateMetadata = (props: ProfileProps) => describeProfile(props, "verify");

export default async function AgentVerifyPage({ params }: ProfileProps) {
  const profile = await loadProfile((await params).wallet);
  const { walletAddress, agent, erc8004 } = profile;
  const [network, url] = await Promise.all([(await getPageApi()).network.get(), getSiteUrl()]);
  const own = { url, wallet: walletAddress };
  const feed = `${url}/agents/${walletAddress}/feed.xml`;
  return (
    <ProfileFrame profile={profile} tab="verify">
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <Panel
          title="Verify"
          note="Recompute score and verdicts from the on-chain records, in your browser or by a command."
        >
          {/* A full page load, so that the security policy of that page applies. */}
          <FullLink href={`/verify?agent=${walletAddress}`}>Verify this agent</FullLink>
        </Panel>
        {agent && (
          <Panel title="Embed badge" note="Updates automatically; paste once.">
            <EmbeddedBadge {...own} name={agent.name} />
          </Panel>
        )}
      </div>
      <h2 className="mt-8 mb-3 text-xl font-semibold">For programs</h2>
      <div className="grid grid-cols-1 gap-3">
        <FoldedPanel title="API" note="Score, risks and evidence as JSON; no key needed">
          {/* Only registered wallets have a profile in the API. */}
          <CopyLine
            text={`curl ${url}/api/v1/${agent ? "agents" : "reputation"}/${walletAddress}`}
          />
          <TextLink href="/docs" className="mt-3 block text-sm text-muted hover:text-ink">
            API reference
          </TextLink>
        </FoldedPanel>
        <FoldedPanel id="feed" title="Feed" note="Jobs, disputes and tier changes">
          <CopyLine text={feed} href={feed} label="Copy the feed's URL" />
        </FoldedPanel>
        <SignedStatement {...own} network={network} />
        {erc8004 && (
          <FoldedPanel id="erc8004" title="ERC-8004 identity" note={`Number ${erc8004.agentId}`}>
            <IdentityPanel
              identity={erc8004}
              wallet={walletAddress}
              service={buildService(walletAddress, url)}
            />
          </FoldedPanel>
        )}
      </div>
    </ProfileFrame>
  );
}
