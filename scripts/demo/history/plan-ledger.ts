import type { NewRecord } from "@/server/chain/registry/encode-records";
import type { LedgerRecord } from "@/server/chain/registry/ledger";
import type { Plan, PlannedEvent } from "./planned-events";

/** Returns the ledger that a plan produces on a new chain. */
export function buildLedger(plan: Plan): LedgerRecord[] {
  const seqs = new Map<string, number>();
  return plan.events.map((event, index) => {
    const seq = index + 1;
    if (event.type !== "anchor-revoked") seqs.set(event.id, seq);
    return { ...buildRecord(event, (anchorId) => seqs.get(anchorId) ?? 0), seq } as LedgerRecord;
  });
}

/** Returns the record of an event. */
export function buildRecord(
  event: PlannedEvent,
  getSeq: (anchorId: string) => number,
  evidenceHash?: string,
): NewRecord {
  switch (event.type) {
    case "outcome":
      return {
        type: "outcome",
        id: event.id,
        contractor: event.contractor,
        requester: event.requester,
        category: event.category,
        valueMicro: event.valueMicro,
        paidMicro: event.paidMicro,
        submittedBy: event.submittedBy,
        proven: event.proven,
        agreed: false,
        verdict: event.verdict,
        confPpm: event.confPpm,
        resolvedAt: event.at,
        evidenceHash,
      };
    case "dispute":
      return {
        type: "dispute",
        outcomeId: event.outcomeId,
        verdict: event.verdict,
        resolvedAt: event.at,
        evidenceHash,
      };
    case "anchor":
      return { type: "anchor", wallet: event.wallet, from: event.at, until: event.until };
    case "anchor-revoked":
      return { type: "anchor-revoked", anchorSeq: getSeq(event.anchorId) };
  }
}
