import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { type Address, BaseError } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import type { Chain } from "@/server/chain/client";
import { type RegistryState, readRegistryState } from "@/server/chain/registry/read-registry";
import { readGateSigner } from "@/server/chain/score-gate";
import type { ChainInfo, Core, Sql } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { cacheLoads } from "@/server/lib/process/cache-loads";
import { MINUTE_MS, SECOND_MS } from "@/server/lib/time";
import { readLedger } from "@/server/reputation/queries";
import { formatUtcDay } from "@/server/reputation/score/public-reputation";
import { ledgerRecords } from "@/server/reputation/tables";
import { buildStatement } from "./build-statement";
import type { ScoreStatement, SignedStatement } from "./schema";
import { buildDomain, type StatementDomain, toTypedData } from "./typed-data";

/** Signs score statements. */
export interface Statements {
  /**
   * Returns a signed statement about a wallet (in EIP-55 form), registered or not. Throws
   * `statements-unavailable` if statements are not configured or the contract would reject the
   * signature, and `unavailable` if the ledger's state cannot be read now.
   */
  issue(wallet: string): Promise<SignedStatement>;
}

/** Statements of one wallet, ledger state and day are reused for at most this long. */
const REUSED_FOR_MS = MINUTE_MS;
const MAX_STATEMENTS = 5_000;

interface Options extends Pick<Core, "db" | "log"> {
  chain: Chain;
  /** How long a statement is valid. */
  ttlMs: number;
  clock?: () => number;
}

export function createStatements({ clock = Date.now, ...options }: Options): Statements {
  const { db, chain, ttlMs } = options;
  const { scoreGate, statementSigner } = chain;
  if (!scoreGate || !statementSigner) {
    return {
      issue: async () => {
        throw new AppError(
          "statements-unavailable",
          "The operator has not configured signed statements: STATEMENT_KEY and SCORE_GATE_ADDRESS are not set.",
        );
      },
    };
  }
  const domain = buildDomain(chain.id, scoreGate.address);
  const readChain = createChainReader(options, scoreGate.address);
  const cacheStatements = cacheLoads<SignedStatement>({
    // A statement that is returned again is still valid for most of its time.
    ttlMs: Math.min(REUSED_FOR_MS, ttlMs / 10),
    max: MAX_STATEMENTS,
  });
  return {
    async issue(wallet) {
      const { accepted, state } = await readChain();
      if (accepted !== statementSigner.address) {
        throw new AppError(
          "statements-unavailable",
          `The contract ${scoreGate.address} accepts statements of ${accepted}, but this service signs as ${statementSigner.address}. The operator must set STATEMENT_KEY or the contract's signer.`,
        );
      }
      const now = clock();
      const key = `${wallet} ${state.head} ${formatUtcDay(new Date(now))}`;
      return cacheStatements(key, async () => {
        const message = buildStatement(await readLedger(db, wallet), {
          wallet,
          state,
          issuedAt: Math.floor(now / SECOND_MS),
          expiresAt: Math.floor((now + ttlMs) / SECOND_MS),
        });
        return signStatement(statementSigner, domain, message);
      });
    },
  };
}

async function signStatement(
  signer: PrivateKeyAccount,
  domain: StatementDomain,
  message: ScoreStatement,
): Promise<SignedStatement> {
  const typedData = toTypedData(domain, message);
  return {
    domain,
    types: { ScoreStatement: [...typedData.types.ScoreStatement] },
    primaryType: typedData.primaryType,
    message,
    signature: await signer.signTypedData(typedData),
    signer: signer.address,
  };
}

/**
 * Returns a function that reads whose statements the gate accepts, and the registry's state. Throws
 * `unavailable` if the node fails.
 */
function createChainReader({ db, log, chain }: Options, gateAddress: Address) {
  const readState = createSettledStateReader({ db, chain });
  const cacheSigners = cacheLoads<string>({ ttlMs: SECOND_MS, max: 1 });
  return async () => {
    try {
      const accepted = await cacheSigners("signer", () =>
        readGateSigner(chain.client, gateAddress),
      );
      return { accepted, state: await readState() };
    } catch (error) {
      if (!(error instanceof BaseError)) throw error;
      log.warn({ err: error }, "could not read the registry's state for a statement");
      throw new AppError("unavailable", "The chain's node does not respond.", {
        headers: { "Retry-After": "5" },
      });
    }
  };
}

/** Records are settled within moments of their confirmation. */
const SETTLED_WITHIN_MS = 3 * SECOND_MS;
const POLL_MS = 50;

/**
 * Returns a function that reads the registry's state at confirmation depth. The state includes every
 * record that was settled before the call, and the database has every record that it includes.
 * The ledger only grows, so the records up to that state can be read afterwards without a lock. Throws
 * `unavailable` if records up to that state stay unsettled, and viem's error if the node fails.
 */
export function createSettledStateReader({
  db,
  chain,
  settledWithinMs = SETTLED_WITHIN_MS,
}: {
  db: Sql;
  chain: Pick<ChainInfo, "client" | "registryAddress" | "confirmations">;
  /** How long to wait for records on chain to be settled. */
  settledWithinMs?: number;
}): () => Promise<RegistryState> {
  let gapless = 0;
  // A settled record gets a new key. Without one, the registry is read about once a second.
  const cacheStates = cacheLoads<RegistryState>({ ttlMs: SECOND_MS, max: 2 });

  async function readSettled(): Promise<Settled> {
    const settled = await readSettledSeqs(db, gapless);
    gapless = Math.max(gapless, settled.gapless);
    return settled;
  }

  return async () => {
    const { highest } = await readSettled();
    let state: RegistryState | undefined;
    for (const end = Date.now() + settledWithinMs; ; await pause(POLL_MS)) {
      // A node behind a load balancer can be behind the one that confirmed the last record.
      if (!state || state.seq < highest) {
        state = await cacheStates(String(highest), () => readConfirmedState(chain));
      }
      const isCurrent = highest <= state.seq;
      if (isCurrent && (state.seq <= gapless || state.seq <= (await readSettled()).gapless)) {
        return state;
      }
      if (Date.now() > end) {
        const reason = isCurrent
          ? `The registry has ${state.seq} records, but the scores include only the first ${gapless} yet.`
          : `The chain's node has only ${state.seq} of ${highest} records.`;
        throw new AppError("unavailable", `${reason} Repeat the request in a few seconds.`, {
          headers: { "Retry-After": "5" },
        });
      }
    }
  };
}

interface Settled {
  /** The last `seq` before the first record that the database lacks. */
  gapless: number;
  /** The highest `seq` in the database: records are settled in any order. */
  highest: number;
}

/** Reads the registry's state at the depth at which records count as confirmed. */
async function readConfirmedState({
  client,
  registryAddress,
  confirmations,
}: Pick<ChainInfo, "client" | "registryAddress" | "confirmations">): Promise<RegistryState> {
  const latest = await client.getBlockNumber({ cacheTime: 0 });
  return readRegistryState(client, registryAddress, latest - BigInt(confirmations) + 1n);
}

/** @param after No record up to this `seq` is missing; only later ones are read. */
async function readSettledSeqs(db: Sql, after: number): Promise<Settled> {
  const [row] = await db.execute<Partial<Settled>>(sql`
    select min(expected) filter (where seq <> expected)::float8 - 1 as gapless,
      max(seq)::float8 as highest
    from (
      select seq, ${after}::bigint + row_number() over (order by seq) as expected
      from ${ledgerRecords} where seq > ${after}
    ) as later`);
  const highest = row?.highest ?? after;
  return { gapless: row?.gapless ?? highest, highest };
}
