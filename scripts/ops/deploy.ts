import { type Address, createPublicClient, createWalletClient, defineChain, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import scoreGate from "@/contracts/ScoreGate.json";
import registry from "@/contracts/VerdictRegistry.json";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { createNodeTransport } from "@/server/chain/node-transport";

export interface Deployment {
  rpc: string;
  owner: Address;
  recorder: Address;
}

export interface GateDeployment {
  rpc: string;
  registry: Address;
  signer: Address;
}

const CONFIRMATION_TIMEOUT_MS = 180_000;

/** Deploys a new registry to the node's chain, paid by `DEPLOYER_KEY`. Returns its address. */
export const deploy = ({ rpc, owner, recorder }: Deployment, deployerKey: string | undefined) =>
  deployContract({ rpc, contract: registry, args: [owner, recorder] }, deployerKey);

/** Deploys a gate for a registry's score statements, paid by `DEPLOYER_KEY`. Returns its address. */
export const deployGate = (
  { rpc, registry, signer }: GateDeployment,
  deployerKey: string | undefined,
) => deployContract({ rpc, contract: scoreGate, args: [registry, signer] }, deployerKey);

async function deployContract(
  {
    rpc,
    contract,
    args,
  }: { rpc: string; contract: typeof registry | typeof scoreGate; args: readonly Address[] },
  deployerKey: string | undefined,
): Promise<Address> {
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
