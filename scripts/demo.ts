// Uses the running service through its public API as agents do: registers a few agents, pays for
// tasks, signs agreements, submits good and bad deliverables, disputes verdicts, refunds a payment, and
// verifies everything at the end. With --history it simulates half a year instead, to fill the pages.
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { components, StandingClient } from "@standing/sdk";
import { BaseError } from "viem";
import { parseEnv } from "@/server/lib/env";
import { StartupError } from "@/server/lib/errors";
import { MINUTE_MS } from "@/server/lib/time";
import {
  type DemoAgent,
  type DemoAgents,
  describeCallError,
  openService,
  poll,
  registerAll,
} from "./demo/agents";
import { finishAgreedJob, type SignedJob, signAgreedJobs } from "./demo/agreed-jobs";
import { runEscrowJobs } from "./demo/escrow-jobs";
import type { PlannedDispute, Role } from "./demo/history/planned-events";
import { simulateHistory } from "./demo/history/simulate";
import {
  printVerdict,
  readReputation,
  refund,
  type SubmittedOutcome,
  submit,
  waitUntilResolved,
} from "./demo/outcomes";
import { AGENTS, type AgentName, type DemoTask, TASKS } from "./demo/tasks";
import { type Network, openTestUsdc, type TestUsdc } from "./demo/test-usdc";
import { CommandError } from "./lib/command-error.mjs";
import { parseCommandLine } from "./lib/command-line";
import { loadDotEnv } from "./lib/dot-env.mjs";
import { findServiceUrl } from "./lib/service-url";

const USAGE = `Usage: npm run demo -- [--url BASE]
       npm run demo -- --history [--seed N]
Runs a few agents against the service at BASE (default: the running one). --history creates a simulated
half-year of some seventy agents instead: only on the running service, in local mode and with an empty data folder.
Everything simulated is marked as such.`;

/** USDC that each agent receives for tasks and stakes. */
const FUNDED_USDC = 200;

/** Description and path of a page. */
type Page = [label: string, path: string];

/** Runs the command and resolves to the exit code. */
async function main(args: string[]): Promise<number> {
  const { base, history, seed } = parseArguments(args);
  return history ? runHistory(seed) : runAgents(base);
}

/** Runs agents against the running service. */
async function runAgents(base: string): Promise<number> {
  const service = openService(base);
  const { visitor } = service;
  const network = await visitor.get("/network");
  const usdc = openTestUsdc(network);

  console.log(`\nRegistering ${Object.keys(AGENTS).length} agents, each with a verified wallet`);
  const agents = await registerAll(service);
  console.log("\nSigning the terms of three jobs before the work, by both parties' wallets");
  const signedJobs = await signAgreedJobs(agents, usdc);
  const payments = usdc ? await payTasks(usdc, agents) : new Map<DemoTask, string>();

  console.log(`\nSubmitting ${TASKS.length} outcomes`);
  const submitted = await Promise.all(
    TASKS.map(async (task): Promise<Submitted> => {
      const parties = {
        contractor: agents[task.contractor],
        requester: agents[task.requester],
      };
      const outcomeId = await submit(parties, task, payments.get(task));
      return { task, outcome: { ...parties, outcomeId } };
    }),
  );

  console.log(`\nVerdicts, as they are recorded on chain${usdc ? ", and disputes" : ""}\n`);
  const context = usdc && { visitor, usdc, network };
  const disputeIds = await followUp(context, { visitor, agents, submitted, signedJobs });

  if (context && network.erc8004) {
    console.log("\nTwo agreed jobs whose price an ERC-8183 escrow holds until the verdict\n");
    await runEscrowJobs(context, agents);
  }
  const code = usdc ? await verify(base) : printOmissions(network);
  printResults(base, { agents, submitted, disputeIds });
  return code;
}

interface Submitted {
  task: DemoTask;
  outcome: SubmittedOutcome;
}

interface Work {
  visitor: StandingClient;
  agents: DemoAgents;
  submitted: Submitted[];
  signedJobs: SignedJob[];
}

/**
 * Prints the verdicts, the first one first, and disputes and refunds what is planned where there is test USDC.
 * Returns the ids of the disputes.
 */
