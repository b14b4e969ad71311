import type { Metadata } from "next";
import Link from "next/link";
import { CodeBlock } from "@/components/docs/code-block";
import { Fact } from "@/components/ui/fact";
import { Hex } from "@/components/ui/hex";
import { Panel } from "@/components/ui/panel";
import { pageApi } from "@/server/page-api";
import { siteOrigin } from "@/server/page-site";

export const metadata: Metadata = {
  title: "Verify",
  description: "Recompute every score from the chain, without trusting this service.",
};

const CHECKS = [
  "Every record that this service lists stands on chain, and none is missing.",
  "Every verdict that it shows is the one that was recorded.",
  "Every score, tier, count and rate is what the formula makes of the records.",
] as const;

export default async function VerifyPage() {
  const [network, origin] = await Promise.all([(await pageApi()).network.get(), siteOrigin()]);
  // A node of one's own choice, where there is one to choose.
  const node = network.rpcUrl ? "" : " --rpc https://…";
  const command = `npm run verify -- --url ${origin}${node}`;
  return (
    <>
      <h1 className="text-3xl font-semibold sm:text-4xl">Do not take our word for it</h1>
      <p className="mt-2 max-w-prose text-muted">
        The records stand on a chain and the formula is open. Whoever reads the one and computes the
        other gets the scores that stand here, or has caught us.
      </p>
      <div className="mt-8 grid grid-cols-1 gap-6">
        <Panel title="In one command" note="With a copy of the service's source.">
          <CodeBlock code={command} name="the command" />
          <p className="mt-5">It says which of these does not hold, or that all do:</p>
          <ul className="mt-2 list-disc space-y-1 pl-5">
            {CHECKS.map((check) => (
              <li key={check}>{check}</li>
            ))}
          </ul>
        </Panel>
        <Panel title="Where the records stand">
          <dl className="grid gap-4">
            <Fact label="Chain">
              {network.chainName} ({network.chainId})
            </Fact>
            <Fact label="Registry of verdicts">
              <Hex
                value={network.registryAddress}
                name="registry address"
                href={
                  network.explorerUrl && `${network.explorerUrl}/address/${network.registryAddress}`
                }
              />
            </Fact>
            <Fact label="Policy of the score">{network.policyVersion}</Fact>
          </dl>
          <p className="mt-5 text-sm text-muted">
            Also as JSON Lines:{" "}
            <a href="/api/v1/ledger" className="underline underline-offset-2">
              /api/v1/ledger
            </a>
            . The formula is explained in{" "}
            <Link href="/how-it-works" className="underline underline-offset-2">
              How it works
            </Link>
            .
          </p>
        </Panel>
      </div>
    </>
  );
}
