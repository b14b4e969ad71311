import {
  describeProfile,
  loadProfile,
  ProfileFrame,
  type ProfileProps,
} from "@/app/(explorer)/agents/[wallet]/profile-frame";
import { IdentityLink, PROOFS } from "@/components/agents/identity-panel";
import { Access, EmbeddedBadge } from "@/components/agents/verify-panels";
import { formatDuration } from "@/components/disputes/describe-dispute";
import { OwnerPageLink } from "@/components/site/owner-page-link";
import { CopyLine } from "@/components/ui/code-block";
import { FullLink, TextLink } from "@/components/ui/text-link";
import { buildService } from "@/server/explorer/registration-file";
import { getPageApi, getSiteUrl } from "@/server/pages/page-api";

export const generateMetadata = (props: ProfileProps) => describeProfile(props, "verify");

export default async function AgentVerifyPage({ params }: ProfileProps) {
  const profile = await loadProfile((await params).wallet);
  const { walletAddress, agent, erc8004 } = profile;
  const { network } = await getPageApi();
  const [{ statements, rpcUrl }, url] = await Promise.all([network.get(), getSiteUrl()]);
  const feed = `${url}/agents/${walletAddress}/feed.xml`;
  const file = `statement-${walletAddress}.json`;
  const node = rpcUrl ? "" : " --rpc URL_OF_A_NODE";
  return (
    <ProfileFrame profile={profile} tab="verify">
      <div>
        <Access
          title="Verify"
          note="Recompute score and verdicts from the on-chain records, in your browser or by a command."
        >
          {/* A full page load, so that the security policy of that page applies. */}
          <OwnerPageLink
            href={`/verify?agent=${walletAddress}`}
            className="w-fit rounded-md bg-accent px-4 py-2 font-medium text-accent-ink hover:opacity-90"
          >
            Verify this agent
          </OwnerPageLink>
        </Access>
        {agent && (
          <Access title="Embed badge" note="Updates automatically; for websites and Markdown.">
            <EmbeddedBadge url={url} wallet={walletAddress} name={agent.name} />
          </Access>
        )}
        <Access
          title="API"
          note={
            <>
              Score, risks and evidence as JSON; no key needed.{" "}
              <TextLink href="/docs">API reference</TextLink>
            </>
          }
        >
          {/* Only registered wallets have a profile in the API. */}
          <CopyLine
            text={`curl ${url}/api/v1/${agent ? "agents" : "reputation"}/${walletAddress}`}
          />
        </Access>
        <Access title="Feed" note="Jobs, disputes and tier changes.">
          <CopyLine text={feed} href={feed} label="Copy the feed's URL" />
        </Access>
        {statements && (
          <Access
            title="Signed statement"
            note={`The score, signed for smart contracts; valid for ${formatDuration(statements.validSeconds * 1_000)}.`}
          >
            <a
              href={`/api/v1/reputation/${walletAddress}/statement`}
              download={file}
              className="text-accent hover:underline"
            >
              Download statement
            </a>
            <CopyLine text={`npm run verify -- --url ${url}${node} --statement ${file}`} />
          </Access>
        )}
        {erc8004 && (
          <Access
            title="ERC-8004 identity"
            note={
              <>
                This wallet {PROOFS[erc8004.proof]}: <IdentityLink identity={erc8004} />, checked at
                block {erc8004.checkedBlock}.
              </>
            }
          >
            <p className="text-sm text-muted">
              Entry for <code>services</code> of its registration file, or{" "}
              <FullLink href={`/api/v1/agents/${walletAddress}/erc8004.json`}>
                a whole file
              </FullLink>{" "}
              to register as <code>agentURI</code>:
            </p>
            <CopyLine text={JSON.stringify(buildService(walletAddress, url))} />
          </Access>
        )}
      </div>
    </ProfileFrame>
  );
}
