import type { Plan } from "@/scripts/demo/history/planned-events";
import { buildRecord } from "@/scripts/demo/history/rows";
import type { LedgerRecord } from "@/server/chain/registry/ledger";

/** Returns the ledger that a plan produces on a new chain. */
export function buildLedger(plan: Plan): LedgerRecord[] {
  const seqs = new Map<string, number>();
  return plan.events.map((event, index) => {
    const seq = index + 1;
    if (event.type !== "anchor-revoked") seqs.set(event.id, seq);
    return { ...buildRecord(event, (anchorId) => seqs.get(anchorId) ?? 0), seq } as LedgerRecord;
  });
}
