import { CommandError } from "@/scripts/lib/command-error.mjs";
import { parseAddress, parseCommandLine } from "@/scripts/lib/command-line";
import { findServiceUrl } from "@/scripts/lib/service-url";

const USAGE = `Usage: npm run verify -- [--url BASE] [--registry ADDRESS] [--rpc URL] [--from-block N] [--without-anchors] [WALLET…]
Reads the public ledger from the chain alone, recomputes the scores, and compares scores and verdicts with the
service at BASE (default: the running one), for the given wallets or for all. Registry and node default to
those of GET /network. With --without-anchors also prints each score as if there were no anchors (known clients).
Exit codes: 0 everything agrees, 1 something differs, 2 verification failed.

       npm run verify -- --statement FILE [--offline] [--signer ADDRESS] [--gate ADDRESS] [--rpc URL] [--from-block N]
Checks a signed score statement: signature, fields and expiry, and on the chain its signer and ledger state and
the score recomputed from the ledger. With --offline only the file. Gate and node default to those of GET /network
at --url. Exit codes: 0 the statement is valid, 1 it is not, 2 verification failed.`;

export interface Options {
  base: string;
  registry: `0x${string}` | undefined;
  rpc: string | undefined;
  fromBlock: bigint | undefined;
  wallets: string[];
  /** Prints each score also as computed without anchors. */
  withoutAnchors: boolean;
  statement: StatementOptions | undefined;
}

/** Checks of one signed statement instead of a service. */
export interface StatementOptions {
  file: string;
  /** Checks the file only. */
  isOffline: boolean;
  /** Account that must have signed. Default: the one that the gate names. */
  signer: `0x${string}` | undefined;
  /** ScoreGate contract that the statement must be for. */
  gate: `0x${string}` | undefined;
}

/** Parses the command line. Throws `CommandError`. */
export function parseArguments(args: string[]): Options {
  const text = { type: "string" } as const;
  const { values, positionals } = parseCommandLine(args, USAGE, {
    options: {
      url: text,
      registry: text,
      rpc: text,
      "from-block": text,
      "without-anchors": { type: "boolean", default: false },
      statement: text,
      offline: { type: "boolean", default: false },
      signer: text,
      gate: text,
    },
    allowPositionals: true,
  });
  const fromBlock = values["from-block"];
  if (fromBlock !== undefined && !/^\d{1,15}$/.test(fromBlock)) throw new CommandError(USAGE);
  const { statement: file, offline: isOffline } = values;
  const [signer, gate] = [values.signer, values.gate].map((given) =>
    given === undefined ? undefined : parseAddress(given),
  );
  const isForOneStatement = isOffline || signer !== undefined || gate !== undefined;
  const withoutAnchors = values["without-anchors"];
  if (file === undefined ? isForOneStatement : positionals.length > 0 || withoutAnchors)
    throw new CommandError(USAGE);
  return {
    base: parseUrl("--url", values.url ?? findServiceUrl())
      .replace(/\/+$/, "")
      .replace(/\/api\/v1$/, ""),
    registry: values.registry === undefined ? undefined : parseAddress(values.registry),
    rpc: values.rpc === undefined ? undefined : parseUrl("--rpc", values.rpc),
    fromBlock: fromBlock === undefined ? undefined : BigInt(fromBlock),
    wallets: [...new Set(positionals.map(parseAddress))],
    withoutAnchors,
    statement: file === undefined ? undefined : { file, isOffline, signer, gate },
  };
}

function parseUrl(option: string, given: string): string {
  if (URL.canParse(given) && /^https?:/i.test(given)) return given;
  throw new CommandError(`${option} must be an http or https URL, not ${given}.`);
}
