import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { type Chain, openChain } from "@/server/chain/client";
import { waitForNode } from "@/server/chain/node-transport";
import { isContractRefusal } from "@/server/chain/score-gate";
import { createSender } from "@/server/chain/transactions/sender";
import { openDatabase } from "@/server/db/client";
import { migrateDatabase } from "@/server/db/migrate";
import { type Engine, openEngine } from "@/server/engine/engine";
import { describeJudge, getJudgeHealth } from "@/server/judging/availability";
import { checkSandbox } from "@/server/judging/checks/code/sandbox/execute-code";
import { JudgeUnavailable } from "@/server/judging/judge";
import { createRequirementDecider } from "@/server/judging/requirements/decide-requirements";
import type { Context, Core } from "@/server/lib/context";
import { type Env, getPublicUrl } from "@/server/lib/env";
import { StartupError } from "@/server/lib/errors";
import { cacheLoads } from "@/server/lib/process/cache-loads";
import { type EventLoopWatch, watchEventLoop } from "@/server/lib/process/event-loop";
import { watchFileDescriptors } from "@/server/lib/process/file-descriptors";
import { createLog } from "@/server/lib/process/log";
import { LogOutput } from "@/server/lib/process/log-output";
import { isNodeLimit } from "@/server/lib/unavailable";
import { createMcpTransport, type McpTransport } from "@/server/mcp/mcp-transport";
import { createMetrics, type Metrics, type MetricsResponse } from "@/server/operations/metrics";
import { readStatusDays, type StatusDay } from "@/server/operations/status-days";
import { countDelayed, countUnjudged } from "@/server/outcomes/pending-outcomes";
import { createReputationCache, type Reputations } from "@/server/reputation/cache";
import { createReputationHandler } from "@/server/reputation/router";
import { createStatements } from "@/server/reputation/statement/issue-statement";
import { Rest } from "@/server/rest/rest";
import { limitBodySize } from "@/server/rest/transports/inngest-transport";
import { createTrpcTransport, type TrpcTransport } from "@/server/rest/transports/trpc-transport";
import { settleStalled } from "@/server/settlement/settle-stalled";
import { isAuthorizedRecorder } from "@/server/settlement/sign-pending";
import { webhookPayloads } from "@/server/webhooks/schema";
import { type Api, createApi, createCaller } from "./api";
import { createPublish, type Dependencies, FUNCTIONS } from "./functions";
import { createHealthCheck, findDownParts, type Health } from "./health";
import { type ServiceParts, type Stage, stopAll } from "./parts";
import { isRegistryCode } from "./registry-code";
import { createServiceIo, selectJudge, warnAboutSingleModel } from "./select-judge";

/** A running service: its transports, its state, its shutdown. */
export interface Runtime {
  core: Core;
  rest: Rest;
  trpc: TrpcTransport;
  mcp: McpTransport;
  /** Creates a caller of the procedures for a given request. */
  call: (caller: Pick<Context, "request" | "reply">) => ReturnType<ReturnType<typeof createCaller>>;
  /** Handles an Inngest server's calls; null while the engine is embedded. */
  inngest: ((request: Request) => Promise<Response>) | null;
  health(): Promise<Health>;
  /** Returns which parts were down on each of the last 90 days. */
  statusDays(): Promise<StatusDay[]>;
  /** Returns the metrics for Prometheus, given the `Authorization` header of its request. */
  metrics(authorization: string | undefined): Promise<MetricsResponse>;
  /** Public URL of the service, without a trailing slash. */
  url: string;
  /** One phrase for each part, for the operator. */
  describe: { judge: string; chain: string; engine: string; database: string };
  /**
   * Starts the background work and resumes the unfinished work of earlier runs. Call it once
   * requests are served, since resuming may take long.
   */
  startWork(stage?: Stage): Promise<void>;
  /**
   * Begins the shutdown: health reports `stopping`, so that proxies route elsewhere, and the engine
   * takes no more work. Requests are still served. Resolves when the current runs have ended, or
   * after `graceMs` (or the default time), which leaves them to other processes.
   */
  stopWork(graceMs?: number): Promise<void>;
  /** Stops everything that was started, newest first, and finishes current work. */
  stop(): Promise<void>;
}

/** Cache time of the public health check, which queries the database and the node. */
const HEALTH_CACHE_MS = 1_000;

const LOG_FLUSH_TIMEOUT_MS = 1_000;

const runSilently: Stage = (_name, work) => work();

/**
 * Opens the service: migrates the schema and creates the functions and transports. It can serve
 * requests but does no background work before `startWork`. It takes ownership of `parts`: `stop`, or
 * a failure to open, stops them too.
 */
export async function openRuntime(
  configured: Env,
  parts: ServiceParts,
  stage: Stage = runSilently,
): Promise<Runtime> {
  const stops: Stops = [parts.stop];
  try {
    return await open(configured, parts, stops, stage);
  } catch (error) {
    await stopAll(stops);
    throw error;
  }
}

type Stops = (() => Promise<void>)[];

