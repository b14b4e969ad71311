import { PARTY_NAMES } from "@/components/disputes/describe-dispute";
import { CodeBlock } from "@/components/ui/code-block";
import { Fact, HexFact } from "@/components/ui/fact";
import { FoldedPanel } from "@/components/ui/panel";
import type { Agreement } from "@/server/agreements/schema";

/** Shows the signed document, its hash and both signatures, on demand. */
export function SignedTerms({ agreement }: { agreement: Agreement }) {
  const { terms, termsHash, signatures, paymentTxHash } = agreement;
  return (
    <FoldedPanel title="Signed document" note="Hash and signatures">
      <div className="grid grid-cols-1 gap-5">
        <dl className="grid gap-4">
          <Fact label="Summary that the wallets showed">{agreement.typedData.message.summary}</Fact>
          <HexFact label="Hash of the terms (SHA-256)" value={termsHash} name="hash of the terms" />
          {(["contractor", "requester"] as const).map((party) => {
            const label = `Signature of the ${PARTY_NAMES[party]}`;
            const signature = signatures[party];
            if (signature) {
              return <HexFact key={party} label={label} value={signature} name={label} />;
            }
            return (
              <Fact key={party} label={label}>
                {party === "requester" && paymentTxHash ? "By its payment" : "Not yet"}
              </Fact>
            );
          })}
          {paymentTxHash && (
            <HexFact label="Payment" value={paymentTxHash} name="payment's transaction hash" />
          )}
        </dl>
        <CodeBlock code={JSON.stringify(terms, null, 2)} name="signed terms" />
      </div>
    </FoldedPanel>
  );
}
