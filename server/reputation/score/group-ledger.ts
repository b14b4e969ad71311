import type { PlacedRecord } from "@/server/chain/registry/decode-records";

type Placed = Pick<PlacedRecord, "record">;

/**
 * A ledger indexed by wallet, so that computing every score does not scan all records each time.
 */
export interface GroupedLedger<P extends Placed = PlacedRecord> {
  /** Every contractor, in the order of their first records. */
  contractors: string[];
  /** Returns the record of an outcome, if any; the others likewise. */
  getOutcome(outcomeId: string): P | undefined;
  getDispute(outcomeId: string): P | undefined;
  getRefund(outcomeId: string): P | undefined;
  getSuperseded(outcomeId: string): P | undefined;
  /**
   * Returns every record that the score of `wallet` can depend on: its outcomes as contractor,
   * their disputes, refunds and superseded marks, anchors of their requesters with revocations, and
   * takeovers of the wallets that could have submitted them.
   */
  getRecordsFor(wallet: string): P[];
}

/** Indexes the records in one pass; each wallet then costs only as much as it has records. */
export function groupLedger<P extends Placed>(records: Iterable<P>): GroupedLedger<P> {
  const own = new Map<string, P[]>();
  const outcomes = new Map<string, P>();
  const disputes = new Map<string, P>();
  const refunds = new Map<string, P>();
  const superseded = new Map<string, P>();
  const anchors = new Map<string, P[]>();
  const revocations = new Map<number, P>();
  const takeovers = new Map<string, P[]>();
  for (const placed of records) {
    const { record } = placed;
    switch (record.type) {
      case "outcome":
        outcomes.set(record.id, placed);
        add(own, record.contractor, placed);
        break;
      case "dispute":
        disputes.set(record.outcomeId, placed);
        break;
      case "refund":
        refunds.set(record.outcomeId, placed);
        break;
      case "superseded":
        superseded.set(record.outcomeId, placed);
        break;
      case "anchor":
        add(anchors, record.wallet, placed);
        break;
      case "anchor-revoked":
        revocations.set(record.anchorSeq, placed);
        break;
      case "takeover":
        add(takeovers, record.wallet, placed);
    }
  }
  return {
    contractors: [...own.keys()],
    getOutcome: (outcomeId) => outcomes.get(outcomeId),
    getDispute: (outcomeId) => disputes.get(outcomeId),
    getRefund: (outcomeId) => refunds.get(outcomeId),
    getSuperseded: (outcomeId) => superseded.get(outcomeId),
    getRecordsFor(wallet) {
      const worked = own.get(wallet) ?? [];
      const parties = new Set([wallet]);
      const found = [...worked];
      for (const { record } of worked) {
        if (record.type !== "outcome") continue;
        parties.add(record.requester);
        push(found, disputes.get(record.id));
        push(found, refunds.get(record.id));
        push(found, superseded.get(record.id));
      }
      for (const party of parties) {
        for (const anchor of anchors.get(party) ?? []) {
          found.push(anchor);
          push(found, revocations.get(anchor.record.seq));
        }
        found.push(...(takeovers.get(party) ?? []));
      }
      return found;
    },
  };
}

function add<P>(map: Map<string, P[]>, key: string, placed: P): void {
  const known = map.get(key);
  if (known) known.push(placed);
  else map.set(key, [placed]);
}

function push<P>(found: P[], placed: P | undefined): void {
  if (placed) found.push(placed);
}
