import { getDisputeReview } from "@/server/lib/env";
import { SECOND_MS } from "@/server/lib/time";
import { publicProcedure, router } from "@/server/lib/trpc";
import { POLICY_VERSION } from "./registry/abi";
import { networkSchema, walletConnectorsSchema } from "./schema";
import { getWalletConnectors } from "./wallet-connectors";

const STAKE_USDC = "0.50";

export const networkRouter = router({
  get: publicProcedure
    .meta({
      rest: {
        operationId: "getNetwork",
        method: "GET",
        path: "/network",
        status: 200,
        summary: "The chain that verdicts are recorded on",
        description:
          "Chain, contracts and amounts: what a wallet needs to pay a stake, and an auditor to read the ledger.",
        tag: "Network",
        key: "none",
      },
    })
    .output(networkSchema)
    .query(({ ctx: { chain, env } }) => ({
      chainId: chain.id,
      chainName: chain.name,
      explorerUrl: chain.explorerUrl,
      registryAddress: chain.registryAddress,
      usdcAddress: chain.usdcAddress,
      stakeAddress: chain.stakeAddress,
      statements: chain.scoreGate && {
        gateAddress: chain.scoreGate.address,
        signer: chain.scoreGate.signer,
        validSeconds: env.STATEMENT_TTL / SECOND_MS,
      },
      stakeUsdc: STAKE_USDC,
      disputeReview: getDisputeReview(env),
      confirmations: chain.confirmations,
      policyVersion: POLICY_VERSION,
      ...(chain.rpcUrl ? { rpcUrl: chain.rpcUrl } : {}),
    })),

  /** Used by the owners' pages; agents connect in their own way. */
  furtherWallets: publicProcedure
    .output(walletConnectorsSchema)
    .query(({ ctx: { env, chain } }) => getWalletConnectors(env, chain.id)),
});
