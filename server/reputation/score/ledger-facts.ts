import type { AnchorRecord, DisputeRecord, LedgerRecord } from "@/server/chain/registry/ledger";

/** How a dispute ended. */
export type Decision = Pick<DisputeRecord, "verdict" | "assessed">;

/** The records of a ledger that decide what its outcomes weigh, indexed for lookups. */
export interface LedgerFacts {
  /** Returns the outcome's dispute, if it had one. */
  getDispute(outcomeId: string): Decision | undefined;
  /** Returns whether the contractor returned the outcome's payment. */
  wasRefunded(outcomeId: string): boolean;
  /** Returns whether the payer submitted its own outcome for the payment. */
  wasSuperseded(outcomeId: string): boolean;
  /** Returns whether the wallet was an anchor at that time. A revoked anchor never was. */
  wasAnchored(wallet: string, at: number): boolean;
  /** Returns whether the owner took the wallet over after that time. */
  wasTakenOverAfter(wallet: string, at: number): boolean;
}

/** Indexes every record but outcomes, in any order; does not filter by time. */
export function collectFacts(log: Iterable<LedgerRecord>): LedgerFacts {
  const disputes = new Map<string, Decision>();
  const refunded = new Set<string>();
  const superseded = new Set<string>();
  const anchors = new Map<string, AnchorRecord[]>();
  const revoked = new Set<number>();
  const lastTakeover = new Map<string, number>();

  for (const record of log) {
    if (record.type === "dispute") {
      disputes.set(record.outcomeId, record);
    } else if (record.type === "refund") {
      refunded.add(record.outcomeId);
    } else if (record.type === "superseded") {
      superseded.add(record.outcomeId);
    } else if (record.type === "anchor") {
      const known = anchors.get(record.wallet);
      if (known) known.push(record);
      else anchors.set(record.wallet, [record]);
    } else if (record.type === "anchor-revoked") {
      revoked.add(record.anchorSeq);
    } else if (record.type === "takeover") {
      const last = lastTakeover.get(record.wallet) ?? record.at;
      lastTakeover.set(record.wallet, Math.max(last, record.at));
    }
  }

  return {
    getDispute: (outcomeId) => disputes.get(outcomeId),
    wasRefunded: (outcomeId) => refunded.has(outcomeId),
    wasSuperseded: (outcomeId) => superseded.has(outcomeId),
    wasAnchored: (wallet, at) =>
      (anchors.get(wallet) ?? []).some(
        ({ seq, from, until }) => from <= at && (until === null || at < until) && !revoked.has(seq),
      ),
    wasTakenOverAfter: (wallet, at) => (lastTakeover.get(wallet) ?? at) > at,
  };
}
