import { BaseError } from "viem";
import type { Chain } from "@/server/chain/client";
import { readGateSigner } from "@/server/chain/score-gate";
import type { Core } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { cacheLoads } from "@/server/lib/process/cache-loads";
import { MINUTE_MS, SECOND_MS } from "@/server/lib/time";
import { readLedger } from "@/server/reputation/queries";
import { formatUtcDay } from "@/server/reputation/score/public-reputation";
import { buildStatement } from "./build-statement";
import type { SignedStatement } from "./schema";
import { createSettledStateReader } from "./settled-state";
import { buildDomain, toTypedData } from "./typed-data";

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

/** @param ttlMs How long a statement is valid. */
export function createStatements({
  db,
  log,
  chain,
  ttlMs,
  clock = Date.now,
}: Pick<Core, "db" | "log"> & {
  chain: Chain;
  ttlMs: number;
  clock?: () => number;
}): Statements {
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
  const readState = createSettledStateReader({ db, chain });
  const cacheSigners = cacheLoads<string>({ ttlMs: SECOND_MS, max: 1 });
  const cacheStatements = cacheLoads<SignedStatement>({
    // A statement that is returned again is still valid for most of its time.
    ttlMs: Math.min(REUSED_FOR_MS, ttlMs / 10),
    max: MAX_STATEMENTS,
  });

  const readChain = async () => {
    try {
      const accepted = await cacheSigners("signer", () =>
        readGateSigner(chain.client, scoreGate.address),
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
        const typedData = toTypedData(domain, message);
        return {
          domain,
          types: { ScoreStatement: [...typedData.types.ScoreStatement] },
          primaryType: typedData.primaryType,
          message,
          signature: await statementSigner.signTypedData(typedData),
          signer: statementSigner.address,
        };
      });
    },
  };
}
