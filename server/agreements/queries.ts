import {
  and,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  not,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Hex } from "viem";
import { z } from "zod";
import { summarize } from "@/packages/sdk/src/summarize";
import { type AuthenticatedAgent, type Caller, lockAgent } from "@/server/agents/authenticate";
import type { UsdcTransfer } from "@/server/chain/payments/transfers";
import { usedTransfers } from "@/server/chain/tables";
import { createBatcher, REQUEST_BATCH_OPTIONS } from "@/server/db/batch";
import { pipeline, type Started, unordered } from "@/server/db/pipeline";
import { identifyDeliverable } from "@/server/judging/documents/read-deliverable";
import type { AgreedTerms } from "@/server/judging/requirements/agreed-terms";
import type { Context, Database, Sql, Transaction } from "@/server/lib/context";
import { prepareOnce, readDatabaseTime } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import { idSchema, timestampSchema } from "@/server/lib/schema";
import { DAY_MS } from "@/server/lib/time";
import { createFieldErrors } from "@/server/lib/to-app-error";
import { PAYMENT_SEARCH_DAYS } from "./periods";
import { type AgreementRow, findParty, toAgreement } from "./public-agreement";
import type { Agreement, AgreementStatus, ListAgreements } from "./schema";
import { agreements } from "./tables";
import { toUnixSeconds } from "./typed-data";

type Reader = Pick<AuthenticatedAgent, "wallet" | "walletVerified">;

const payments = alias(usedTransfers, "payments");
const refunds = alias(usedTransfers, "refunds");

const selectAgreements = (db: Sql) =>
  db
    .select({
      ...getTableColumns(agreements),
      paymentTxHash: payments.txHash,
      refundTxHash: refunds.txHash,
    })
    .from(agreements)
    .leftJoin(payments, eq(payments.id, agreements.paymentTransferId))
    .leftJoin(refunds, eq(refunds.id, agreements.refundTransferId));

/**
 * Matches the agreements in which the agent is this party and which it may read. A registration whose
 * wallet is unverified may not be the owner's, so it reads only what the wallet has signed.
 */
function whereParty(party: "requester" | "contractor", { wallet, walletVerified }: Reader) {
  const signature = {
    requester: agreements.requesterSignature,
    contractor: agreements.contractorSignature,
  };
  return and(
    eq(agreements[party], wallet),
    walletVerified ? undefined : isNotNull(signature[party]),
  );
}

/** The same for an agreement that was read. */
function isReader(row: AgreementRow, { wallet, walletVerified }: Reader): boolean {
  const party = findParty(row, wallet);
  return party !== null && (walletVerified || row[`${party}Signature`] !== null);
}

/** Returns an agreement to one of its parties. Throws `not-found` for everyone else. */
export async function getAgreement(
  { db, chain }: Pick<Context, "db" | "chain">,
  agent: Reader,
  agreementId: string,
): Promise<Agreement> {
  const { row, now } = await requireOwnAgreement(db, agent, agreementId);
  return toAgreement(chain, row, now);
}

/** Returns a page of an agent's agreements, newest first. */
export async function listAgreements(
  { db, chain }: Pick<Context, "db" | "chain">,
  agent: Reader,
  { status, digest, cursor, limit }: ListAgreements,
): Promise<{ content: Agreement[]; nextCursor: string | null }> {
  const now = await readDatabaseTime(db);
  const after = cursor === undefined ? undefined : whereAfter(parseCursor(cursor));
  // One query for each party: each reads its index in the order of the list.
  const [asRequester, asContractor] = (["requester", "contractor"] as const).map((party) =>
    selectAgreements(db)
      .where(
        and(
          whereParty(party, agent),
          after,
          status && whereStatus(status, now),
          digest === undefined ? undefined : eq(agreements.digest, digest),
        ),
      )
      .orderBy(desc(agreements.proposedAt), desc(agreements.id))
      .limit(limit + 1),
  );
  const found = [...((await asRequester) ?? []), ...((await asContractor) ?? [])].sort(
    (a, b) => b.proposedAt.getTime() - a.proposedAt.getTime() || (a.id < b.id ? 1 : -1),
  );
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    content: rows.map((row) => toAgreement(chain, row, now)),
    nextCursor: last && found.length > limit ? toCursor(last) : null,
  };
}

/** The fields of an agreement in a cursor: its position in a list, newest first. */
const cursorFields = z.tuple([timestampSchema, idSchema]);

/** Returns the cursor of the page after an agreement. Its time has milliseconds, in the database too. */
const toCursor = ({ proposedAt, id }: AgreementRow): string =>
  Buffer.from(`${proposedAt.toISOString()} ${id}`).toString("base64url");