async function followUp(
  context: Context | null,
  { visitor, agents, submitted, signedJobs }: Work,
): Promise<string[]> {
  const [first, ...others] = submitted;
  const print = ({ task, outcome }: Submitted) =>
    printVerdict(visitor, agents, task, outcome.outcomeId);
  const printed = first && print(first);
  // Concurrently, since a dispute without a response waits until its window ends.
  const [disputeIds] = await Promise.all([
    Promise.all(
      submitted.map(({ task, outcome }) =>
        context && task.dispute ? dispute(context, { ...task.dispute, ...outcome }) : null,
      ),
    ),
    ...others.map(async (one) => {
      await printed;
      await print(one);
    }),
    ...submitted.map(
      ({ task, outcome }) => context && task.refunded && refund(context.usdc, outcome),
    ),
    ...signedJobs.map(async (job) => {
      await printed;
      await finishAgreedJob(visitor, job);
    }),
  ]);
  return disputeIds.filter((id) => id !== null);
}

function printResults(
  base: string,
  { agents, submitted, disputeIds }: Pick<Work, "agents" | "submitted"> & { disputeIds: string[] },
): void {
  const find = (isShown: (task: DemoTask) => boolean) =>
    submitted.find(({ task }) => isShown(task))?.outcome.outcomeId;
  const paid = disputeIds.length > 0 && find(({ paid, refunded }) => Boolean(paid && !refunded));
  const names: AgentName[] = ["quill", "patchwork", "ledgerly"];
  printPages(base, [
    ["Leaderboard", "/leaderboard"],
    ...names.map((name): Page => [AGENTS[name].name, `/agents/${agents[name].wallet}`]),
    ["A success", `/outcomes/${submitted[0]?.outcome.outcomeId}`],
    ...(paid ? [["A paid task", `/outcomes/${paid}`] as Page] : []),
    ...disputeIds.map((id): Page => ["A dispute", `/disputes/${id}`]),
  ]);
}

/** Funds the agents and pays for the paid tasks on chain. Returns the transactions by task. */
async function payTasks(usdc: TestUsdc, agents: DemoAgents): Promise<Map<DemoTask, string>> {
  console.log("\nGiving each agent test USDC, and paying for tasks");
  for (const agent of Object.values(agents)) await usdc.fund(agent, FUNDED_USDC);
  const payments = new Map<DemoTask, string>();
  for (const task of TASKS.filter(({ paid }) => paid)) {
    const [from, to] = [agents[task.requester], agents[task.contractor]];
    const { transactionHash } = await usdc.pay(from, to.wallet, task.valueUsdc);
    payments.set(task, transactionHash);
    console.log(
      `  ${from.name} pays ${to.name} ${task.valueUsdc} USDC: transaction ${transactionHash}`,
    );
  }
  return payments;
}

/** Runs `npm run verify`, which checks everything the service returns against the chain. */
async function verify(base: string): Promise<number> {
  console.log("Checking every score and verdict against the chain (npm run verify)\n");
  const args = ["--import", "tsx", "scripts/verify.ts", "--url", base];
  const [code] = await once(spawn(process.execPath, args, { stdio: "inherit" }), "exit");
  return code ?? 2;
}

function printOmissions({ chainName }: Network): number {
  console.log(
    `Skipped payments and disputes, which need real USDC, and the final check, because this service records on ${chainName} and not on a local chain. Run npm run verify with your own node.`,
  );
  return 0;
}

function printPages(base: string, pages: Page[]): void {
  console.log("\nPages:");
  for (const [label, path] of pages) console.log(`  ${label.padEnd(13)} ${base}${path}`);
  console.log();
}

/** Simulates a half-year on the running service, and verifies it. */
async function runHistory(seed: number): Promise<number> {
  loadDotEnv();
  const plan = await simulateHistory(parseEnv(), seed);
  const base = findServiceUrl();
  const code = await verify(base);
  const findByRole = (role: Role) => plan.agents.find((agent) => agent.role === role);
  const shown: [string, Role][] = [
    ["The best", "steady"],
    ["An exit scam", "scam"],
    ["In a ring", "ring"],
    ["One client", "single-client"],
    ["Overturned", "overturned"],
    ["Unverified", "unverified"],
    ["An inactive one", "quiet"],
    ["A new one", "fresh"],
  ];
  const disputes = plan.events.filter(({ type }) => type === "dispute") as PlannedDispute[];
  printPages(base, [
    ["Leaderboard", "/leaderboard"],
    ...shown.map(([label, role]): Page => [label, `/agents/${findByRole(role)?.wallet}`]),
    ["Anchors", "/anchors"],
    ...disputes.slice(-2).map(({ id }): Page => ["A dispute", `/disputes/${id}`]),
  ]);
  return code;
}

function parseArguments(args: string[]) {
  const { url, history, seed } = parseCommandLine(args, USAGE, {
    options: {
      url: { type: "string" },
      seed: { type: "string", default: "1" },
      history: { type: "boolean", default: false },
    },
  }).values;
  const base = url ?? findServiceUrl();
  const isUrl = URL.canParse(base) && /^https?:/i.test(base);
  if (!isUrl || (history && url) || !/^\d{1,9}$/.test(seed)) throw new CommandError(USAGE);
  return { history, base: base.replace(/\/+$/, ""), seed: Number(seed) };
}

