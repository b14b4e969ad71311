// Checks a service against the chain: reads the ledger from the chain alone, recomputes every score,
// and compares scores and verdicts with those that the service returns. Or checks one signed statement.

import { setTimeout as pause } from "node:timers/promises";
import { runMain } from "@/scripts/lib/command-line";
import type { Difference } from "@/server/explorer/compare-with-ledger";
import { CommandError } from "./lib/command-error.mjs";
import { type Options, parseArguments } from "./verify/arguments";
import {
  compare,
  InvalidLedger,
  openNode,
  openServiceClient,
  readValidLedger,
  type ServiceClient,
  type Source,
} from "./verify/compare";
import { formatDifferences } from "./verify/report";
import { verifyStatement } from "./verify/statement";

/** Differences are checked again, since records that arrive during a check are on one side only. */
const ATTEMPTS = 3;
const BETWEEN_ATTEMPTS_MS = 2_000;

/** Verifies, prints the result and resolves to the exit code. */
async function main(args: string[]): Promise<number> {
  const options = parseArguments(args);
  if (options.statement) return verifyStatement(options, options.statement);
  const service = openServiceClient(options.base);
  const network = await service.getNetwork();
  const rpc = options.rpc ?? network.rpcUrl;
  if (!rpc) {
    throw new CommandError(
      `${options.base} publishes no node of ${network.chainName}: give one with --rpc, ideally not the service's own.`,
    );
  }
  const registry = options.registry ?? (network.registryAddress as `0x${string}`);
  const client = await openNode(rpc, network.chainId);
  const source = { client, registry, fromBlock: options.fromBlock };
  console.log(`Registry ${registry} on ${network.chainName}, by the node at ${new URL(rpc).host}`);
  const differences = await verify(options, service, source);
  if (registry !== network.registryAddress) {
    differences.push({
      subject: "network",
      field: "registryAddress",
      shown: network.registryAddress,
      expected: registry,
      records: [],
    });
  }
  return report(differences);
}

async function verify(
  options: Options,
  service: ServiceClient,
  source: Source,
): Promise<Difference[]> {
  let ledger = await readValidLedger(source);
  const { records, block, grouped } = ledger;
  console.log(
    `  ${records.length} records up to block ${block}: none is missing, and the hash chain ends in the contract's head`,
  );
  const wallets = await listWallets(options, service, grouped.contractors);
  const first = await compare(service, grouped, wallets);
  console.log(
    `  ${first.scores} scores and ${first.outcomes} outcomes compared with ${options.base}`,
  );
  if (first.lostEvidence > 0) {
    console.log(
      `  ${first.lostEvidence} of these outcomes were rebuilt from the chain: their evidence is lost and was not compared`,
    );
  }
  let { differences, differingWallets } = first;
  for (let attempt = 2; attempt <= ATTEMPTS && differences.length > 0; attempt++) {
    await pause(BETWEEN_ATTEMPTS_MS);
    ledger = await readValidLedger(source);
    const before = new Set(differences.map(getKey));
    const again = await compare(service, ledger.grouped, differingWallets);
    differences = again.differences.filter((difference) => before.has(getKey(difference)));
    differingWallets = again.differingWallets;
  }
  return differences;
}

/** Returns the requested wallets, or by default every wallet that the chain or the service has. */
async function listWallets(
  options: Options,
  service: ServiceClient,
  contractors: string[],
): Promise<string[]> {
  if (options.wallets.length > 0) return options.wallets;
  return [...new Set([...contractors, ...(await service.listWallets())])];
}

const getKey = ({ subject, field }: Difference) => `${subject}\n${field}`;

function report(differences: Difference[]): number {
  if (differences.length === 0) {
    console.log("\nEverything agrees.");
    return 0;
  }
  const count = differences.length === 1 ? "One difference" : `${differences.length} differences`;
  console.log(`\n${count}:\n`);
  console.log(formatDifferences(differences));
  return 1;
}

await runMain((args) =>
  main(args).catch((error) => {
    if (!(error instanceof InvalidLedger)) throw error;
    console.log(`\nThe node's ledger does not match the contract's state:\n\n${error.message}`);
    return 1;
  }),
);
