import { type Plan, toRecord } from "@/scripts/demo/history/planned-events";
import type { LedgerRecord } from "@/server/chain/registry/ledger";

/** Returns the ledger that a plan produces on a new chain. */
export function buildLedger(plan: Plan): LedgerRecord[] {
  const seqs = new Map<string, number>();
  return plan.events.map((event, index) => {
    const seq = index + 1;
    if (event.type !== "anchor-revoked") seqs.set(event.id, seq);
    return { ...toRecord(event, seqs), seq } as LedgerRecord;
  });
}
