import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { sha256 } from "@/server/lib/hash";

/** Content of `contracts/<path>.json`: for deployment, and to reproduce the compilation. */
interface CompiledContract {
  contractName: string;
  compiler: string;
  /** SHA-256 of the compiler's standard JSON input: settings and all sources, including imports. */
  sourceHash: string;
  abi: unknown[];
  bytecode: string;
}

interface SolcOutput {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<
    string,
    Record<string, { abi: unknown[]; evm: { bytecode: { object: string } } }>
  >;
}

interface Solc {
  version(): string;
  compile(input: string): string;
}

/** Sources below `contracts/`, without `.sol`. Each defines the contract it is named after. */
const CONTRACTS = [
  "ScoreGate",
  "TestUsdc",
  "VerdictRegistry",
  "examples/ScoredEscrow",
  "testing/AgenticCommerce",
  "testing/IdentityRegistry",
  "testing/OwnedWallet",
  "testing/ReputationRegistry",
  "testing/WalletFactory",
];
const folder = new URL("../contracts/", import.meta.url);
const require = createRequire(import.meta.url);

/**
 * Compiles every contract. Equal sources and compilers give equal output. Throws the compiler's
 * errors and warnings.
 */
export async function compileContracts(): Promise<Map<string, string>> {
  const solc = require("solc") as Solc;
  const sources: Record<string, { content: string }> = {};
  for (const path of CONTRACTS) await addSource(`${path}.sol`, sources);
  const input = JSON.stringify({
    language: "Solidity",
    sources: Object.fromEntries(Object.entries(sources).sort(([a], [b]) => (a < b ? -1 : 1))),
    settings: {
      evmVersion: "cancun",
      viaIR: true,
      optimizer: { enabled: true, runs: 100_000 },
      // Without the metadata hash the bytecode depends only on code, not on comments.
      metadata: { appendCBOR: false, bytecodeHash: "none" },
      outputSelection: Object.fromEntries(
        CONTRACTS.map((path) => [
          `${path}.sol`,
          { [basename(path)]: ["abi", "evm.bytecode.object"] },
        ]),
      ),
    },
  });
  const output = JSON.parse(solc.compile(input)) as SolcOutput;
  const messages = (output.errors ?? []).map((error) => error.formattedMessage);
  if (messages.length > 0) throw new Error(messages.join("\n"));
  return new Map(
    CONTRACTS.map((path) => {
      const name = basename(path);
      const contract = output.contracts[`${path}.sol`]?.[name];
      if (!contract) throw new Error(`${path}.sol has no contract ${name}`);
      const compiled: CompiledContract = {
        contractName: name,
        compiler: solc.version(),
        sourceHash: sha256(input),
        abi: contract.abi,
        bytecode: `0x${contract.evm.bytecode.object}`,
      };
      return [path, `${JSON.stringify(compiled, null, 1)}\n`];
    }),
  );
}

/** Adds a source and all its imports, named as the compiler resolves them. */
async function addSource(name: string, into: Record<string, { content: string }>): Promise<void> {
  if (into[name]) return;
  const path = name.startsWith("@") ? require.resolve(name) : fileURLToPath(new URL(name, folder));
  const content = await readFile(path, "utf8");
  into[name] = { content };
  for (const [, imported] of content.matchAll(/^import\s[^"']*["']([^"']+)["'];/gm)) {
    if (imported) await addSource(resolveImport(imported, name), into);
  }
}

function resolveImport(imported: string, importer: string): string {
  const isRelative = imported.startsWith(".");
  return isRelative ? new URL(imported, `file:///${importer}`).pathname.slice(1) : imported;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of await compileContracts()) {
    await writeFile(new URL(`${path}.json`, folder), text);
    console.log(`contracts/${path}.json`);
  }
}