function describeError(error: unknown): string | null {
  if (error instanceof CommandError || error instanceof StartupError) return error.message;
  if (error instanceof BaseError) return `The chain: ${error.shortMessage}`;
  return describeCallError(error);
}

/** Time for the review, on top of the response window. */
const REVIEW_TIMEOUT_MS = 2 * MINUTE_MS;
/** The longest response window that the demo waits for; operators may configure hours. */
const MAX_WINDOW_MS = 2 * MINUTE_MS;

interface Context {
  visitor: StandingClient;
  usdc: TestUsdc;
  network: Network;
}

type DisputedOutcome = NonNullable<DemoTask["dispute"]> & SubmittedOutcome;

/**
 * Opens a dispute once the outcome is resolved, responds to it if planned, and waits until it is
 * resolved. Returns the dispute's id, or null if the judge already favors the party that would
 * dispute the verdict.
 */
async function dispute({ visitor, usdc, network }: Context, disputed: DisputedOutcome) {
  const { contractor, requester, outcomeId, openedBy, reason, answer } = disputed;
  const [opener, other] =
    openedBy === "contractor" ? [contractor, requester] : [requester, contractor];
  const { verdict } = await waitUntilResolved(visitor, outcomeId);
  if (openedBy !== (verdict === "SUCCESS" ? "requester" : "contractor")) {
    console.log(`  No dispute: ${verdict} favors ${opener.name}.\n`);
    return null;
  }
  const payStake = async (party: DemoAgent) =>
    (await usdc.pay(party, network.stakeAddress, Number(network.stakeUsdc))).transactionHash;
  const { disputeId, expiresAt, stakeUsdc } = await opener.client.post("/disputes", {
    body: { outcomeId, reason, stakePaymentTxHash: await payStake(opener) },
  });
  const disputedWork = openedBy === "contractor" ? "its own work" : `${contractor.name}'s work`;
  const opened = `  Dispute  ${opener.name} staked ${stakeUsdc} USDC against ${verdict} for ${disputedWork}.`;

  const leftMs = Date.parse(expiresAt) - Date.now();
  if (answer === null) {
    const isLong = leftMs > MAX_WINDOW_MS;
    console.log(`${opened}
           ${other.name} will not respond. The review begins in ${Math.round(leftMs / 1_000)} s${isLong ? ", too long for the demo to wait" : ""}.\n`);
    if (isLong) return disputeId;
  } else {
    await other.client.post("/disputes/{disputeId}/stake", {
      params: { path: { disputeId } },
      body: { stakePaymentTxHash: await payStake(other), statement: answer },
    });
    console.log(`${opened}
           ${other.name} staked the same amount and responded: the review begins now.\n`);
  }
  const ended = await poll(
    () => visitor.get("/disputes/{disputeId}", { params: { path: { disputeId } } }),
    ({ status, stakes }) =>
      status === "RESOLVED" &&
      !stakes.some(({ stakeReturnStatus }) => ["waiting", "sent"].includes(stakeReturnStatus)),
    leftMs + REVIEW_TIMEOUT_MS,
  );
  printDispute(ended, disputed, await readReputation(visitor, contractor.wallet));
  return disputeId;
}

function printDispute(
  dispute: components["schemas"]["Dispute"],
  { contractor, requester }: DisputedOutcome,
  reputation: components["schemas"]["Reputation"],
) {
  const parties = dispute.statements.length === 2 ? "both parties responded" : "no response";
  console.log(`  ${dispute.verdict} (${parties}): recorded ${dispute.recordedVerdict}, final ${dispute.finalVerdict}; ${contractor.name} has score ${reputation.score.toFixed(2)} ${reputation.tier}
           ${dispute.reason}
           transaction ${dispute.onChainTx}, log ${dispute.recordIndex}`);
  for (const { party, state, amountUsdc, stakeReturnTx } of dispute.stakes) {
    const { name } = party === "contractor" ? contractor : requester;
    if (state === "none") continue;
    const transaction = stakeReturnTx ? `, transaction ${stakeReturnTx}` : "";
    console.log(
      `           ${name}'s stake of ${amountUsdc?.toFixed(2)} USDC is ${state}${transaction}`,
    );
  }
  console.log();
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const message = describeError(error);
  console.error(message ? `\n${message}` : error);
  // Ends concurrent work that is still running.
  process.exit(1);
}
