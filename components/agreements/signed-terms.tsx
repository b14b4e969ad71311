import { RecordsPanel } from "@/components/site/records-panel";
import { CodeBlock } from "@/components/ui/code-block";
import { Fact } from "@/components/ui/fact";
import { capitalize, formatDateTime } from "@/components/ui/format";
import type { Agreement } from "@/server/agreements/schema";

interface Props {
  agreement: Agreement;
  explorerUrl: string | null;
}

/** Shows the signed document, its hash, what signed it so far, and when, on demand. */
export function SignedTerms({ agreement, explorerUrl }: Props) {
  const { terms, termsHash, signatures, typedData } = agreement;
  const { paymentTxHash, deliveryPaymentTxHash, refundTxHash } = agreement;
  return (
    <RecordsPanel
      note="Signed document, times, hashes"
      explorerUrl={explorerUrl}
      records={[
        ["Hash of the terms (SHA-256)", termsHash, "hash of the terms"],
        ["Contractor's signature", signatures.contractor, "contractor's signature"],
        ["Client's signature", signatures.requester, "client's signature"],
        ["Payment", paymentTxHash ?? deliveryPaymentTxHash, "payment's transaction hash", true],
        ["Refund", refundTxHash, "refund's transaction hash", true],
      ]}
    >
      {(["proposed", "agreed", "paid", "ended", "settled"] as const).map((event) => {
        const at = agreement[`${event}At`];
        return (
          at && (
            <Fact key={event} label={capitalize(event)}>
              {formatDateTime(at)}
            </Fact>
          )
        );
      })}
      <Fact label="Summary that the wallets showed">{typedData.message.summary}</Fact>
      <Fact label="Terms">
        <CodeBlock code={JSON.stringify(terms, null, 2)} name="signed terms" />
      </Fact>
    </RecordsPanel>
  );
}
