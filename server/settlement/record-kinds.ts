import { sql } from "drizzle-orm";
import type { RecordType } from "@/server/chain/registry/ledger";
import type { Transaction } from "@/server/lib/context";
import { anchorKind, revocationKind } from "./kinds/anchor";
import { disputeKind } from "./kinds/dispute";
import { outcomeKind } from "./kinds/outcome";
import type { RecordKind } from "./kinds/record-kind";
import { refundKind } from "./kinds/refund";
import { supersededKind } from "./kinds/superseded";
import { takeoverKind } from "./kinds/takeover";

const KINDS: { [T in RecordType]: RecordKind<T> } = {
  outcome: outcomeKind,
  dispute: disputeKind,
  refund: refundKind,
  superseded: supersededKind,
  takeover: takeoverKind,
  anchor: anchorKind,
  "anchor-revoked": revocationKind,
};

/** Every kind of record in the order of signing: the registry refuses records about an outcome that it lacks. */
export const RECORD_KINDS = KINDS as Record<RecordType, RecordKind>;

/** Returns the kinds of which there may be pending records, with one statement. */
export function findPendingKinds(tx: Transaction) {
  const kinds = Object.entries(RECORD_KINDS).map(
    ([kind, { pending }]) =>
      sql`select ${kind}::text as kind where exists (select from ${pending.table} where ${pending.where})`,
  );
  return tx
    .select({ kind: sql<RecordType>`kind` })
    .from(sql`(${sql.join(kinds, sql` union all `)}) as pending`)
    .prepare("pending_kinds");
}
