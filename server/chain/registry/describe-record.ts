import type { PlacedRecord } from "./decode-records";

/** Describes a ledger record in a few words. */
export function describeRecord(record: PlacedRecord["record"]): string {
  switch (record.type) {
    case "outcome":
      return `outcome ${record.id}, ${record.verdict}`;
    case "dispute":
      return `dispute of ${record.outcomeId}, ${record.verdict}`;
    case "refund":
      return `refund of ${record.outcomeId}`;
    case "superseded":
      return `outcome ${record.outcomeId}, superseded by ${record.by}`;
    case "anchor":
      return `anchor ${record.wallet}`;
    case "anchor-revoked":
      return `revocation of anchor ${record.anchorSeq}`;
    case "takeover":
      return `takeover of ${record.wallet}`;
  }
}