/** Opens the service, and adds to `stops` what ends each part. */
async function open(
  configured: Env,
  parts: ServiceParts,
  stops: Stops,
  stage: Stage,
): Promise<Runtime> {
  const { core, engine, output } = await openCore(configured, parts, stops, stage);
  const { env, db, log, chain } = core;
  const { databaseUrl } = parts;
  const sender = createSender({ db, chain, log });
  const eventLoop = watchProcess(log, stops);
  const token = env.METRICS_TOKEN;
  const metrics = createMetrics({ db, chain, log, output, token, eventLoop });
  const io = createServiceIo(core);
  const selected = selectJudge(core, { io, countFault: metrics.countCheckFault });
  warnAboutSingleModel(core, selected);
  const judge = metrics.instrumentJudge(selected);
  const decideRequirements = createRequirementDecider(io);
  const reputations = createReputationCache({ db, url: databaseUrl, log });
  stops.push(() => reputations.close());
  const healthCheck = createHealthCheck({
    core,
    databaseUrl,
    engine: async () => ({
      ...(await engine.status()),
      delayedOutcomes: await countDelayed(db, new Date()),
    }),
    judge: () => getJudgeHealth(core, judge, () => countUnjudged(db)),
    work: metrics.countStalledWork,
    log: output,
    eventLoop,
  });
  stops.push(healthCheck.close);
  const cacheHealth = cacheLoads<Health>({ ttlMs: HEALTH_CACHE_MS, max: 1 });
  const checkHealth = () => cacheHealth("health", healthCheck.check);
  const findDown = async () => findDownParts(await checkHealth());
  const statements = createStatements({ db, log, chain, ttlMs: env.STATEMENT_TTL });
  const api = createApi({ reputations, statements, judge, decideRequirements });
  const onResponse = metrics.observeResponse;
  const transports = openTransports(core, api, { reputations, onResponse }, stops);
  const dependencies = { core, judge, decideRequirements, sender, findDown };
  let isStopping = false;
  return {
    core,
    ...transports,
    inngest: engine.handle && limitBodySize(engine.handle),
    metrics: metrics.serve,
    health: async () => {
      const state = await checkHealth();
      return isStopping ? { ...state, status: "stopping" } : state;
    },
    statusDays: () => readStatusDays(db, new Date()),
    url: getPublicUrl(env),
    describe: {
      ...parts.describe,
      judge: `${judge.models.join(" and ") || judge.id}: ${describeJudge(judge).note}`,
      engine: engine.description,
    },
    startWork: (stage = runSilently) => startWork(dependencies, engine, parts, stops, stage),
    stopWork(graceMs) {
      isStopping = true;
      return engine.stopWork(graceMs);
    },
    stop: () => stopAll(stops),
  };
}

type OpenCore = Core & { chain: Chain };

/** Opens log, database, chain and engine. */
async function openCore(configured: Env, parts: ServiceParts, stops: Stops, stage: Stage) {
  const output = new LogOutput(parts.logFile ?? process.stderr.fd);
  const log = createLog(configured, output);
  // At the end, after the parts of local mode: the service must not lose its last lines.
  stops.unshift(() => flushLog(output));
  await stage(
    "Schema",
    () => migrate(parts, log),
    () => "up to date",
  );
  const env: Env = {
    ...configured,
    SECRET_KEY: parts.secretKey,
    // Strangers reach a service on a real chain, wherever its database is.
    OUTBOUND_ALLOW_LOOPBACK: configured.OUTBOUND_ALLOW_LOOPBACK ?? parts.local.chain,
  };
  const { databaseUrl } = parts;
  const { db, close } = openDatabase(databaseUrl, env.DATABASE_POOL);
  stops.push(close);
  const chain = await waitForNode(
    async () => {
      const opened = await openChain({ ...parts.chain, isLocal: parts.local.chain });
      if (!parts.local.chain) await checkAccounts(opened, log);
      return opened;
    },
    () => parts.notify?.("The start waits: the node limits requests."),
  );
  const engine = openEngine({ env, databaseUrl, log, functions: FUNCTIONS });
  const core: OpenCore = { env, db, log, chain, publish: createPublish(engine.publish) };
  return { core, engine, output };
}

/** Watches the process's event loop and file descriptors. */
function watchProcess(log: Logger, stops: Stops): EventLoopWatch {
  const eventLoop = watchEventLoop();
  stops.push(async () => eventLoop.stop());
  const endWatch = watchFileDescriptors((areExhausted) => {
    if (!areExhausted) log.warn("there are file descriptors again");
    else {
      log.error("out of file descriptors: connections are closed; raise the limit (ulimit -n)");
    }
  });
  stops.push(async () => endWatch());
  return eventLoop;
}

/** Opens every way to call the procedures. */
function openTransports(
  core: Core,
  api: Api,
  { reputations, onResponse }: { reputations: Reputations; onResponse: Metrics["observeResponse"] },
  stops: Stops,
): Pick<Runtime, "rest" | "trpc" | "mcp" | "call"> {
  const rest = new Rest({
    router: api,
    core,
    webhooks: webhookPayloads,
    onResponse,
    reads: { getReputation: createReputationHandler(reputations) },
  });
  const mcp = createMcpTransport({ rest, router: api, core });
  stops.push(() => mcp.close());
  const caller = createCaller(api);
  return {
    rest,
    trpc: createTrpcTransport({ router: api, core }),
    mcp,
    call: (request) => caller({ ...core, ...request }),
  };
}

