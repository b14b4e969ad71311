import { agreements, type StandingClient } from "@standing/sdk";
import { type Hex, keccak256, parseEventLogs, stringToBytes } from "viem";
import escrow from "@/contracts/testing/AgenticCommerce.json";
import identityRegistry from "@/contracts/testing/IdentityRegistry.json";
import { DAY_MS, HOUR_MS } from "@/server/lib/time";
import { formatUsdc, fromMicro } from "@/server/lib/usdc";
import { type DemoAgent, type DemoAgents, poll } from "./agents";
import { signTerms } from "./agreed-jobs";
import type { Network, TestUsdc } from "./test-usdc";

const TITLE = "Notice of Sunday's maintenance";
const TASK = "Write a notice of Sunday's maintenance for our status page in at most 20 words.";
const VALUE_USDC = 20;
/** The first one keeps the agreed limit, the second one does not. */
const DELIVERABLES = [
  "On Sunday from 08:00 to 09:00 UTC we replace a database. Pages stay readable.",
  "On Sunday from 08:00 to 09:00 UTC we are going to replace one of our two databases, and all of the pages stay readable.",
];

/** The chain, the service and the two agents of both jobs. */
interface Parties {
  usdc: TestUsdc;
  network: Network;
  visitor: StandingClient;
  contractor: DemoAgent;
  requester: DemoAgent;
}

/**
 * Registers an agent's identity by ERC-8004 and links it; then has an ERC-8183 escrow hold the price
 * of two agreed jobs: the verdict pays the first to the contractor, and the second back to its
 * client, who also gives feedback in the ERC-8004 registry.
 */
export async function runEscrowJobs(
  context: Omit<Parties, "contractor" | "requester">,
  agents: DemoAgents,
): Promise<void> {
  const parties = { ...context, contractor: agents.nightshift, requester: agents.clause };
  await linkIdentity(parties);
  for (const deliverable of DELIVERABLES) await runJob(parties, deliverable);
}

async function linkIdentity({ usdc, network, contractor }: Parties): Promise<void> {
  const { abi } = identityRegistry;
  const call = { abi, functionName: "register", args: [] };
  const registry = network.erc8004?.identityAddress ?? "";
  const { logs } = await usdc.call(contractor, registry, call);
  const [registered] = parseEventLogs({ abi, eventName: "Registered", logs }) as unknown as {
    args: { agentId: bigint };
  }[];
  const erc8004AgentId = String(registered?.args.agentId);
  await contractor.client.patch("/agents/me", { body: { erc8004AgentId } });
  console.log(`  ${contractor.name} is agent ${erc8004AgentId} of the ERC-8004 registry`);
}

async function runJob(parties: Parties, deliverable: string): Promise<void> {
  const { usdc, visitor, contractor, requester } = parties;
  const { agreementId } = await signTerms(parties, {
    category: "ops",
    title: TITLE,
    task: TASK,
    valueUsdc: VALUE_USDC,
    requirements: [{ check: "word-count", max: 20 }],
    payment: "escrow",
    deliverBy: new Date(Date.now() + HOUR_MS).toISOString(),
  });
  const before = await readBalances(parties);
  const jobId = await fundJob(parties, agreementId);
  const submission = [jobId, keccak256(stringToBytes(deliverable)), "0x"];
  const { escrows } = await visitor.get("/evaluator");
  await usdc.call(contractor, escrows[0] ?? "", {
    abi: escrow.abi,
    functionName: "submit",
    args: submission,
  });
  const outcome = await agreements.deliver(contractor.client, agreementId, {
    title: TITLE,
    deliverableContent: deliverable,
  });
  const { jobs } = await poll(
    () => visitor.get("/outcome/{outcomeId}/escrow", { params: { path: outcome } }),
    ({ jobs: [job] }) => job?.status === "completed" || job?.status === "rejected",
    60_000,
  );
  const after = await readBalances(parties);
  const call = await visitor.get("/outcome/{outcomeId}/erc8004", { params: { path: outcome } });
  const { transactionHash } = await usdc.send(requester, call.to, call.data as Hex);
  const lines = [
    outcome.llmJudgeReasoning,
    `escrow job ${jobId} ${jobs[0]?.status}, transaction ${jobs[0]?.decisionTx}`,
    `${contractor.name} ${formatChange(after.contractor - before.contractor)} USDC, ${requester.name} ${formatChange(after.requester - before.requester)} USDC`,
    `feedback in the ERC-8004 registry: transaction ${transactionHash}`,
  ];
  console.log(`  ${outcome.verdict}\n${lines.map((line) => `           ${line}`).join("\n")}\n`);
}

/** Creates and funds the job as the service quotes it. Returns its number. */
async function fundJob({ usdc, visitor, requester }: Parties, agreementId: string) {
  const { escrows } = await visitor.get("/evaluator");
  const address = escrows[0] ?? "";
  const { job, reason } = await requester.client.post("/evaluator/quote", {
    body: {
      agreementId,
      escrow: address,
      expiresAt: new Date(Date.now() + 3 * DAY_MS).toISOString(),
    },
  });
  if (!job) throw new Error(`the evaluator declined: ${reason}`);
  const { abi } = escrow;
  const budget = BigInt(job.budgetMicro);
  const callEscrow = (functionName: string, args: unknown[]) =>
    usdc.call(requester, address, { abi, functionName, args });
  const { logs } = await callEscrow("createJob", [
    job.provider,
    job.evaluator,
    BigInt(job.expiredAt),
    job.description,
    job.hook,
    0n,
  ]);
  const [created] = parseEventLogs({ abi, eventName: "JobCreated", logs }) as unknown as {
    args: { jobId: bigint };
  }[];
  const jobId = created?.args.jobId ?? 0n;
  await callEscrow("setBudget", [jobId, job.paymentToken, budget, "0x"]);
  await usdc.approve(requester, address, budget);
  await callEscrow("fund", [jobId, budget, "0x"]);
  return jobId;
}

async function readBalances({ usdc, contractor, requester }: Parties) {
  const [own, other] = await Promise.all([
    usdc.getBalance(contractor.wallet),
    usdc.getBalance(requester.wallet),
  ]);
  return { contractor: own, requester: other };
}

const formatChange = (micro: bigint) =>
  `${micro < 0n ? "\u2212" : "+"}${formatUsdc(fromMicro(micro < 0n ? -micro : micro))}`;
