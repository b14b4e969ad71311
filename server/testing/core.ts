import pino from "pino";
import { createPublicClient, http, zeroAddress } from "viem";
import type { AppEvent, ChainInfo, Context, Core, RequestInfo } from "@/server/lib/context";
import { type Env, parseEnv } from "@/server/lib/env";
import type { TestDatabase } from "./database";

/** Chain facts for tests that never reach the chain. */
const UNREACHED_CHAIN: ChainInfo = {
  id: 31_337,
  name: "Local chain",
  explorerUrl: null,
  rpcUrl: "http://127.0.0.1:1",
  registryAddress: zeroAddress,
  usdcAddress: zeroAddress,
  stakeAddress: zeroAddress,
  recorderAddress: zeroAddress,
  scoreGate: null,
  erc8004: null,
  feedbackAddress: null,
  escrows: null,
  confirmations: 1,
  isLocal: true,
  client: createPublicClient({ transport: http("http://127.0.0.1:1") }),
};

export interface TestCore extends Core {
  /** Every published event, in order; a repeated id is listed once. */
  published: AppEvent[];
}

/**
 * Creates the parts of a server over a test database; `publish` only stores the event in memory.
 */
export function createTestCore(
  database: TestDatabase,
  overrides: Partial<Omit<Core, "env">> & { env?: Partial<Env> } = {},
): TestCore {
  const published: AppEvent[] = [];
  const { env, ...rest } = overrides;
  return {
    db: database.db,
    log: pino({ level: "silent" }),
    chain: UNREACHED_CHAIN,
    publish: async (_tx, events) => {
      for (const event of events) {
        if (!published.some((known) => known.id === event.id)) published.push(event);
      }
    },
    ...rest,
    env: {
      ...parseEnv({
        LOG_LEVEL: "silent",
        SECRET_KEY: "0".repeat(64),
        OUTBOUND_ALLOW_LOOPBACK: "true",
      }),
      ...env,
    },
    published,
  };
}

/**
 * Creates a request context over `core`, as a transport does; `headers` collects what procedures
 * set.
 */
export function createTestContext(core: Core, request: Partial<RequestInfo> = {}) {
  const headers: Record<string, string> = {};
  const context: Context = {
    ...core,
    request: {
      id: "test-request",
      ip: "192.0.2.1",
      origin: "http://localhost:3000",
      apiKey: null,
      session: null,
      claimedWallet: null,
      idempotencyKey: null,
      transport: "rest",
      ...request,
    },
    reply: {
      header: (name, value) => {
        headers[name.toLowerCase()] = value;
      },
    },
  };
  return { context, headers };
}
