import { and, eq, isNull } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { type Address, isAddressEqual, parseEventLogs, type TransactionReceipt } from "viem";
import { isContractRefusal } from "@/server/chain/score-gate";
import { sendForEffect, signOnce } from "@/server/chain/transactions/send-for-effect";
import type { Sender } from "@/server/chain/transactions/sender";
import { identityLinks } from "@/server/identities/tables";
import type { Core, Sql } from "@/server/lib/context";
import { outcomes } from "@/server/outcomes/tables";
import { locateFile } from "./feedback-file";
import { buildGiveCall, buildRevokeCall, encodeCall, reputationAbi } from "./reputation-registry";
import { feedbackFiles, type GivenFeedback, givenFeedback, registryFeedback } from "./tables";

type Parts = Pick<Core, "db" | "log">;
type Status = GivenFeedback["status"];

/** The two transactions of feedback: which states they lead through, and what proves their effect. */
const GIVE = {
  before: "owed",
  signed: "signed",
  done: "given",
  transaction: "transactionId",
  event: "NewFeedback",
} as const;
const REVOKE = {
  before: "revoking",
  signed: "revoking",
  done: "revoked",
  transaction: "revocationId",
  event: "FeedbackRevoked",
} as const;
type Action = typeof GIVE | typeof REVOKE;

/** Gas beyond the estimate, since other feedback may be mined before. */
const GAS_PERCENT = 150n;

/**
 * Advances feedback as far as possible and returns its state. A transaction is signed once and sent as
 * often as needed; another one is signed only if the first can never be mined. What the registry
 * refuses is dropped. Import the registry's feedback before: it shows what was given already. Safe to
 * call repeatedly and concurrently. Throws if the node is unreachable.
 * @param timeoutMs How long to wait for the transaction; by default not at all, since it is checked
 * again a minute later.
 */
export async function advanceFeedback(
  core: Parts,
  sender: Sender,
  id: string,
  timeoutMs = 0,
): Promise<Status> {
  const row = await findRow(core.db, id);
  const action = row.status === "revoking" || row.status === "revoked" ? REVOKE : GIVE;
  if (row.status === "dropped") return "dropped";
  if (row[action.transaction] !== null) return send(core, sender, row, action, timeoutMs);
  // Recovered from the registry: there is no transaction to check.
  if (row.status === action.done) return row.status;
  const call = await (action === GIVE ? prepareGift : prepareRevocation)(core, sender, row);
  if (call && (await sign(core, sender, row, action, call))) {
    return send(core, sender, await findRow(core.db, id), action, timeoutMs);
  }
  return (await findRow(core.db, id)).status;
}

async function findRow(db: Sql, id: string): Promise<GivenFeedback> {
  const [row] = await db.select().from(givenFeedback).where(eq(givenFeedback.id, id));
  if (!row) throw new Error(`there is no feedback ${id}`);
  return row;
}

/** Sets the state of feedback that still has `status` and no other transaction than checked. */
async function setStatus(
  { db }: Parts,
  { id, status, transactionId, revocationId }: GivenFeedback,
  changes: Partial<GivenFeedback>,
): Promise<void> {
  const isSame = (column: PgColumn, value: string | null) =>
    value === null ? isNull(column) : eq(column, value);
  await db
    .update(givenFeedback)
    .set(changes)
    .where(
      and(
        eq(givenFeedback.id, id),
        eq(givenFeedback.status, status),
        isSame(givenFeedback.transactionId, transactionId),
        isSame(givenFeedback.revocationId, revocationId),
      ),
    );
}

function requireRegistry({ chain }: Sender): Address {
  if (!chain.erc8004) throw new Error("the chain has no ERC-8004 registries");
  return chain.erc8004.reputationAddress;
}

/** Finds the service's own feedback with this file in the registry's finalized logs. */
async function findInRegistry({ db }: Parts, { chain }: Sender, row: GivenFeedback) {
  const [found] = await db
    .select()
    .from(registryFeedback)
    .where(
      and(
        eq(registryFeedback.erc8004AgentId, row.erc8004AgentId),
        eq(registryFeedback.client, chain.feedback?.address ?? ""),
        eq(registryFeedback.fileHash, row.fileHash),
      ),
    );
  return found;
}

