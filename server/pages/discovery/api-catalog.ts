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
