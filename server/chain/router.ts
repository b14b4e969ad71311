import type { z } from "zod";
import type { ChainInfo } from "@/server/lib/context";
import { type Env, getDisputeReview } from "@/server/lib/env";
import { getJudgeSetup, JUDGE_NOTES } from "@/server/lib/judge-setup";
import { SECOND_MS } from "@/server/lib/time";
import { publicProcedure, router } from "@/server/lib/trpc";
import { STAKE_USDC } from "@/server/lib/usdc";
import { getUsdcToken } from "./payments/usdc-token";
import { POLICY_VERSION } from "./registry/record-encodings";
import { networkSchema, walletConnectorsSchema } from "./schema";
import { getWalletConnectors } from "./wallet-connectors";

const EXAMPLE: z.infer<typeof networkSchema> = {
  chainId: 8453,
  chainName: "Base",
  explorerUrl: "https://basescan.org",
  registryAddress: "0x27b1fdb04752bbc536007a920d24acb045561c26",
  usdcAddress: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  usdc: {
    address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
    name: "USD Coin",
    version: "2",
    decimals: 6,
  },
  stakeAddress: "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  statements: {
    gateAddress: "0xde709f2102306220921060314715629080e2fb77",
    signer: "0xe1fAE9b4fAB2F5726677ECfA912d96b0B683e6a9",
    validSeconds: 86_400,
  },
  erc8004: {
    identityAddress: "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
    reputationAddress: "0x8004BAa17C55a88189AE136b182e5fdA19dE9b63",
  },
  escrows: {
    evaluator: "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
    addresses: ["0x3Cd751E6b0078Be393132286c442345e5DC49699"],
  },
  stakeUsdc: STAKE_USDC,
  disputeReview: "model",
  judge: "two-models",
  judgeNote: JUDGE_NOTES["two-models"],
  confirmations: 5,
  policyVersion: POLICY_VERSION,
};

/** Returns the ERC-8004 registries, or why there are none. */
function describeRegistries(
  { erc8004, id }: ChainInfo,
  env: Pick<Env, "ERC8004_IDENTITY_ADDRESS" | "ERC8004_REPUTATION_ADDRESS">,
) {
  if (erc8004) {
    const { identityAddress, reputationAddress } = erc8004;
    return { erc8004: { identityAddress, reputationAddress } };
  }
  const { ERC8004_IDENTITY_ADDRESS: identity, ERC8004_REPUTATION_ADDRESS: reputation } = env;
  if (identity === "off") return { erc8004: null, erc8004Note: "ERC8004_IDENTITY_ADDRESS is off." };
  return {
    erc8004: null,
    erc8004Note:
      identity && reputation
        ? `Chain ${id} has no contract at ERC8004_IDENTITY_ADDRESS or ERC8004_REPUTATION_ADDRESS.`
        : "ERC8004_IDENTITY_ADDRESS and ERC8004_REPUTATION_ADDRESS are not set.",
  };
}

export const networkRouter = router({
  get: publicProcedure
    .meta({
      rest: {
        operationId: "getNetwork",
        method: "GET",
        path: "/network",
        summary: "The chain that verdicts are recorded on",
        description:
          "Chain, contracts and amounts: what a wallet needs to pay a stake, and an auditor to read the ledger.",
        example: { response: EXAMPLE },
      },
    })
    .output(networkSchema)
    .query(({ ctx: { chain, env } }) => ({
      chainId: chain.id,
      chainName: chain.name,
      explorerUrl: chain.explorerUrl,
      registryAddress: chain.registryAddress,
      usdcAddress: chain.usdcAddress,
      usdc: getUsdcToken(chain),
      stakeAddress: chain.stakeAddress,
      statements: chain.scoreGate && {
        gateAddress: chain.scoreGate.address,
        signer: chain.scoreGate.signer,
        validSeconds: env.STATEMENT_TTL / SECOND_MS,
      },
      ...describeRegistries(chain, env),
      escrows: chain.escrows && {
        evaluator: chain.escrows.evaluator,
        addresses: [...chain.escrows.addresses],
      },
      stakeUsdc: STAKE_USDC,
      disputeReview: getDisputeReview(env),
      judge: getJudgeSetup(env),
      judgeNote: JUDGE_NOTES[getJudgeSetup(env)],
      confirmations: chain.confirmations,
      policyVersion: POLICY_VERSION,
      ...(chain.rpcUrl ? { rpcUrl: chain.rpcUrl } : {}),
    })),

  /** Used by the owners' pages; agents connect in their own way. */
  furtherWallets: publicProcedure
    .output(walletConnectorsSchema)
    .query(({ ctx: { env, chain } }) => getWalletConnectors(env, chain.id)),
});
