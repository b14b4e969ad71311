import { and, desc, eq, getTableColumns, gt, inArray, isNotNull, lte, or, sql } from "drizzle-orm";
import type { AuthenticatedAgent } from "@/server/agents/authenticate";
import { usedTransfers } from "@/server/chain/tables";
import { pipeline } from "@/server/db/pipeline";
import type { AgreedTerms } from "@/server/judging/requirements/agreed-terms";
import type { Context, Sql, Transaction } from "@/server/lib/context";
import { readDatabaseTime } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import { type AgreementPosition, parseCursor, toCursor } from "./cursor";
import { type AgreementRow, toAgreement } from "./public-agreement";
import type { Agreement, AgreementStatus, ListAgreements } from "./schema";
import { agreements } from "./tables";
import { toUnixSeconds } from "./typed-data";

type Reader = Pick<AuthenticatedAgent, "wallet" | "walletVerified">;

const selectAgreements = (db: Sql) =>
  db
    .select({ ...getTableColumns(agreements), paymentTxHash: usedTransfers.txHash })
    .from(agreements)
    .leftJoin(usedTransfers, eq(usedTransfers.id, agreements.paymentTransferId));

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

/** Returns an agreement to one of its parties. Throws `not-found` for everyone else. */
export async function getAgreement(
  { db, chain }: Pick<Context, "db" | "chain">,
  agent: Reader,
  agreementId: string,
): Promise<Agreement> {
  const row = await requireOwnAgreement(db, agent, agreementId);
  return toAgreement(chain, row, await readDatabaseTime(db));
}

/** Returns a page of an agent's agreements, newest first. */
export async function listAgreements(
  { db, chain }: Pick<Context, "db" | "chain">,
  agent: Reader,
  { status, cursor, limit }: ListAgreements,
): Promise<{ content: Agreement[]; nextCursor: string | null }> {
  const now = await readDatabaseTime(db);
  const after = cursor === undefined ? undefined : whereAfter(parseCursor(cursor));
  // One query for each party: each reads its index in the order of the list.
  const [asRequester, asContractor] = (["requester", "contractor"] as const).map((party) =>
    selectAgreements(db)
      .where(and(whereParty(party, agent), after, status && whereStatus(status, now)))
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

const whereAfter = ({ proposedAt, id }: AgreementPosition) =>
  sql`(${agreements.proposedAt}, ${agreements.id}) < (${proposedAt.toISOString()}::timestamptz, ${id}::uuid)`;

/** Matches what `getStatus` returns at `now`. */
function whereStatus(status: AgreementStatus, now: Date) {
  const isProposed = eq(agreements.status, "PROPOSED");
  if (status === "PROPOSED") return and(isProposed, gt(agreements.acceptBy, now));
  const isStored = eq(agreements.status, status);
  return status === "EXPIRED"
    ? or(isStored, and(isProposed, lte(agreements.acceptBy, now)))
    : isStored;
}

/** Returns the agreement of one of its parties, by id. Throws `not-found` for everyone else. */
export async function requireOwnAgreement(
  db: Sql,
  agent: Reader,
  agreementId: string,
): Promise<AgreementRow> {
  const isOwn = or(whereParty("requester", agent), whereParty("contractor", agent));
  const [row] = await selectAgreements(db).where(and(eq(agreements.id, agreementId), isOwn));
  if (row) return row;
  const detail = "Your agent is a party of no agreement with this id.";
  const unverified =
    "Terms that your wallet has not signed are shown once it is verified: register again with a wallet proof.";
  throw new AppError("not-found", agent.walletVerified ? detail : `${detail} ${unverified}`);
}

/** Returns the agreements with these ids, in no particular order. */
export const findAgreements = (db: Sql, ids: string[]): Promise<AgreementRow[]> =>
  selectAgreements(db).where(inArray(agreements.id, ids)).execute();

/** Locks the row until `tx` ends and returns it, so that deliveries, reports and cancellations take turns. */
export async function lockAgreement(tx: Transaction, agreementId: string): Promise<AgreementRow> {
  const isIt = eq(agreements.id, agreementId);
  const lock = () =>
    tx.select({ id: agreements.id }).from(agreements).where(isIt).for("no key update");
  // Read by a statement of its own: one that waits for a lock sees the payment as it was before.
  const [, [row]] = await pipeline(tx, [lock, () => selectAgreements(tx).where(isIt)]);
  if (!row) throw new Error(`there is no agreement ${agreementId}`);
  return row;
}

/** Returns what decides the verdicts of outcomes under these agreements, by id of the agreement. */
export async function findAgreedTerms(
  db: Sql,
  agreementIds: string[],
): Promise<Map<string, AgreedTerms>> {
  if (agreementIds.length === 0) return new Map();
  const rows = await findAgreements(db, agreementIds);
  return new Map(
    rows.flatMap((row) => {
      const { id, termsHash, terms, agreedAt, contractorSignature, requesterSignature } = row;
      if (agreedAt === null || contractorSignature === null) return [];
      const consent = {
        deliverBy: toUnixSeconds(terms.deliverBy),
        agreedAt: agreedAt.toISOString(),
        contractorSignature,
        requesterSignature,
        paymentTxHash: requesterSignature === null ? row.paymentTxHash : null,
      };
      const { requirements, criteria } = terms;
      return [[id, { termsHash, requirements, criteria, consent }]];
    }),
  );
}