/** Returns the position that a cursor names. Throws `invalid-request`. */
function parseCursor(cursor: string): z.infer<typeof cursorFields> {
  const { data } = cursorFields.safeParse(Buffer.from(cursor, "base64url").toString().split(" "));
  if (data) return data;
  const detail = "must be the `nextCursor` of a page, unchanged";
  throw createFieldErrors([{ pointer: "#/query/cursor", detail, code: "invalid-value" }]);
}

const whereAfter = ([proposedAt, id]: z.infer<typeof cursorFields>) =>
  sql`(${agreements.proposedAt}, ${agreements.id}) < (${proposedAt}::timestamptz, ${id}::uuid)`;

/** Matches upfront terms without the payment that they need. */
export const whereUnpaid = sql`(${agreements.terms} ->> 'payment' = 'upfront'
  and ${agreements.valueMicro} > 0 and ${agreements.paymentTransferId} is null)`;

/**
 * Matches agreements that a payment brings into force. Terms that were cancelled or declined are among them
 * until the search has passed `startBy`, if the contractor has signed: it may hold the signed payment, and
 * could otherwise end the terms and take the money afterwards.
 */
export const wherePayable = sql`(${whereUnpaid} and ${agreements.outcomeId} is null
  and (${agreements.status} in ('PROPOSED', 'AGREED') or ${agreements.status} in ('CANCELLED', 'DECLINED')
    and ${agreements.contractorSignature} is not null
    and ${agreements.startBy} >= coalesce((select max(read_until) from log_cursors), '-infinity')))`;

/**
 * Matches agreements with payment on delivery whose work is delivered, and whose payment can still come. Later, and
 * for work that is not owed, `searchDeliveryPayments` decides alone. Reads `agreements_unpaid`: 0.25 s with 10,000
 * old unpaid agreements among 100,000, which are looked up in `outcomes` one by one; 2 s if all 100,000 match.
 */
export const whereDeliveryPayable = sql`(${agreements.status} = 'DELIVERED'
  and ${agreements.paidAt} is null and ${agreements.deliveryPaymentTxHash} is null
  and ${agreements.settledAt} is null and ${agreements.valueMicro} > 0 and ${agreements.terms} ->> 'payment' = 'on-delivery'
  and not exists (
    select from outcomes where outcomes.id = ${agreements.outcomeId} and outcomes.resolved_at is not null
      and (outcomes.final_verdict = 'SUCCESS' and outcomes.assessed
        and outcomes.resolved_at > now() - ${PAYMENT_SEARCH_DAYS.from} * interval '1 day') is not true
  ))`;

export const LAPSED_AT = sql`${agreements.deliverBy} + interval '30 days'`;

/** Matches proposals that have expired at `now`. The requester may have signed unpaid ones by paying. */
export const whereExpired = (now: SQL) => sql`(${agreements.status} = 'PROPOSED'
  and ${agreements.startBy} <= ${now}
  and not (${whereUnpaid} and ${agreements.contractorSignature} is not null))`;

/** Matches agreements that have lapsed at `now`. */
export const whereLapsed = (now: SQL) => sql`(${agreements.status} = 'AGREED'
  and ${LAPSED_AT} <= ${now} and not ${whereUnpaid})`;

/** Matches what `getStatus` returns at `now`. */
function whereStatus(status: AgreementStatus, now: Date) {
  const isStored = eq(agreements.status, status);
  const at = sql`${now.toISOString()}::timestamptz`;
  if (status === "EXPIRED") return or(isStored, whereExpired(at));
  if (status === "LAPSED") return or(isStored, whereLapsed(at));
  return and(isStored, not(whereExpired(at)), not(whereLapsed(at)));
}

/** An agreement, and the database's time when it was read. */
interface AgreementAt {
  row: AgreementRow;
  now: Date;
}

/** Returns the agreement of one of its parties, by id. Throws `not-found` for everyone else. */
export async function requireOwnAgreement(
  db: Database,
  agent: Reader,
  agreementId: string,
): Promise<AgreementAt> {
  const found = await getAgreementLoader(db)(agreementId);
  if (found && isReader(found.row, agent)) return found;
  const detail = "Your agent is a party of no agreement with this id.";
  const unverified =
    "Terms that your wallet has not signed are shown once it is verified: register again with a wallet proof.";
  throw new AppError("not-found", agent.walletVerified ? detail : `${detail} ${unverified}`);
}

