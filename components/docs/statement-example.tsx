import { CodeBlock } from "@/components/ui/code-block";
import { TextLink } from "@/components/ui/text-link";
import { STATEMENT_CHECK } from "./quick-start/typescript";

/** Shows how a program checks a signed statement with the SDK. */
export function StatementExample() {
  return (
    <div className="grid grid-cols-1 gap-3">
      <CodeBlock code={STATEMENT_CHECK} name="Check a signed statement" />
      <p className="text-sm text-muted">
        Contracts check one with the <code>ScoreGate</code> contract, whose address is in{" "}
        <TextLink href="/docs/operations/get-network">GET /network</TextLink>. All fields:{" "}
        <TextLink href="/docs/operations/get-statement">signed statement</TextLink>.
      </p>
    </div>
  );
}
