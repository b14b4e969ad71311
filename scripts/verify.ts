// Checks a service against the chain: reads the ledger from the chain alone, recomputes every score,
// and compares scores and verdicts with those that the service returns. Or checks one signed statement.
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { PublicClient } from "viem";
import { formatCount } from "@/components/ui/format";
import { readGateRegistry, readGateSigner } from "@/server/chain/score-gate";
import type { SigningChain } from "@/server/explorer/compare-agreements";
import { computeScoreWithoutAnchors } from "@/server/explorer/compare-shown";
import type { Difference } from "@/server/explorer/compare-with-ledger";
import { TIERS } from "@/server/lib/schema";
import { toChecksumAddress } from "@/server/lib/wallet";
import type { Reputation } from "@/server/reputation/schema";
import type { GroupedLedger } from "@/server/reputation/score/group-ledger";
import { buildStatement } from "@/server/reputation/statement/build-statement";
import { compareStatements, findFaults } from "@/server/reputation/statement/check-statement";
import { type SignedStatement, signedStatement } from "@/server/reputation/statement/schema";
import { CommandError } from "./lib/command-error.mjs";
import { runMain } from "./lib/command-line";
import { type Options, parseArguments, type StatementOptions } from "./verify/arguments";
import {
  compare,
  formatDifferences,
  InvalidLedger,
  openNode,
  openServiceClient,
  readValidLedger,
  type ServiceClient,
  type Source,
} from "./verify/compare";

/** What no comparison with the ledger shows, whatever its result. */
const UNPROVEN =
  "This can't prove that the verdicts are right, nor who the anchors are, nor what signed terms reserve of a limit.";

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
  const chain = { ...network, id: network.chainId, client, registryAddress: registry };
  console.log(`Registry ${registry} on ${network.chainName}, by the node at ${new URL(rpc).host}`);
  const differences = await verify(options, service, source, chain);
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
  chain: SigningChain,
): Promise<Difference[]> {
  let ledger = await readValidLedger(source);
  const { records, block, grouped } = ledger;
  console.log(
    `  ${formatCount(records.length, "record")} up to block ${block}: none is missing, and the hash chain ends in the contract's head`,
  );
  const wallets = await listWallets(options, service, grouped.contractors);
  const first = await compare(service, grouped, chain, wallets);
  console.log(
    `  ${formatCount(first.reputations.length, "score")} and ${formatCount(first.outcomes, "outcome")} compared with ${options.base}`,
  );
  if (first.agreements > 0) {
    console.log(`  the signatures of ${formatCount(first.agreements, "agreement")} checked`);
  }
  if (first.x402Receipts > 0) {
    console.log(`  the signatures of ${formatCount(first.x402Receipts, "x402 receipt")} checked`);
  }
  if (first.lostEvidence > 0) {
    console.log(
      `  the evidence of ${formatCount(first.lostEvidence, "verdict")} is lost, as after a rebuild from the chain, and was not compared`,
    );
  }
  if (options.withoutAnchors) console.log(formatWithoutAnchors(first.reputations, grouped));
  let { differences, differingWallets } = first;
  for (let attempt = 2; attempt <= ATTEMPTS && differences.length > 0; attempt++) {
    await pause(BETWEEN_ATTEMPTS_MS);
    ledger = await readValidLedger(source);
    const before = new Set(differences.map(getKey));
    const again = await compare(service, ledger.grouped, chain, differingWallets);
    differences = again.differences.filter((difference) => before.has(getKey(difference)));
    differingWallets = again.differingWallets;
  }
  return differences;
}

/** Formats scores beside those without anchors, the one that loses most first. */
function formatWithoutAnchors(reputations: Reputation[], ledger: GroupedLedger): string {
  const lines = reputations
    .map(({ walletAddress: wallet, score, scoreDay }) => {
      const without = computeScoreWithoutAnchors(wallet, scoreDay, ledger);
      return { wallet, score, without };
    })
    .toSorted((a, b) => b.score - b.without - (a.score - a.without))
    .map(
      ({ wallet, score, without }) =>
        `  ${wallet}  ${score.toFixed(2).padStart(6)}  ${without.toFixed(2).padStart(6)}`,
    );
  return ["", "  Scores, and what they would be without anchors:", ...lines].join("\n");
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
    console.log(`\nEverything agrees. ${UNPROVEN}`);
    return 0;
  }
  console.log(`\n${formatCount(differences.length, "difference")}:\n`);
  console.log(`${formatDifferences(differences)}\n\n${UNPROVEN}`);
  return 1;
}

/** Checks one statement, prints the result and resolves to the exit code. */
async function verifyStatement(
  options: Options,
  { file, isOffline, signer, gate }: StatementOptions,
): Promise<number> {
  const signed = await readStatement(file);
  printStatement(signed);
  const faults = await findFaults(signed, Math.floor(Date.now() / 1000));
  if (signer && signer !== signed.signer) {
    faults.push(`It is signed by ${signed.signer}, not ${signer}.`);
  }
  if (gate && gate !== signed.domain.verifyingContract) {
    faults.push(describeOtherGate(signed, gate));
  }
  // A file that contradicts itself is not worth reading a ledger for.
  if (!isOffline && faults.length === 0) {
    faults.push(...(await findChainFaults(signed, options, gate)));
  }
  if (faults.length > 0) {
    console.log(
      `\nThe statement is not valid:\n\n${faults.map((fault) => `  ${fault}`).join("\n")}`,
    );
    return 1;
  }
  console.log(
    isOffline && !signer
      ? `\nThe statement agrees with its signature. Check that you trust the signer ${signed.signer}.`
      : "\nThe statement is valid.",
  );
  return 0;
}

