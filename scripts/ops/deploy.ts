import { type Address, createPublicClient, createWalletClient, defineChain, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import scoreGate from "@/contracts/ScoreGate.json";
import registry from "@/contracts/VerdictRegistry.json";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { createNodeTransport } from "@/server/chain/node-transport";

/** The contracts that the operator deploys, by verb of the command. `args` are the constructor's. */
export const DEPLOYMENTS = {
  deploy: {
    contract: registry,
    args: ["owner", "recorder"],
    name: "registry",
    variable: "REGISTRY_ADDRESS",
  },
  "deploy-gate": {
    contract: scoreGate,
    args: ["registry", "signer"],
    name: "score gate",
    variable: "SCORE_GATE_ADDRESS",
  },
} as const;

export interface Deployment {
  verb: keyof typeof DEPLOYMENTS;
  rpc: string;
  /** Of the constructor. */
  args: Address[];
}

const CONFIRMATION_TIMEOUT_MS = 180_000;

/** Deploys a new contract to the node's chain, paid by `DEPLOYER_KEY`. Returns its address. */
export async function deploy(
  { verb, rpc, args }: Deployment,
  deployerKey: string | undefined,
): Promise<Address> {
  const { contract } = DEPLOYMENTS[verb];
  if (!/^0x[0-9a-fA-F]{64}$/.test(deployerKey ?? "")) {
    throw new CommandError("DEPLOYER_KEY must be set: 0x and 64 hexadecimal characters.");
  }
  const transport = createNodeTransport(rpc, { timeout: 20_000, patienceMs: 60_000 });
  const id = await createPublicClient({ transport })
    .getChainId()
    .catch(() => {
      throw new CommandError(`No node responds at ${new URL(rpc).host}.`);
    });
  const chain = defineChain({
    id,
    name: `Chain ${id}`,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpc] } },
  });
  const client = createPublicClient({ chain, transport, pollingInterval: 500 });
  const wallet = createWalletClient({
    account: privateKeyToAccount(deployerKey as Hex),
    chain,
    transport,
  });
  const hash = await wallet.deployContract({
    abi: contract.abi,
    bytecode: contract.bytecode as Hex,
    args,
  });
  console.log(`Sent ${hash} to chain ${id}.`);
  const receipt = await client.waitForTransactionReceipt({
    hash,
    timeout: CONFIRMATION_TIMEOUT_MS,
  });
  if (receipt.status !== "success" || !receipt.contractAddress) {
    throw new CommandError(`The transaction ${hash} was reverted: nothing was deployed.`);
  }
  return receipt.contractAddress;
}
