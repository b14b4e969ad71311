import type { Metadata } from "next";
import { SearchForm } from "@/components/site/search-form";
import { UntrustedText } from "@/components/site/untrusted-text";
import { CopyLine } from "@/components/ui/code-block";
import { Fact, HexFact } from "@/components/ui/fact";
import { shortenHex } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { Panel } from "@/components/ui/panel";
import { TextLink } from "@/components/ui/text-link";
import { AgentChoices, Checks } from "@/components/verify/verify-form";
import { WalletCheck } from "@/components/verify/wallet-check";
import { findPublicNode } from "@/server/chain/public-node";
import { walletSchema } from "@/server/lib/wallet";
import { getPageApi, getSiteOrigin } from "@/server/pages/page-api";

export const metadata: Metadata = {
  title: "Verify",
  description: "Recompute every score from the chain, without trusting this service.",
};

const MAX_QUERY = 200;
const SUGGESTIONS = 6;

export default async function VerifyPage({ searchParams }: PageProps<"/verify">) {
  const [given = ""] = [(await searchParams).agent].flat();
  const agent = given.trim().slice(0, MAX_QUERY);
  const { data: wallet = null } = walletSchema.safeParse(agent);
  const api = await getPageApi();
  const [network, origin, names, matches] = await Promise.all([
    api.network.get(),
    getSiteOrigin(),
    wallet ? api.explorer.names([wallet]) : null,
    wallet ? null : api.explorer.searchAll({ q: agent, page: 0, size: SUGGESTIONS }),
  ]);
  const { chainId, chainName, registryAddress, usdcAddress, explorerUrl, rpcUrl, policyVersion } =
    network;
  const node = findPublicNode({ id: chainId, rpcUrl: rpcUrl ?? null });
  // On a public chain, readers pick a node they trust.
  const command = `npm run verify -- --url ${origin}${rpcUrl ? "" : " --rpc https://…"}`;
  return (
    <>
      <PageTitle>Don't take our word for it</PageTitle>
      <p className="mt-2 text-muted">
        Your browser reads every record from the chain and recomputes the score. If it differs,
        you've caught us.
      </p>
      <div className="mt-6 grid grid-cols-1 items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 grid-cols-1 gap-8">
          <div>
            {/* A full page load, so that the policy applies by which this page reaches the chain's node. */}
            <SearchForm
              action="/verify"
              name="agent"
              label="Agent name or wallet address"
              placeholder="Agent name or 0x address"
              button="Verify"
              value={agent}
            />
            {matches && <AgentChoices q={agent} agents={matches.agents.content} />}
          </div>
          {wallet && (
            <section className="rounded-lg border border-line bg-raised p-5 sm:p-6">
              <h2 className="mb-3 text-xl font-semibold">
                <TextLink href={`/agents/${wallet}`} prefetch={false}>
                  <UntrustedText>{names?.[wallet] ?? shortenHex(wallet)}</UntrustedText>
                </TextLink>
              </h2>
              {node ? (
                <WalletCheck
                  wallet={wallet}
                  registry={registryAddress}
                  usdc={usdcAddress}
                  chainId={chainId}
                  node={node}
                />
              ) : (
                <Notice title={`No public node of ${chainName} is known`}>
                  Run the command with a node of your choice, or{" "}
                  <a href="/api/v1/ledger" className="underline underline-offset-2">
                    download the ledger
                  </a>
                  .
                </Notice>
              )}
              <noscript>
                <p className="mt-3">The check needs JavaScript. Run the command instead.</p>
              </noscript>
            </section>
          )}
          <section>
            <h2 className="mb-4 text-xl font-semibold">What is checked</h2>
            <Checks />
          </section>
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <Panel title="Run it yourself" note="In a checkout of the source:">
            <CopyLine text={wallet ? `${command} ${wallet}` : command} />
            <p className="mt-4 text-sm text-muted">
              Or{" "}
              <a href="/api/v1/ledger" className="underline underline-offset-2">
                download the ledger
              </a>{" "}
              as JSON Lines and apply <TextLink href="/how-it-works">the formula</TextLink>.
            </p>
          </Panel>
          <Panel title="Source">
            <dl className="grid gap-4">
              <Fact label="Chain">
                {chainName} ({chainId})
              </Fact>
              <HexFact
                label="Registry contract"
                value={registryAddress}
                name="registry address"
                href={explorerUrl && `${explorerUrl}/address/${registryAddress}`}
              />
              <Fact label="Node">{node ? new URL(node).host : "none public"}</Fact>
              <Fact label="Score policy">{policyVersion}</Fact>
            </dl>
          </Panel>
        </div>
      </div>
    </>
  );
}