/** Checks a statement against the gate and the ledger. Returns one sentence for each fault. */
async function findChainFaults(
  signed: SignedStatement,
  options: Options,
  expectedGate: `0x${string}` | undefined,
): Promise<string[]> {
  const { domain } = signed;
  const { gate, rpc } = await findGateAndNode(options, expectedGate);
  if (gate !== domain.verifyingContract) return [describeOtherGate(signed, gate)];
  const client = await openNode(rpc, domain.chainId);
  const registry = await readGateRegistry(client, gate);
  if (!registry) throw new CommandError(`There is no ScoreGate at ${gate}.`);
  if (options.registry && registry !== options.registry) {
    return [`The gate ${gate} belongs to the registry ${registry}, not ${options.registry}.`];
  }
  const accepted = await readGateSigner(client, gate);
  const faults =
    accepted === signed.signer ? [] : [`The gate ${gate} accepts only the signer ${accepted} now.`];
  return [...faults, ...(await compareWithLedger(signed, { client, registry, options }))];
}

async function compareWithLedger(
  { message }: SignedStatement,
  {
    client,
    registry,
    options,
  }: { client: PublicClient; registry: `0x${string}`; options: Options },
): Promise<string[]> {
  const { wallet, seq, issuedAt, expiresAt } = message;
  const { fromBlock } = options;
  const ledger = await readValidLedger({ client, registry, fromBlock, headAfter: seq });
  console.log(
    `  ${ledger.records.length} records up to block ${ledger.block} read from ${registry}`,
  );
  const head = ledger.headAfter;
  if (!head) return [`The registry has ${ledger.records.length} records, but no record ${seq}.`];
  const records = ledger.grouped.getRecordsFor(wallet).map(({ record }) => record);
  const state = { seq, head };
  return compareStatements(
    message,
    buildStatement(records, { wallet, state, issuedAt, expiresAt }),
  );
}

/** Returns the trusted gate and a node: those given, or else those of the service. */
async function findGateAndNode({ base, rpc }: Options, gate: `0x${string}` | undefined) {
  if (rpc && gate) return { rpc, gate };
  const network = await openServiceClient(base).getNetwork();
  const found = {
    rpc: rpc ?? network.rpcUrl,
    gate: gate ?? (network.statements?.gateAddress as `0x${string}` | undefined),
  };
  if (!found.gate) {
    throw new CommandError(`${base} signs no statements: give the contract with --gate.`);
  }
  if (!found.rpc) {
    throw new CommandError(
      `${base} publishes no node of ${network.chainName}: give one with --rpc.`,
    );
  }
  return { rpc: found.rpc, gate: found.gate };
}

async function readStatement(file: string): Promise<SignedStatement> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read (${error.code}).`);
  });
  const parsed = signedStatement.safeParse(parseJson(text));
  if (parsed.success) return withChecksums(parsed.data);
  const [issue] = parsed.error.issues;
  const place = issue?.path.length ? `${issue.path.join(".")}: ` : "";
  // The message quotes unknown fields of the file, which could control the terminal.
  const fault = issue?.message.replace(/[^\x20-\x7e]/g, "?");
  throw new CommandError(`${file} is not a signed statement: ${place}${fault}.`);
}

/** Returns the statement with its addresses in the form in which they are compared. */
function withChecksums({ domain, message, signer, ...rest }: SignedStatement): SignedStatement {
  return {
    ...rest,
    domain: { ...domain, verifyingContract: toChecksumAddress(domain.verifyingContract) },
    message: { ...message, wallet: toChecksumAddress(message.wallet) },
    signer: toChecksumAddress(signer),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function printStatement({ message, domain, signer }: SignedStatement): void {
  const { wallet, scoreCenti, tier, outcomes, seq, issuedAt, expiresAt } = message;
  console.log(
    [
      `Statement about ${wallet}: score ${(scoreCenti / 100).toFixed(2)}, ${TIERS[tier]}, ${outcomes} outcomes`,
      `  at record ${seq} of the ledger, chain ${domain.chainId}`,
      `  signed by ${signer}`,
      `  issued ${formatTime(issuedAt)}, expires ${formatTime(expiresAt)}`,
    ].join("\n"),
  );
}

const describeOtherGate = ({ domain }: SignedStatement, gate: string) =>
  `It is for the gate ${domain.verifyingContract}, not ${gate}.`;

const formatTime = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString();

await runMain((args) =>
  main(args).catch((error) => {
    if (!(error instanceof InvalidLedger)) throw error;
    console.log(`\nThe node's ledger does not match the contract's state:\n\n${error.message}`);
    return 1;
  }),
);
