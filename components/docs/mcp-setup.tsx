import { CodeBlock } from "@/components/ui/code-block";
import { CopyIcon } from "@/components/ui/copy-button";

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
      <p>
        <code className="break-all">{endpoint}</code>{" "}
        <CopyIcon text={endpoint} label="Copy MCP endpoint" />
      </p>
      <p className="text-sm text-muted">
        Reading needs no key. To submit outcomes and open disputes, set STANDING_API_KEY.
      </p>
      <div className="grid grid-cols-1 gap-2">
        {clients.map(({ client, file, text }) => (
          <details key={client} className="min-w-0 rounded-lg border border-line bg-raised">
            <summary className="cursor-pointer px-4 py-2.5">
              <span className="font-medium">{client}</span>{" "}
              <code className="text-[0.8125rem] text-muted">{file}</code>
            </summary>
            <div className="px-4 pb-4">
              <CodeBlock code={text} name={`Configuration of ${client}`} />
            </div>
          </details>
        ))}
      </div>
    </div>
  );
}