/** Returns the call that gives the feedback; null if that is not due any more or was done before. */
async function prepareGift(core: Parts, sender: Sender, row: GivenFeedback) {
  // A restored database may not know what it gave after the backup.
  if (await findInRegistry(core, sender, row)) {
    await setStatus(core, row, { status: "given" });
    return null;
  }
  const { erc8004AgentId: agentId, fileHash, value } = row;
  const [linked] = await core.db
    .select({ file: feedbackFiles.file })
    .from(outcomes)
    .innerJoin(identityLinks, eq(identityLinks.wallet, outcomes.contractor))
    .innerJoin(feedbackFiles, eq(feedbackFiles.hash, fileHash))
    .where(and(eq(outcomes.id, row.outcomeId), eq(identityLinks.erc8004AgentId, agentId)));
  if (!linked) {
    await setStatus(core, row, { status: "dropped" });
    core.log.info({ feedbackId: row.id, agentId }, "dropped feedback: its agent is not linked");
    return null;
  }
  return buildGiveCall(requireRegistry(sender), {
    agentId,
    value,
    feedbackHash: fileHash as `0x${string}`,
    ...locateFile(linked.file, fileHash),
  });
}

/**
 * Returns the call that revokes the feedback once its log is final, since a reorg may change its index.
 * Null until then, or if there is nothing to revoke.
 */
async function prepareRevocation(core: Parts, sender: Sender, row: GivenFeedback) {
  const found = await findInRegistry(core, sender, row);
  if (found && !found.isRevoked) {
    return buildRevokeCall(requireRegistry(sender), row.erc8004AgentId, found.feedbackIndex);
  }
  if (found) {
    await setStatus(core, row, { status: "revoked" });
  } else if (row.transactionId) {
    const { state } = await check(sender, row, GIVE, row.transactionId);
    const wasNeverGiven = state === "failed" || state === "replaced";
    if (wasNeverGiven) await setStatus(core, row, { status: "dropped" });
  }
  return null;
}

/**
 * Signs a call and stores its transaction with the feedback, before it is broadcast. Returns false if it
 * was signed concurrently, or if the registry refuses it, which drops the feedback.
 */
async function sign(
  core: Parts,
  sender: Sender,
  row: GivenFeedback,
  { before, signed, transaction: column }: Action,
  call: ReturnType<typeof buildGiveCall | typeof buildRevokeCall>,
): Promise<boolean> {
  const { client, feedback: account } = sender.chain;
  if (!account) return false;
  const transaction = { to: call.address, data: encodeCall(call) };
  try {
    await client.simulateContract({ ...call, account } as never);
  } catch (error) {
    if (!isContractRefusal(error)) throw error;
    await setStatus(core, row, { status: "dropped" });
    core.log.warn(
      { err: error, feedbackId: row.id, agentId: row.erc8004AgentId, call: call.functionName },
      "dropped feedback: the registry refuses it, for example because our account may act for the agent",
    );
    return false;
  }
  const estimated = await client.estimateGas({ account: account.address, ...transaction });
  const gas = (estimated * GAS_PERCENT) / 100n;
  return signOnce(
    core,
    sender,
    { signer: "feedback", purpose: "feedback", ...transaction, gas },
    {
      table: givenFeedback,
      id: row.id,
      where: and(eq(givenFeedback.status, before), isNull(givenFeedback[column])),
      set: (transactionId) => ({ status: signed, [column]: transactionId }),
    },
  );
}

/** Sends the signed transaction and returns the resulting state. Also checks what is done again. */
async function send(
  core: Parts,
  sender: Sender,
  row: GivenFeedback,
  action: Action,
  timeoutMs: number,
): Promise<Status> {
  const transactionId = row[action.transaction] ?? "";
  const { state } = await check(sender, row, action, transactionId, timeoutMs);
  if (state === "done") {
    await setStatus(core, row, { status: action.done });
  } else if (state === "failed") {
    await setStatus(core, row, { status: "dropped" });
    core.log.error(
      { feedbackId: row.id, transactionId },
      "dropped feedback: the registry refused its transaction",
    );
  } else if (state === "replaced") {
    await setStatus(core, row, { status: action.before, [action.transaction]: null });
    core.log.error(
      { feedbackId: row.id, transactionId },
      "the feedback key was used elsewhere: signing its transaction again",
    );
  }
  return (await findRow(core.db, row.id)).status;
}

function check(
  sender: Sender,
  { erc8004AgentId }: GivenFeedback,
  { event: eventName }: Action,
  transactionId: string,
  timeoutMs = 0,
) {
  const registry = requireRegistry(sender);
  const hasEffect = ({ logs, from }: TransactionReceipt) =>
    parseEventLogs({ abi: reputationAbi, eventName, logs }).some(
      ({ address, args }) =>
        isAddressEqual(address, registry) &&
        isAddressEqual(args.clientAddress, from) &&
        String(args.agentId) === erc8004AgentId,
    );
  return sendForEffect(sender, transactionId, hasEffect, timeoutMs);
}
