import { setTimeout as pause } from "node:timers/promises";
import type { Hex } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { toMicro } from "@/server/lib/usdc";
import { GULLIBLE_TASK, HONEST, INCOMPLETE } from "@/server/testing/model/gullible-model";
import { type Agent, createProof, type Load, submitStake, waitUntilResolved } from "./agent";
import { RunIsOver } from "./client";
import { runEscrowJob } from "./escrow-job";
import { REVOKED_KEY } from "./invariant";

/** Between two submissions of an agent. */
const AVERAGE_INTERVAL_MS = 15_000;
const CATEGORIES = ["research", "content", "code-review", "ops"];
const PAYMENT_PROBABILITY = 0.4;
const CONCURRENT_PROBABILITY = 0.2;
const REPLAY_PROBABILITY = 0.3;
const KEY_REUSE_PROBABILITY = 0.1;
const DISPUTE_PROBABILITY = 0.3;
/**
 * Probability that the favored party also tries to open a dispute, which must fail.
 */
const WRONG_DISPUTE_PROBABILITY = 0.2;
const RESPONSE_PROBABILITY = 0.5;
const REFUND_PROBABILITY = 0.3;
/** That a job of two verified agents is agreed and its money is in escrow. */
const ESCROW_PROBABILITY = 0.6;
/** That a payer submits its own outcome for a payment that the contractor named. */
const SUPERSEDE_PROBABILITY = 0.2;

/**
 * Submits outcomes and disputes verdicts until the run closes. Resolves once all of that has ended.
 */
export async function runAgent(load: Load, agent: Agent): Promise<void> {
  const { random } = load;
  const others = load.agents.filter((other) => other !== agent);
  const threads: Promise<void>[] = [];
  await pause(random.between(0, AVERAGE_INTERVAL_MS));
  while (!load.isClosing()) {
    const other = random.pick(others);
    threads.push(ignoreEndOfRun(runJob(load, agent, other)));
    await pause(random.between(0.5, 1.5) * AVERAGE_INTERVAL_MS);
  }
  await Promise.all(threads);
}

/** Awaits `work` and ignores `RunIsOver`. */
async function ignoreEndOfRun(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof RunIsOver)) throw error;
  }
}

/** Runs one job, from payment to the end of its dispute. */
async function runJob(load: Load, submitter: Agent, other: Agent): Promise<void> {
  const { random } = load;
  const isContractor = random.chance(0.7);
  const [contractor, requester] = isContractor ? [submitter, other] : [other, submitter];
  if (contractor.isVerified && requester.isVerified && random.chance(ESCROW_PROBABILITY)) {
    return runEscrowJob(load, contractor, requester);
  }
  const canNamePayment = isContractor || requester.isVerified;
  const paymentTxHash =
    random.chance(PAYMENT_PROBABILITY) && canNamePayment
      ? await requester.wallet.pay(contractor.address, load.createAmount(1_000_000n), "payment")
      : null;
  const outcomeId = await submit(load, submitter, {
    ...buildJob(load, contractor.address, requester.address),
    ...(paymentTxHash === null ? {} : { paymentTxHash }),
  });
  if (outcomeId === null) return;
  load.count("submitted");
  if (
    isContractor &&
    paymentTxHash &&
    requester.isVerified &&
    random.chance(SUPERSEDE_PROBABILITY)
  ) {
    await submit(load, requester, {
      ...buildJob(load, contractor.address, requester.address),
      paymentTxHash,
    });
  }
  const outcome = await waitUntilResolved(load, submitter.address, `/outcome/${outcomeId}`);
  if (!outcome) return;
  load.count("resolved");
  if (load.isClosing()) return;
  const isSuccess = outcome.verdict === "SUCCESS";
  const [loser, favored] = isSuccess ? [requester, contractor] : [contractor, requester];
  await Promise.all([
    random.chance(DISPUTE_PROBABILITY) ? dispute(load, outcomeId, loser, favored) : null,
    outcome.paidUsdc > 0 && random.chance(REFUND_PROBABILITY)
      ? refund(load, outcomeId, { contractor, requester, paidUsdc: outcome.paidUsdc })
      : null,
  ]);
}

/** Refunds an outcome's payment, sometimes with two concurrent requests. */
async function refund(
  { client, random, createAmount, count }: Load,
  outcomeId: string,
  { contractor, requester, paidUsdc }: { contractor: Agent; requester: Agent; paidUsdc: number },
): Promise<void> {
  const paidMicro = toMicro(paidUsdc);
  const refundTxHash = await contractor.wallet.pay(
    requester.address,
    createAmount(paidMicro),
    "payment",
  );
  const { address, apiKey } = contractor;
  const path = `/outcome/${outcomeId}/refund`;
  const request = { method: "POST", path, apiKey, body: { refundTxHash } };
  const [response] = await Promise.all([
    client.retry(address, request),
    random.chance(CONCURRENT_PROBABILITY) ? client.retry(address, request) : null,
  ]);
  if (response.status === 200) count("refunded");
}

