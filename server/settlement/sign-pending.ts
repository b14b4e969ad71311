import { type Chain, simulateCall } from "@/server/chain/client";
import { encodeRecords } from "@/server/chain/registry/encode-records";
import { registryAbi } from "@/server/chain/registry/record-encodings";
import type { Sender } from "@/server/chain/transactions/sender";
import { acquireAdvisoryLock } from "@/server/db/advisory-lock";
import { columns } from "@/server/db/arrays";
import { pipeline } from "@/server/db/pipeline";
import type { Core, Transaction } from "@/server/lib/context";
import { acquireMutex } from "@/server/lib/process/mutex";
import { takeWakeUp, wakeRecorder } from "@/server/outcomes/wake-recorder";
import { MAX_OUTCOMES } from "./kinds/outcome";
import type { PendingRecord, RecordKind } from "./kinds/record-kind";
import { MAX_REFUNDS } from "./kinds/refund";
import {
  clearLostPayments,
  deleteLostRefunds,
  findPendingPayments,
  findPendingReturns,
  recheckTransfers,
} from "./recheck-transfers";
import { findPendingKinds, RECORD_KINDS } from "./record-kinds";

/** Name of the lock, which never changes. */
const SIGNING = "sign-waiting";
const MAX_ROUNDS = 10;
/** Records of most kinds per call. */
const MAX_OTHERS = 10;

type SigningCore = Pick<Core, "db" | "log" | "publish">;

/**
 * Signs pending records and stores the transactions before they are broadcast: up to `MAX_BATCH`
 * outcomes share a transaction, every other record has its own. Records that the registry would
 * refuse are logged and stay pending, and later ones are taken instead. `now` becomes the time in
 * the records. Ends the recorder's pending wake-up, and wakes it again if there are more records
 * than one call signs. Returns the ids of the transactions to send, in order of nonce. Throws if
 * the node is unreachable.
 */
export async function signPending(core: SigningCore, sender: Sender, now: Date): Promise<string[]> {
  // Waiting for the lock below holds a database connection, and the pool is small.
  const release = await acquireMutex(SIGNING);
  try {
    const { chain } = sender;
    // Committed before the node is called, since verdicts are not stored while it is locked.
    const pending = await core.db.transaction(async (tx) => {
      const [, payments, returns] = await pipeline(tx, [
        () => takeWakeUp(tx, chain.recorder.address),
        () => findPendingPayments(tx, MAX_OUTCOMES),
        () => findPendingReturns(tx, MAX_REFUNDS),
      ]);
      return { payments, returns };
    });
    const payments = await recheckTransfers(chain, pending.payments, now);
    const returned = await recheckTransfers(chain, pending.returns, now);
    const confirmed = [...payments.confirmed, ...returned.confirmed];
    return await core.db.transaction(async (tx) => {
      const [, pending] = await pipeline(tx, [lockSigning, findPendingKinds]);
      const kinds = new Set<string>(pending.map(({ kind }) => kind));
      await clearLostPayments(core, tx, payments.lost);
      await deleteLostRefunds(core, tx, returned.lost);
      const signed: string[] = [];
      let isComplete = true;
      for (const [name, kind] of Object.entries(RECORD_KINDS)) {
        if (!kinds.has(name)) continue;
        const result = await signKind(core, tx, sender, { ...kind, confirmed, now });
        signed.push(...result.signed);
        isComplete &&= result.isComplete;
      }
      if (!isComplete) await wakeRecorder({ ...core, chain }, tx);
      return signed;
    });
  } finally {
    release();
  }
}

/** Locks signing across all processes until `tx` ends, so that no record is selected twice. */
export const lockSigning = (tx: Transaction) => acquireAdvisoryLock(tx, SIGNING);

interface Signed {
  /** Ids of transactions. */
  signed: string[];
  /** False if there may be more records than `max`. */
  isComplete: boolean;
}

