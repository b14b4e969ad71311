import { findReceiptFaults } from "@/server/chain/payments/x402-receipt";
import type { PlacedRecord } from "@/server/chain/registry/decode-records";
import { x402ReceiptSchema } from "@/server/chain/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import type { GroupedLedger } from "@/server/reputation/score/group-ledger";
import type { SigningChain } from "./compare-agreements";
import type { Difference } from "./compare-with-ledger";

/**
 * Checks that the contractor of a record signed the x402 receipt in the evidence, for the requester and
 * the payment that the service shows. A contract wallet is asked on the chain, whether it accepts the
 * signature now. Rejects if the node fails.
 */
export async function compareX402Receipts(
  shown: PublicOutcome[],
  ledger: GroupedLedger,
  chain: Pick<SigningChain, "id" | "client">,
): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const { outcomeId, evidence, paymentTxHash } of shown) {
    const placed = ledger.getOutcome(outcomeId);
    if (!evidence?.x402Receipt || placed?.record.type !== "outcome") continue;
    const { contractor, requester } = placed.record;
    const { data } = x402ReceiptSchema.safeParse(evidence.x402Receipt);
    const faults = data
      ? await findReceiptFaults(chain, data, { contractor, requester, paymentTxHash })
      : [{ field: "", shown: "another form", expected: "a receipt" }];
    const subject = `x402 receipt of outcome ${outcomeId}`;
    differences.push(
      ...faults.map((fault) => ({ ...fault, subject, records: [placed as PlacedRecord] })),
    );
  }
  return differences;
}
