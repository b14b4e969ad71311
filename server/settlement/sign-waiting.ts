import { sql } from "drizzle-orm";
import { encodeRecords, MAX_BATCH } from "@/server/chain/registry";
import type { Sender } from "@/server/chain/sender";
import type { Core, Transaction } from "@/server/lib/context";
import { takeTurn } from "@/server/lib/turns";
import { acceptable } from "./acceptance";
import { forgetLostPayments, recheckPayments } from "./recheck-payments";
import { recordings } from "./tables";
import {
  forgetNeedlessTakeovers,
  type Waiting,
  waitingDisputes,
  waitingOutcomes,
  waitingTakeovers,
} from "./waiting";
import { waitingAnchors, waitingRevocations } from "./waiting-anchors";

/** Name of the lock over all processes that sign. */
export const SIGNING = "sign-waiting";
const MOST_BATCHES = 10;
const MOST_DISPUTES = 50;

/**
 * Signs what waits to be recorded and stores it before anybody sees it: up to `MAX_BATCH` waiting
 * outcomes share a transaction; every other record has its own. What the registry would refuse is
 * logged and goes on waiting. The time that a record carries is `now`. Returns the ids of the
 * transactions to send, in order of nonce. Throws where the node is silent.
 */
export async function signWaiting(
  core: Pick<Core, "db" | "log">,
  sender: Sender,
  now: Date,
): Promise<string[]> {
  const seconds = Math.floor(now.getTime() / 1000);
  // Whoever waits for the lock below holds a connection, of which there are few.
  const giveBackTurn = await takeTurn(SIGNING);
  try {
    const { standing, lost } = await recheckPayments(core, sender.chain, {
      limit: MAX_BATCH * MOST_BATCHES,
      now,
    });
    return await core.db.transaction(async (tx) => {
      // Over all processes, so that nothing is chosen twice.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${SIGNING}, 0))`);
      await forgetLostPayments(core, tx, lost);
      const signed: string[] = [];
      for (let batch = 0; batch < MOST_BATCHES; batch++) {
        const outcomes = await waitingOutcomes(tx, {
          limit: MAX_BATCH,
          resolvedAt: seconds,
          standing,
        });
        const accepted = await acceptedOf(core, sender, outcomes);
        if (accepted.length > 0) signed.push(await signRecords(tx, sender, accepted));
        if (outcomes.length < MAX_BATCH || accepted.length < outcomes.length) break;
      }
      // After the outcomes: the registry takes no dispute of an outcome that it does not know.
      for (const dispute of await waitingDisputes(tx, {
        limit: MOST_DISPUTES,
        resolvedAt: seconds,
      })) {
        const accepted = await acceptedOf(core, sender, [dispute]);
        if (accepted.length > 0) signed.push(await signRecords(tx, sender, accepted));
      }
      await forgetNeedlessTakeovers(tx);
      const alone: Waiting[] = [
        ...(await waitingTakeovers(tx, seconds)),
        ...(await waitingAnchors(tx)),
        ...(await waitingRevocations(tx)),
      ];
      for (const one of alone) {
        const accepted = await acceptedOf(core, sender, [one]);
        if (accepted.length > 0) signed.push(await signRecords(tx, sender, accepted));
      }
      return signed;
    });
  } finally {
    giveBackTurn();
  }
}

async function acceptedOf<W extends Waiting>(
  { log }: Pick<Core, "log">,
  { chain }: Sender,
  waiting: W[],
): Promise<W[]> {
  const accepted = await acceptable(chain, waiting);
  if (accepted.length < waiting.length) {
    const refused = waiting.filter((one) => !accepted.includes(one));
    log.error(
      { subjects: refused.map(({ subjectId }) => subjectId), recorder: chain.recorder.address },
      "the registry would refuse these records: may this recorder write, are they there already?",
    );
  }
  return accepted;
}

/** Signs the transaction that holds these records and stores both in `tx`; answers its id. */
export async function signRecords(
  tx: Transaction,
  sender: Sender,
  waiting: Waiting[],
): Promise<string> {
  const { transactionId } = await sender.signTransaction(tx, {
    signer: "recorder",
    purpose: "record",
    to: sender.chain.registryAddress,
    ...encodeRecords(waiting.map(({ record }) => record)),
  });
  await tx.insert(recordings).values(
    waiting.map(({ subjectId, record }, position) => ({
      kind: record.type,
      subjectId,
      record,
      transactionId,
      position,
    })),
  );
  return transactionId;
}
