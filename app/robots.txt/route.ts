import { getSiteUrl } from "@/server/pages/page-api";
import { respondText } from "@/server/pages/respond-cached";

/** Serves the rules for crawlers (RFC 9309): everything but owners' pages and endless lists. */
export async function GET(request: Request): Promise<Response> {
  const body = `User-agent: *
Disallow: /dashboard
Disallow: /search
Disallow: /api/
Allow: /

Sitemap: ${await getSiteUrl()}/sitemap.xml
`;
  return respondText(request, body, "text/plain");
}
