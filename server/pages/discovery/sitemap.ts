import { escapeXml } from "@/server/lib/escape-xml";

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