/** Starts the background work, and resumes that of earlier runs. */
async function startWork(
  dependencies: Dependencies,
  engine: Engine<Dependencies>,
  { onChainRestart }: ServiceParts,
  stops: Stops,
  stage: Stage,
): Promise<void> {
  const { core, judge, sender } = dependencies;
  const { log } = core;
  const sandboxError = checkSandbox();
  await stage(
    "Engine",
    async () => {
      // Transactions signed before a crash are sent again before anything new is signed.
      await sender.resendOpen();
      onChainRestart?.(() => sender.resendOpen());
      await engine.start(dependencies);
      stops.push(() => engine.stop());
    },
    () => engine.description,
  );
  const error = await stage(
    "Sandbox",
    () => sandboxError,
    (error) => (error ? "CANNOT START: delivered code is not executed" : "ready"),
  );
  if (error) log.error({ error }, "the sandbox cannot start: delivered code is not executed");
  // Shows a mistyped model or address before the first outcome waits.
  const probed = Promise.all(judge.models.map((model) => judge.probe(model))).catch(
    (error: unknown) => {
      if (!(error instanceof JudgeUnavailable)) log.warn({ err: error }, "could not probe a model");
    },
  );
  // Settles outcomes that a crash left between signing and settling, without waiting for the sweep.
  const resumed = settleStalled(core, sender, new Date(), 0).catch((error: unknown) =>
    log.warn({ err: error }, "could not settle the records of an earlier run yet"),
  );
  stops.push(() =>
    Promise.race([Promise.all([resumed, probed]), pause(5_000, undefined, { ref: false })]).then(
      () => {},
    ),
  );
}

/**
 * Migrates the schema. This is the first use of the database, so it reports a `DATABASE_URL` that
 * does not work.
 */
async function migrate({ databaseUrl, local, notify }: ServiceParts, log: Logger): Promise<void> {
  try {
    await migrateDatabase(databaseUrl, { log, notify });
  } catch (error) {
    if (local.database || error instanceof StartupError) throw error;
    throw new StartupError(
      `The database of DATABASE_URL cannot be used: ${findRootCause(error)}. Fix the database or the variable.`,
      { cause: error },
    );
  }
}

/**
 * Returns the message of the innermost error; the outer ones repeat the statement.
 */
function findRootCause(error: unknown): string {
  if (error instanceof AggregateError) return findRootCause(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.cause ? findRootCause(error.cause) : error.message.replace(/\.$/, "");
}

/** Waits for the log's last lines, but not for a reader that is not reading. */
async function flushLog(output: LogOutput): Promise<void> {
  const flushed = new Promise<void>((done) => output.flush(done));
  await Promise.race([flushed, pause(LOG_FLUSH_TIMEOUT_MS, undefined, { ref: false })]);
}

/** An account with this code has delegated its calls (EIP-7702), and its key still signs. */
const DELEGATION = "0xef0100";

/**
 * Throws `StartupError` if the service could not record verdicts or return stakes: the recorder key
 * has no role, the registry is of another version, there is no USDC, or the stake account is a
 * contract, whose key cannot send anything (EIP-3607). An unreachable node does not prevent the start,
 * as in `openChain`.
 */
async function checkAccounts(chain: Chain, log: Logger): Promise<void> {
  const { client, id, recorder, registryAddress, stakeAddress, usdcAddress } = chain;
  try {
    const [isRecorder, registryCode, usdcCode, stakeCode] = await Promise.all([
      isAuthorizedRecorder(chain).catch((error) => {
        if (isContractRefusal(error)) return false;
        throw error;
      }),
      client.getCode({ address: registryAddress }),
      client.getCode({ address: usdcAddress }),
      client.getCode({ address: stakeAddress }),
    ]);
    if (!isRecorder) {
      throw new StartupError(
        `The registry ${registryAddress} does not let the address of RECORDER_KEY, ${recorder.address}, record: its owner must call setRecorder, or fix the variable.`,
      );
    }
    if (!isRegistryCode(registryCode)) {
      throw new StartupError(
        `The registry ${registryAddress} is of another version: deploy one for this version (npm run ops -- deploy), set REGISTRY_ADDRESS and SCORE_GATE_ADDRESS, and empty the database of DATABASE_URL.`,
      );
    }
    if (!usdcCode) {
      throw new StartupError(
        `Chain ${id} has no contract at USDC_ADDRESS ${usdcAddress}, so no stake could be returned: fix the variable.`,
      );
    }
    if (stakeCode && !stakeCode.startsWith(DELEGATION)) {
      throw new StartupError(
        `The address of STAKE_KEY, ${stakeAddress}, is a contract, so its key could not return stakes: use the key of an account without code.`,
      );
    }
  } catch (error) {
    if (error instanceof StartupError || isNodeLimit(error)) throw error;
    log.warn({ err: error }, "could not check the recorder and the stake account: no response");
  }
}
