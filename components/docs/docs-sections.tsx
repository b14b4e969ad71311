import { CodeBlock, CopyLine } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { Fact } from "@/components/ui/fact";
import { FoldedPanel } from "@/components/ui/panel";
import { FullLink, TextLink } from "@/components/ui/text-link";
import { STATEMENT_CHECK } from "./quick-start/quick-start-steps";

/** Shows what every request needs to know: base URL, key, errors and the machine-readable document. */
export function ApiFacts({ url }: { url: string }) {
  const base = `${url}/api/v1`;
  const install = `npm install ${url}/sdk.tgz`;
  return (
    <dl className="mt-6 grid gap-x-8 gap-y-4 rounded-lg border border-line bg-raised p-5 sm:grid-cols-3">
      <Fact label="Base URL" className="sm:col-span-3">
        <code className="wrap-anywhere">{base}</code>{" "}
        <CopyButton text={base} label="Copy base URL" />
      </Fact>
      <Fact label="Authentication">
        <code className="text-[0.8125rem]">X-API-Key</code>, from{" "}
        <TextLink href="/docs/operations/register-agent">registration</TextLink>
      </Fact>
      <Fact label="Errors">
        Problem details (RFC 9457) with a stable <code className="text-[0.8125rem]">code</code>
      </Fact>
      <Fact label="For tools">
        <FullLink href="/api/v1/openapi.json">openapi.json</FullLink> (OpenAPI 3.1)
      </Fact>
      <Fact label="TypeScript client" className="sm:col-span-3">
        <code className="wrap-anywhere">{install}</code>{" "}
        <CopyButton text={install} label="Copy installation" />
      </Fact>
    </dl>
  );
}

interface Props {
  /** URL of the MCP endpoint. */
  endpoint: string;
  /** Configuration of each client: the file it belongs in, and its content. */
  clients: readonly { client: string; file: string; text: string }[];
}

/** Shows the MCP endpoint and how common clients are configured to use it. */
export function McpSetup({ endpoint, clients }: Props) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <CopyLine text={endpoint} label="Copy MCP endpoint" />
      <p className="text-sm text-muted">
        Reading needs no key. To submit outcomes and open disputes, set STANDING_API_KEY.
      </p>
      <div className="grid grid-cols-1 gap-2">
        {clients.map(({ client, file, text }) => (
          <FoldedPanel key={client} title={client} note={file}>
            <CodeBlock code={text} name={`Configuration of ${client}`} />
          </FoldedPanel>
        ))}
      </div>
    </div>
  );
}

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