/** Signs records of one kind in rounds, so that refused ones make room for later ones. */
async function signKind(
  core: Pick<Core, "log">,
  tx: Transaction,
  sender: Sender,
  {
    find,
    batchSize = 1,
    max = MAX_OTHERS,
    confirmed,
    now,
  }: RecordKind & { confirmed: string[]; now: Date },
): Promise<Signed> {
  const signed: string[] = [];
  const refused: string[] = [];
  let remaining = max;
  for (let round = 0; round < MAX_ROUNDS && remaining > 0; round++) {
    const limit = Math.min(batchSize > 1 ? batchSize : max, remaining);
    const seconds = Math.floor(now.getTime() / 1000);
    const pending = await find(tx, { limit, refused, confirmed, now: seconds });
    const before = remaining;
    for (let at = 0; at < pending.length; at += batchSize) {
      const batch = pending.slice(at, at + batchSize);
      const quote = sender.fetchQuote("recorder");
      // Handled where it is awaited, which may be never.
      quote.catch(() => {});
      const accepted = await filterRecordable(sender.chain, batch);
      if (accepted.length > 0) signed.push(await signRecords(tx, sender, accepted, quote));
      remaining -= accepted.length;
      if (accepted.length === batch.length) continue;
      const subjects = batch
        .filter((one) => !accepted.includes(one))
        .map(({ subjectId }) => subjectId);
      refused.push(...subjects);
      core.log.error(
        { subjects, recorder: sender.chain.recorder.address },
        "the registry would refuse these records: check that the recorder is authorized and that they are not recorded already",
      );
    }
    if (pending.length < limit) break;
    // The registry would refuse all others, too.
    if (remaining === before && !(await isAuthorizedRecorder(sender.chain))) break;
  }
  return { signed, isComplete: remaining > 0 };
}

/** Signs the transaction that holds these records and stores both in `tx`. Returns its id. */
export async function signRecords(
  tx: Transaction,
  sender: Sender,
  pending: PendingRecord[],
  quote?: ReturnType<Sender["fetchQuote"]>,
): Promise<string> {
  const request = {
    signer: "recorder",
    purpose: "record",
    to: sender.chain.registryAddress,
    ...encodeRecords(pending.map(({ record }) => record)),
  } as const;
  const { transactionId } = await sender.signTransaction(tx, request, quote);
  const rows = pending.map((one) => ({ ...one, kind: one.record.type }));
  await tx.sql`
    insert into recordings (kind, subject_id, record, transaction_id, position)
    select kind, subject_id, record, ${transactionId}::text::uuid, position - 1
    from unnest(${columns(tx.sql, rows, { kind: "text", subjectId: "uuid", record: "jsonb" })})
      with ordinality as pending (kind, subject_id, record, position)`;
  return transactionId;
}

/**
 * Returns those of `pending` that the registry would record now, by simulation: all together
 * first, then by halves if that is refused, so that one bad record does not block the others.
 * Throws if the node is unreachable.
 */
async function filterRecordable(chain: Chain, pending: PendingRecord[]): Promise<PendingRecord[]> {
  if (pending.length === 0 || (await canRecord(chain, pending))) return pending;
  if (pending.length === 1) return [];
  const middle = Math.ceil(pending.length / 2);
  const first = await filterRecordable(chain, pending.slice(0, middle));
  // The registry would refuse all others, too.
  if (first.length === 0 && !(await isAuthorizedRecorder(chain))) return [];
  return [...first, ...(await filterRecordable(chain, pending.slice(middle)))];
}

/** Checks if the registry lets the service record at all. Throws if the node is unreachable. */
export function isAuthorizedRecorder(chain: Chain): Promise<boolean> {
  return chain.client.readContract({
    address: chain.registryAddress,
    abi: registryAbi,
    functionName: "isRecorder",
    args: [chain.recorder.address],
  });
}

async function canRecord(chain: Chain, pending: PendingRecord[]): Promise<boolean> {
  const result = await simulateCall(chain.client, {
    account: chain.recorder.address,
    to: chain.registryAddress,
    ...encodeRecords(pending.map(({ record }) => record)),
  });
  return result !== null;
}