/** Returns a submission of a random job with a good, a bad or an empty deliverable. */
function buildJob({ random }: Load, contractor: string, requester: string) {
  const draw = random.next();
  return {
    contractorAgentAddress: contractor,
    requesterAgentAddress: requester,
    taskDescription: GULLIBLE_TASK,
    taskCategory: random.pick(CATEGORIES),
    deliverableContent: draw < 0.5 ? HONEST : draw < 0.8 ? INCOMPLETE : "",
    valueUsdc: random.integer(1, 40),
  };
}

/**
 * Submits under an idempotency key until the result is known. Sometimes sends the same request
 * concurrently or later, or reuses the key with a different body.
 */
async function submit(
  load: Load,
  submitter: Pick<Agent, "address" | "apiKey">,
  body: object,
): Promise<string | null> {
  const { client, random } = load;
  const idempotencyKey = `key-${random.next().toString(36).slice(2)}`;
  const { address, apiKey } = submitter;
  const request = { method: "POST", path: "/outcome", apiKey, idempotencyKey, body };
  const [response] = await Promise.all([
    client.retry(address, request),
    random.chance(CONCURRENT_PROBABILITY) ? client.retry(address, request) : null,
  ]);
  if (response.status !== 202) return null;
  if (random.chance(REPLAY_PROBABILITY)) {
    await pause(random.between(0, 20_000));
    await client.retry(address, request);
  }
  if (random.chance(KEY_REUSE_PROBABILITY)) {
    await client.retry(address, { ...request, body: { ...body, valueUsdc: 77 } });
  }
  return response.body.outcomeId;
}

async function dispute(load: Load, outcomeId: string, loser: Agent, favored: Agent) {
  const { random } = load;
  const open = (by: Agent) =>
    submitStake(load, by, "/disputes", (stakePaymentTxHash) => ({
      outcomeId,
      reason: "The verdict overlooks what was delivered.",
      stakePaymentTxHash,
    }));
  const [opened, rejected] = await Promise.all([
    open(loser),
    random.chance(WRONG_DISPUTE_PROBABILITY) ? open(favored) : null,
  ]);
  // If the loser's response was lost, the rejection of the other party names the dispute.
  const disputeId: string | undefined = opened.body?.disputeId ?? rejected?.body?.disputeId;
  if (!disputeId) return;
  load.count("disputed");
  if (!rejected && random.chance(RESPONSE_PROBABILITY)) {
    await submitStake(load, favored, `/disputes/${disputeId}/stake`, (stakePaymentTxHash) => ({
      stakePaymentTxHash,
      statement: "The verdict is right.",
    }));
  }
  await waitUntilResolved(load, loser.address, `/disputes/${disputeId}`);
}

/** Between two squatted wallets. */
const SQUATTING_INTERVAL_MS = 30_000;
/** Probability that the squatter waits for its verdict and submits again. */
const WAIT_PROBABILITY = 0.5;

/** Registers wallets without their owners' proof, until the run closes. */
export async function runSquatters(load: Load): Promise<void> {
  const threads: Promise<void>[] = [];
  while (!load.isClosing()) {
    threads.push(ignoreEndOfRun(squat(load)));
    await pause(load.random.between(0.5, 1.5) * SQUATTING_INTERVAL_MS);
  }
  await Promise.all(threads);
}

/**
 * Registers a wallet as a squatter and submits with it; then the owner takes it over and submits
 * too. The squatter's outcomes may be recorded only after that.
 */
async function squat(load: Load): Promise<void> {
  const { client, random } = load;
  const account = privateKeyToAccount(generatePrivateKey());
  const { address } = account;
  const buildOwnJob = () => buildJob(load, random.pick(load.agents).address, address);
  const submitWith = (apiKey: string) => submit(load, { address, apiKey }, buildOwnJob());
  const registered = await client.retry(address, {
    method: "POST",
    path: "/agents/register",
    body: { agentAddress: address, name: "Squatter" },
  });
  // Undefined if the response was lost: the repeated request finds the wallet registered.
  const squatterKey: string | undefined = registered.body.apiKey;
  if (squatterKey !== undefined) {
    const outcomeId = await submitWith(squatterKey);
    if (outcomeId !== null && random.chance(WAIT_PROBABILITY)) {
      await waitUntilResolved(load, address, `/outcome/${outcomeId}`);
      await submitWith(squatterKey);
    }
  }
  const apiKey = await takeOver(load, account);
  if (squatterKey !== undefined) {
    const request = { method: "POST", path: "/outcome", apiKey: squatterKey, body: buildOwnJob() };
    await client.send(address + REVOKED_KEY, request);
  }
  const own = await submitWith(apiKey);
  if (own !== null) await waitUntilResolved(load, address, `/outcome/${own}`);
}

/**
 * Registers the wallet with a new proof each time until a response arrives. Returns the owner's key.
 */
async function takeOver(
  { client, random, isOver }: Load,
  account: PrivateKeyAccount,
): Promise<string> {
  const agentAddress: Hex = account.address;
  while (!isOver()) {
    const walletProof = await createProof(client, account);
    const { status, body } = await client.retry(agentAddress, {
      method: "POST",
      path: "/agents/register",
      body: { agentAddress, name: "Owner", walletProof },
    });
    if (status === 201) return body.apiKey;
    await pause(random.between(1_000, 3_000));
  }
  throw new RunIsOver(`${agentAddress} was not taken over in time`);
}
