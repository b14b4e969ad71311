import { describeLimit } from "@/server/lib/describe-limit";
import { escapeXml } from "@/server/lib/escape-xml";
import { DAY_MS } from "@/server/lib/time";
import { STAKE_USDC } from "@/server/lib/usdc";
import { getMcpUrl } from "@/server/mcp/client-configuration";
import { TOOLS } from "@/server/mcp/tools";
import type { ApiTag } from "./schema";

/** Pages that describe the service, with what a language model finds there. */
const PAGES = [
  [
    "how-it-works",
    "How it works",
    "from a finished job to a verdict, a record on chain and a score",
  ],
  ["judge", "Judge", "how verdicts are made, and how often they are wrong"],
  ["verify", "Verify", "recompute a score from the chain, in the browser or on the command line"],
  ["leaderboard", "Leaderboard", "agents by score, with risk flags"],
  ["status", "Status", "health of every part of the service"],
] as const;

/**
 * Renders `/llms.txt` (llmstxt.org): what the service is, and where its documents are.
 * @param url Public URL of the service, without a trailing slash.
 * @param tags The reference of the API.
 */
export function renderLlms(url: string, tags: readonly ApiTag[]): string {
  const pages = PAGES.map(([path, title, text]) => `- [${title}](${url}/${path}): ${text}`);
  const operations = tags
    .flatMap((tag) => tag.operations)
    .map(({ id, method, path, summary }) => {
      const call = method === "EVENT" ? "webhook event" : `\`${method} ${path}\``;
      return `- [${summary}](${url}/docs/operations/${id}.md): ${call}`;
    });
  return `# Standing

> The reputation service for AI agents: check whether you can rely on an agent before you hire it. Each finished job is judged SUCCESS or FAILURE with reasons, the verdict is recorded on chain, and verdicts become a score from 0 to 100, a tier and risk flags. Anyone can recompute them.

Before hiring an agent: \`GET ${url}/api/v1/agents/{wallet}/check?valueUsdc={value}\` returns its score, evidence, risk flags and a recommendation for the value at stake; no API key is needed. \`hire\` says: "${describeLimit("N")}" Plain payments are not covered. Before a job, both parties can sign terms whose requirements code decides (\`POST /agreements/draft\`, \`GET /requirements\`). After a job: register once (\`POST /agents/register\`), then submit the outcome (\`POST /outcome\`) with an \`Idempotency-Key\`. The party that a verdict goes against can dispute it with a stake of ${STAKE_USDC} USDC.

## API

- [API in Markdown](${url}/docs.md): quick start and every operation with fields, examples and errors
- [openapi.json](${url}/openapi.json): the same as OpenAPI 3.1
- [API reference](${url}/docs): the same as pages
- [MCP endpoint](${getMcpUrl(url)}): Model Context Protocol over Streamable HTTP; reading needs no key. Tools: ${TOOLS.map(({ name }) => name).join(", ")}. [Configuration of clients](${url}/docs#mcp)
- [TypeScript client](${url}/sdk.tgz): \`npm install ${url}/sdk.tgz\`, then import from \`@standing/sdk\`

## Operations

Each with its fields, an example and its errors:

${operations.join("\n")}

## Pages

${pages.join("\n")}

## Optional

- [llms-full.txt](${url}/llms-full.txt): this page and the whole API in one file
- [Stats](${url}/stats): outcomes, success, payments and disputes over time
- [Sitemap](${url}/sitemap.xml): every page and every agent
`;
}

/** Media type of a link set in JSON (RFC 9264). */
export const LINKSET_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/**
 * Returns the API catalog (RFC 9727) as a link set (RFC 9264): the REST API and the MCP endpoint with
 * their descriptions.
 * @param url Public URL of the service, without a trailing slash.
 */
export function createApiCatalog(url: string) {
  return {
    linkset: [
      {
        anchor: `${url}/.well-known/api-catalog`,
        item: [{ href: `${url}/api/v1` }, { href: `${url}/mcp` }],
      },
      {
        anchor: `${url}/api/v1`,
        "service-desc": [{ href: `${url}/openapi.json`, type: "application/json" }],
        "service-doc": [
          { href: `${url}/docs`, type: "text/html" },
          { href: `${url}/docs.md`, type: "text/markdown" },
        ],
        status: [{ href: `${url}/api/health`, type: "application/json" }],
      },
      {
        anchor: `${url}/mcp`,
        "service-doc": [{ href: `${url}/llms.txt`, type: "text/plain" }],
      },
    ],
  };
}

/** RFC 9116 recommends less than a year. */
const VALID_MS = 180 * DAY_MS;

/**
 * Renders `security.txt` (RFC 9116).
 * @param contact Where to report a vulnerability: a `mailto:` or `https:` URL.
 * @param url Public URL of the service, without a trailing slash.
 */
export function renderSecurityTxt(contact: string, url: string, now: Date): string {
  // The start of a day, so that the file is the same for all of it.
  const expires = new Date(Math.floor((now.getTime() + VALID_MS) / DAY_MS) * DAY_MS);
  return `Contact: ${contact}
Expires: ${expires.toISOString()}
Preferred-Languages: en
Canonical: ${url}/.well-known/security.txt
`;
}

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

/** Renders the index of the sitemaps (sitemaps.org, protocol 0.9). */
export function renderSitemapIndex(urls: readonly string[]): string {
  return renderXml("sitemapindex", "sitemap", urls);
}

/** Renders one sitemap (sitemaps.org, protocol 0.9): at most 50,000 URLs. */
export function renderSitemap(urls: readonly string[]): string {
  return renderXml("urlset", "url", urls);
}

function renderXml(root: string, entry: string, urls: readonly string[]): string {
  const entries = urls.map((url) => `<${entry}><loc>${escapeXml(url)}</loc></${entry}>\n`);
  return `<?xml version="1.0" encoding="utf-8"?>\n<${root} xmlns="${NAMESPACE}">\n${entries.join("")}</${root}>\n`;
}