/** Throws `not-found` unless the wallet is the contractor of an agreement with this id. */
export async function requireContractor(db: Database, wallet: string, agreementId: string) {
  const found = await getAgreementLoader(db)(agreementId);
  if (found?.row.contractor === wallet) return;
  throw new AppError("not-found", "This agent is the contractor of no agreement with this id.");
}

/** Returns the agreements with these ids, in no particular order. */
export const findAgreements = (db: Sql, ids: string[]): Promise<AgreementRow[]> =>
  selectAgreements(db)
    .where(sql`${agreements.id} = any(${sql.param(ids)}::uuid[])`)
    .prepare("agreements")
    .execute();

/** Loads agreements, each undefined if it does not exist. Concurrent calls share the queries. */
const getAgreementLoader = prepareOnce((db: Database) =>
  createBatcher(async (ids: string[]) => {
    const [rows, now] = await Promise.all([findAgreements(db, ids), readDatabaseTime(db)]);
    const byId = new Map(rows.map((row) => [row.id, { row, now }]));
    return ids.map((id) => byId.get(id));
  }, REQUEST_BATCH_OPTIONS),
);

/**
 * Locks an agreement until `tx` ends, so that deliveries, reports and cancellations take turns, after the
 * agent as `lockAgent` does. Returns the agreement, and the time at which it is locked.
 */
export function lockAgreement(
  tx: Transaction,
  agent: Caller,
  agreementId: string,
): Started<AgreementAt> {
  const isIt = eq(agreements.id, agreementId);
  const lock = () =>
    tx.select({ id: agreements.id }).from(agreements).where(isIt).for("no key update");
  // Read by statements of their own: one that waits for a lock sees row and time as they were before.
  const read = () => selectAgreements(tx).where(isIt);
  const readTime = () => unordered(readDatabaseTime(tx));
  return pipeline(tx, [() => lockAgent(tx, agent), lock, read, readTime], ([, , [row], now]) => {
    if (!row) throw new Error(`there is no agreement ${agreementId}`);
    return { row, now };
  });
}

/** Returns the digest of an agreement, which authorizes its payment and its refund. */
export const getDigest = async (db: Database, agreementId: string) =>
  (await getAgreementLoader(db)(agreementId))?.row.digest as Hex | undefined;

/**
 * Returns those of a transaction's transfers that belong to no agreement: an authorization whose nonce is an
 * agreement's digest pays or refunds that agreement and nothing else. Throws `payment-used` if none is left.
 */
export async function requireNoAgreement(
  db: Database,
  transfers: UsdcTransfer[],
): Promise<[UsdcTransfer, ...UsdcTransfer[]]> {
  const nonces = transfers.flatMap(({ authorizationNonce: nonce }) => nonce ?? []);
  const bound = await db
    .select({ digest: agreements.digest })
    .from(agreements)
    .where(inArray(agreements.digest, nonces));
  const [first, ...more] = transfers.filter(
    ({ authorizationNonce: nonce }) => !bound.some(({ digest }) => digest === nonce),
  );
  if (first) return [first, ...more];
  const detail =
    "The nonce of its authorization is the digest of an agreement, so it counts for that one alone.";
  throw new AppError("payment-used", detail);
}

/** How long a passed check binds. */
const CHECK_BINDS_MS = DAY_MS;

/** Returns what decides the verdict of an outcome under an agreement that both parties signed. */
export async function getAgreedTerms(
  db: Database,
  agreementId: string,
  submitted: { content: string | null; url: string | null; submittedAt: Date },
): Promise<AgreedTerms> {
  const row = (await getAgreementLoader(db)(agreementId))?.row;
  if (!row?.agreedAt || !row.contractorSignature) {
    throw new Error(`the agreement ${agreementId} has no terms that both parties signed`);
  }
  const { termsHash, terms, agreedAt, contractorSignature, requesterSignature } = row;
  const { passedCheck } = row;
  const isPassed =
    passedCheck?.deliverable === identifyDeliverable(submitted) &&
    submitted.submittedAt.getTime() - Date.parse(passedCheck.checkedAt) <= CHECK_BINDS_MS;
  return {
    termsHash,
    requirements: terms.requirements,
    criteria: terms.criteria,
    ...(isPassed && { passedCheck }),
    consent: {
      startBy: toUnixSeconds(terms.startBy),
      deliverBy: toUnixSeconds(terms.deliverBy),
      summary: summarize(terms),
      agreedAt: agreedAt.toISOString(),
      contractorSignature,
      contractorBlock: row.contractorBlock,
      requesterSignature,
      requesterBlock: row.requesterBlock,
      paymentTxHash: requesterSignature === null ? row.paymentTxHash : null,
    },
  };
}
