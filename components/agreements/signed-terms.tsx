import { RecordsPanel } from "@/components/site/records-panel";
import { CodeBlock } from "@/components/ui/code-block";
import { Fact } from "@/components/ui/fact";
import type { Agreement } from "@/server/agreements/schema";

interface Props {
  agreement: Agreement;
  explorerUrl: string | null;
}

/** Shows the signed document, its hash, and what signed it so far, on demand. */
export function SignedTerms({ agreement, explorerUrl }: Props) {
  const { terms, termsHash, signatures, paymentTxHash, typedData } = agreement;
  return (
    <RecordsPanel
      title="Signed document"
      note="Hash and signatures"
      explorerUrl={explorerUrl}
      records={[
        ["Hash of the terms (SHA-256)", termsHash, "hash of the terms"],
        ["Contractor's signature", signatures.contractor, "contractor's signature"],
        ["Client's signature", signatures.requester, "client's signature"],
        ["Payment, which signs too", paymentTxHash, "payment's transaction hash", true],
      ]}
    >
      <Fact label="Summary that the wallets showed">{typedData.message.summary}</Fact>
      <Fact label="Terms">
        <CodeBlock code={JSON.stringify(terms, null, 2)} name="signed terms" />
      </Fact>
    </RecordsPanel>
  );
}
