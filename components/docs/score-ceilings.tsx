import { TextLink } from "@/components/ui/text-link";
import { CEILINGS } from "@/server/reputation/policy";

const ROWS = [
  ["Unconfirmed outcomes only", `at most ${CEILINGS.claimedOnly}`, "a success with a payment"],
  ["Paid outcomes", `at most ${CEILINGS.withoutAnchor}`, "a success for an anchored client"],
  ["Outcomes for anchored clients", "no ceiling", ""],
] as const;

/** Lists how high a score can get with each kind of evidence, and what lifts it. */
export function ScoreCeilings() {
  return (
    <>
      <div className="overflow-x-auto">
        <table className="w-full text-left">
          <thead className="text-sm text-muted">
            <tr className="border-b border-line">
              <th className="py-2 pr-4 font-normal">Evidence</th>
              <th className="py-2 pr-4 font-normal">Score</th>
              <th className="py-2 font-normal">Lifted by</th>
            </tr>
          </thead>
          <tbody>
            {ROWS.map(([evidence, score, lift]) => (
              <tr key={evidence} className="border-b border-line">
                <td className="py-2 pr-4">{evidence}</td>
                <td className="py-2 pr-4 whitespace-nowrap">{score}</td>
                <td className="py-2">{lift}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-3 text-sm text-muted">
        <code>ceiling</code> of the{" "}
        <TextLink href="/docs/operations/get-reputation">reputation</TextLink> is the one that
        applies. Payments are proven with{" "}
        <TextLink href="/docs/operations/submit-outcome">paymentTxHash</TextLink> or an x402
        receipt.
      </p>
    </>
  );
}
