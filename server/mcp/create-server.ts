import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import type { AnyTRPCRouter } from "@trpc/server";
import { HOUR_MS } from "@/server/lib/time";
import { createFieldErrors } from "@/server/lib/to-app-error";
import { readVersion } from "@/server/lib/version";
import { REQUEST_HEADERS } from "@/server/rest/openapi/components";
import type { CallRequest, Rest } from "@/server/rest/rest";
import { compileRoutes } from "@/server/rest/routes";
import { describeProblem, separateUntrusted, toToolResult } from "./tool-result";
import { createToolSchemas } from "./tool-schemas";
import { INSTRUCTIONS, TOOLS, type Tool } from "./tools";

/** The lists only change with a new version of the service. */
const CACHED = { ttlMs: HOUR_MS, cacheScope: "public" } as const;

const OPTIONS = {
  instructions: INSTRUCTIONS,
  capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
  cacheHints: {
    "server/discover": CACHED,
    "tools/list": CACHED,
    "resources/list": CACHED,
    "resources/templates/list": CACHED,
  },
};

/**
 * Returns a function that creates the MCP server of one request. Throws if a tool names a procedure
 * without a route.
 */
export function createServerFactory({ rest, router }: { rest: Rest; router: AnyTRPCRouter }) {
  const routes = new Map(compileRoutes(router).map((route) => [route.procedure, route]));
  const tools = TOOLS.map((tool) => {
    const route = routes.get(tool.procedure);
    if (!route) throw new Error(`The procedure ${tool.procedure} of ${tool.name} has no route`);
    return { tool, schemas: createToolSchemas(tool, route) };
  });
  const scoring = readFileSync(join(process.cwd(), "docs/scoring.md"), "utf8");
  const version = readVersion();

  return (request: CallRequest): McpServer => {
    const server = new McpServer({ name: "standing", title: "Standing", version }, OPTIONS);
    for (const { tool, schemas } of tools) {
      const { name, title, description, annotations } = tool;
      const config = { title, description, annotations, outputSchema: schemas.output };
      server.registerTool(name, { ...config, inputSchema: schemas.input }, async (args) =>
        toToolResult(await callTool(rest, tool, args, request)),
      );
    }
    registerResources(server, rest, scoring, request);
    return server;
  };
}

function callTool(rest: Rest, tool: Tool, args: Record<string, unknown>, request: CallRequest) {
  if (!tool.takesIdempotencyKey) return rest.call(tool.procedure, async () => args, request);
  const { idempotencyKey, ...input } = args;
  const key = typeof idempotencyKey === "string" ? idempotencyKey : undefined;
  const withKey: CallRequest = {
    ...request,
    header: (name) => (name === "idempotency-key" ? key : request.header(name)),
  };
  return rest.call(tool.procedure, async () => requireKey(input, key), withKey);
}

const IDEMPOTENCY_KEY = new RegExp(REQUEST_HEADERS["Idempotency-Key"].schema.pattern);

/** Without a key, a model that repeats a call after a timeout would submit the outcome twice. */
function requireKey<T>(input: T, key: string | undefined): T {
  if (key !== undefined && IDEMPOTENCY_KEY.test(key)) return input;
  const detail = "must be 1 to 255 printable ASCII characters of your choice, new for each outcome";
  throw createFieldErrors([{ pointer: "#/idempotencyKey", detail, code: "invalid-format" }]);
}

function registerResources(
  server: McpServer,
  rest: Rest,
  scoring: string,
  request: CallRequest,
): void {
  server.registerResource(
    "scoring",
    "standing://docs/scoring",
    {
      title: "How the score works",
      description: "The formula, its constants and examples",
      mimeType: "text/markdown",
      cacheHint: CACHED,
    },
    ({ href }) => ({ contents: [{ uri: href, mimeType: "text/markdown", text: scoring }] }),
  );
  server.registerResource(
    "agent",
    new ResourceTemplate("standing://agent/{wallet}", { list: undefined }),
    {
      title: "Agent",
      description: "Score, tier, evidence, risks and price to fake of a wallet",
      mimeType: "application/json",
    },
    async ({ href }, { wallet }) => {
      const input = { walletAddress: wallet };
      const result = await rest.call("explorer.check", async () => input, request);
      if (result.problem) {
        const { problem, headers } = result;
        const code =
          problem.status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
        throw new ProtocolError(code, problem.detail, describeProblem(problem, headers));
      }
      const text = JSON.stringify(separateUntrusted(result.data));
      return { contents: [{ uri: href, mimeType: "application/json", text }] };
    },
  );
}
