/** How a client is configured to use this service. */
export interface ClientConfiguration {
  client: string;
  /** The file that the text belongs in, relative to a project. */
  file: string;
  /** JSON. */
  text: string;
}

/** Returns the URL of the MCP endpoint. */
export const getMcpUrl = (origin: string) => `${origin}/mcp`;

/**
 * Returns copyable configuration for common clients. The key is only needed for writes; each client
 * takes it from an environment variable or asks for it, and sends an empty header without one.
 * @param origin Origin of the service, without a trailing slash.
 */
export function listClientConfigurations(origin: string): ClientConfiguration[] {
  const url = getMcpUrl(origin);
  return [
    {
      client: "Claude Code",
      file: ".mcp.json",
      text: toJson({
        mcpServers: {
          standing: { type: "http", url, headers: { "X-API-Key": `\${${VARIABLE}:-}` } },
        },
      }),
    },
    {
      client: "Cursor",
      file: ".cursor/mcp.json",
      text: toJson({
        mcpServers: { standing: { url, headers: { "X-API-Key": `\${env:${VARIABLE}}` } } },
      }),
    },
    {
      client: "VS Code",
      file: ".vscode/mcp.json",
      text: toJson({
        inputs: [
          {
            type: "promptString",
            id: INPUT,
            description: "Standing API key (empty to read only)",
            password: true,
          },
        ],
        servers: {
          standing: { type: "http", url, headers: { "X-API-Key": `\${input:${INPUT}}` } },
        },
      }),
    },
  ];
}

const VARIABLE = "STANDING_API_KEY";
const INPUT = "standing-api-key";

const toJson = (value: unknown) => JSON.stringify(value, null, 2);
