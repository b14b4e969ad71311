import type { Metadata } from "next";
import { redirect } from "next/navigation";
import type { z } from "zod";
import { SearchForm } from "@/components/site/search-form";
import { UntrustedText } from "@/components/site/untrusted-text";
import { CopyLine } from "@/components/ui/code-block";
import { HexFact } from "@/components/ui/fact";
import { shortenHex } from "@/components/ui/format";
import { PageTitle } from "@/components/ui/page-title";
import { Panel } from "@/components/ui/panel";
import { FullLink, TextLink } from "@/components/ui/text-link";
import { AgentChoices, Checks, findMatch } from "@/components/verify/verify-form";
import { WalletCheck } from "@/components/verify/wallet-check";
import { findPublicNode } from "@/server/chain/public-node";
import type { networkSchema } from "@/server/chain/schema";
import { walletSchema } from "@/server/lib/wallet";
import { getPageApi, getSiteOrigin, getSourceUrl } from "@/server/pages/page-api";

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
  const [network, names, matches] = await Promise.all([
    api.network.get(),
    wallet ? api.explorer.names([wallet]) : null,
    wallet ? null : api.explorer.searchAll({ q: agent, page: 0, size: SUGGESTIONS }),
  ]);
  const match = agent && matches && findMatch(agent, matches.agents);
  if (match) redirect(`/verify?agent=${match}`);
  return (
    <>
      <PageTitle>Don't take our word for it</PageTitle>
      <p className="mt-2 text-muted">
        Your browser reads every record from the chain and recomputes the score. If it differs,
        you've caught us.
      </p>
      <div className="mt-6 grid grid-cols-1 items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="group/check grid min-w-0 grid-cols-1 gap-8">
          <div>
            {/* A full page load: older browsers apply this page's policy to the check's requests. */}
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
          {wallet && <WalletPanel wallet={wallet} name={names?.[wallet]} network={network} />}
          <Checks />
        </div>
        <OtherWays network={network} wallet={wallet} />
      </div>
    </>
  );
}

type Network = z.infer<typeof networkSchema>;

/** Verifies a wallet in the reader's browser. */
function WalletPanel(props: { wallet: string; name: string | undefined; network: Network }) {
  const { wallet, name, network } = props;
  const { chainId, chainName, registryAddress, usdcAddress, rpcUrl = null } = network;
  return (
    <section tabIndex={-1} className="rounded-lg border border-line bg-raised p-5 sm:p-6">
      <h2 className="mb-3 text-xl font-semibold">
        <TextLink href={`/agents/${wallet}`}>
          <UntrustedText>{name ?? shortenHex(wallet)}</UntrustedText>
        </TextLink>
      </h2>
      <WalletCheck
        wallet={wallet}
        registry={registryAddress}
        usdc={usdcAddress}
        chainId={chainId}
        chainName={chainName}
        node={findPublicNode({ id: chainId, rpcUrl })}
      />
      <noscript>
        <p className="mt-3">The check needs JavaScript. Run the command instead.</p>
      </noscript>
    </section>
  );
}

/** Shows how to check without this page, and what is read. */
async function OtherWays({ network, wallet }: { network: Network; wallet: string | null }) {
  const [origin, source] = await Promise.all([getSiteOrigin(), getSourceUrl()]);
  const { chainId, chainName, registryAddress, explorerUrl, rpcUrl } = network;
  // On a public chain, readers pick a node they trust.
  const command = `npm run verify -- --url ${origin}${rpcUrl ? "" : " --rpc https://…"}`;
  return (
    <Panel title="Run it yourself">
      <p className="mb-3 text-sm text-muted">
        In a checkout of{" "}
        {source ? <TextLink href={source}>the source</TextLink> : "the source, from the operator"}.
        Add <code>--without-anchors</code> for scores without known clients.
      </p>
      <CopyLine text={wallet ? `${command} ${wallet}` : command} />
      <p className="my-4 text-sm text-muted">
        Or <FullLink href="/api/v1/ledger">download the ledger</FullLink> as JSON Lines and apply{" "}
        <TextLink href="/how-it-works">the formula</TextLink>.
      </p>
      <dl>
        <HexFact
          label={`Registry contract on ${chainName} (${chainId})`}
          value={registryAddress}
          name="registry address"
          href={explorerUrl && `${explorerUrl}/address/${registryAddress}`}
        />
      </dl>
    </Panel>
  );
}
