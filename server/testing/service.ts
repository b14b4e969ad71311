import type { RequestListener } from "node:http";
import pino from "pino";
import { inject } from "vitest";
import { openRuntime, type Runtime } from "@/server/bootstrap/boot";
import type { Stage } from "@/server/bootstrap/parts";
import { createHttpServer } from "@/server/http/http-server";
import { parseEnv } from "@/server/lib/env";
import { type LocalChain, startAnvil } from "@/server/local/anvil";
import { isMcpPath } from "@/server/mcp/mcp-transport";
import type { PartyOutcome } from "@/server/outcomes/schema";
import { isRestPath, serveRest } from "@/server/rest/transports/node-http";
import { isTrpcPath } from "@/server/rest/transports/trpc-transport";
import { createTestDatabase, type TestDatabase } from "./database";
import { waitFor } from "./engine/engine";
import { type InngestExecutor, startInngestExecutor } from "./engine/inngest-executor";
import { createTestAgent, type TestAgent } from "./fixtures/agent";
import { buildSubmission } from "./fixtures/outcome";
import { handleRequest, listen } from "./http/listen";

export interface Call {
  key?: string;
  headers?: Record<string, string>;
  /** Sent as JSON; a string is sent as the raw body. */
  body?: unknown;
}

export interface CallResult {
  status: number;
  headers: Headers;
  text: string;
  // Tests read responses of every shape, and their assertions check it.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
}

export interface TestService {
  runtime: Runtime;
  database: TestDatabase;
  chain: LocalChain;
  /** Runs the functions if the run's transport is `http`; null if the service does. */
  executor: InngestExecutor | null;
  /** URL of the REST API, ending in `/api/v1`. */
  base: string;
  /** URL of the procedures over tRPC. */
  trpc: string;
  /** Calls the REST API over HTTP; `path` is relative to `/api/v1`. */
  call(method: string, path: string, call?: Call): Promise<CallResult>;
  /** Creates a registered agent, with an unverified wallet by default. */
  agent(options?: { proven?: boolean }): Promise<TestAgent>;
  /** Submits work of `contractor` that the built-in judge passes, with `changes`; returns the id. */
  submit(contractor: TestAgent, changes?: object): Promise<string>;
  /** Resolves to the outcome once it is resolved, as its reader may see it. */
  waitForResolved(outcomeId: string, key?: string): Promise<PartyOutcome>;
  close(): Promise<void>;
}

interface Options {
  /** A running service whose database and chain are shared: another instance of it. */
  sharedWith?: TestService;
  /** Returns the URL at which the service reaches the chain's node; the node's own by default. */
  getNodeUrl?: (chain: LocalChain) => Promise<string>;
  /** Returns the URL at which the service reaches its database; the database's own by default. */
  getDatabaseUrl?: (database: TestDatabase) => Promise<string>;
  env?: Record<string, string>;
  /** Log file; stderr by default. */
  logFile?: string;
  /** Runs the stages of the startup; silently by default. */
  stage?: Stage;
}

/** Starts a whole service, as `server.ts` runs it, over a new database and its own chain. */
export async function startTestService({
  sharedWith,
  getNodeUrl,
  getDatabaseUrl,
  env = {},
  logFile,
  stage,
}: Options = {}): Promise<TestService> {
  const [database, chain] = sharedWith
    ? [sharedWith.database, sharedWith.chain]
    : await Promise.all([createTestDatabase(), startAnvil()]);
  const executor = sharedWith ? sharedWith.executor : await startExecutor(database.url);
  let handle: RequestListener = (_req, res) => void res.writeHead(503).end();
  // With the process's own limits: Node's server closes idle connections after five seconds, and a test
  // that computes for longer would send its next request into one.
  const server = createHttpServer((req, res) => handle(req, res));
  const { url: origin, close } = await listen(server);
  const base = `${origin}/api/v1`;
  const runtime = await openRuntime(
    parseEnv({
      LOG_LEVEL: "silent",
      PUBLIC_READS_PER_MINUTE: "1000000",
      ...(executor ? { ...executor.env, INNGEST_SERVE_ORIGIN: origin } : {}),
      ...env,
    }),
    {
      databaseUrl: getDatabaseUrl ? await getDatabaseUrl(database) : database.url,
      chain: {
        ...chain,
        identityAddress: env.ERC8004_IDENTITY_ADDRESS ?? chain.identityAddress,
        rpcUrl: getNodeUrl ? await getNodeUrl(chain) : chain.rpcUrl,
        confirmations: 1,
      },
      secretKey: env.SECRET_KEY ?? "0".repeat(64),
      local: { database: false, chain: true },
      logFile,
      describe: { database: "a test database", chain: "a test chain" },
      stop: async () => {},
    },
  );
  const { rest, mcp, trpc, inngest } = runtime;
  handle = (req, res) => {
    if (isMcpPath(req.url ?? "")) void mcp.serve(req, res);
    else if (isTrpcPath(req.url ?? "")) void trpc.serve(req, res);
    else if (inngest && !isRestPath(req.url)) void handleRequest(inngest, req, res);
    else void serveRest(rest, req, res);
  };
  await runtime.startWork(stage);
  await executor?.sync(`${origin}/api/inngest`);

  const call: TestService["call"] = async (method, path, { key, headers, body } = {}) => {
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(key === undefined ? {} : { "X-API-Key": key }),
        ...headers,
      },
      body: typeof body === "string" || body === undefined ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const { status } = response;
    return { status, headers: response.headers, text, body: text === "" ? null : JSON.parse(text) };
  };

  return {
    runtime,
    database,
    chain,
    executor,
    base,
    trpc: `${origin}/api/trpc`,
    call,
    agent: ({ proven = false } = {}) => createTestAgent(database, { isVerified: proven }),
    async submit(contractor, changes = {}) {
      const { status, body } = await call("POST", "/outcome", {
        key: contractor.apiKey,
        body: { ...buildSubmission(contractor.wallet), ...changes },
      });
      if (status !== 202) throw new Error(`the submission was refused: ${JSON.stringify(body)}`);
      return body.outcomeId;
    },
    waitForResolved: (outcomeId, key) =>
      waitFor(async () => {
        const { body } = await call("GET", `/outcome/${outcomeId}`, key ? { key } : {});
        return body.status === "RESOLVED" && (body as PartyOutcome);
      }),
    async close() {
      if (!sharedWith) await executor?.close();
      await close();
      await runtime.stop();
      if (sharedWith) return;
      await chain.stop();
      await database.close();
    },
  };
}

/** Returns null if the service runs its functions itself. */
async function startExecutor(databaseUrl: string): Promise<InngestExecutor | null> {
  if (inject("transport") === "embedded") return null;
  return startInngestExecutor({ databaseUrl, log: pino({ level: "silent" }) });
}
