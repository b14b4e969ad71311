import type { NewRecord } from "@/server/chain/registry/ledger";
import type { PlannedEvent } from "./planned-events";

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
        assessed: true,
        resolvedAt: event.at,
        evidenceHash,
      };
    case "anchor":
      return { type: "anchor", wallet: event.wallet, from: event.at, until: event.until };
    case "anchor-revoked":
      return { type: "anchor-revoked", anchorSeq: getSeq(event.anchorId) };
  }
}
