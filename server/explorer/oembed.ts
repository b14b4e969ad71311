import { isolateText } from "@/server/lib/bidi";
import { escapeXml } from "@/server/lib/escape-xml";

const MAX_WIDTH = 480;
const HEIGHT = 120;

/** What an embedded page shows. Texts may be untrusted. */
interface EmbedFacts {
  title: string;
  /** Sentences below the title. */
  description: string;
  /** Name of the agent that the page is about. */
  agent: string;
  /** Path of its profile. */
  agentPath: string;
  /** Path of the page. */
  path: string;
}

/** Returns the URL of the oEmbed response for the page at `path`, which its head names. */
export const getOembedUrl = (site: string, path: string) =>
  `${site}/oembed?url=${encodeURIComponent(site + path)}`;

/**
 * Returns the path of the page that an embedding site asks for, if it is the profile of an agent or
 * an outcome of the service at `site`, else null.
 */
export function parseEmbedUrl(
  url: string,
  site: string,
): { kind: "agent" | "outcome"; id: string } | null {
  if (!URL.canParse(url)) return null;
  const { origin, pathname } = new URL(url);
  if (origin !== new URL(site).origin) return null;
  const [, list, id] = /^\/(agents|outcomes)\/([\w-]+)\/?$/.exec(pathname) ?? [];
  return id ? { kind: list === "agents" ? "agent" : "outcome", id } : null;
}

/**
 * Returns a response of type `rich` (oEmbed 1.0, section 2.3.4.4): a quotation that needs neither
 * scripts nor styles.
 * @param site Public URL of the service, without a trailing slash.
 * @param maxWidth Limit of the embedding site, in pixels.
 */
export function createOembed(facts: EmbedFacts, site: string, maxWidth = MAX_WIDTH) {
  const { title, description, agent, agentPath, path } = facts;
  const link = `<a href="${escapeXml(site + path)}">${escapeXml(title)}</a>`;
  return {
    version: "1.0",
    type: "rich",
    provider_name: "Standing",
    provider_url: site,
    title,
    author_name: isolateText(agent),
    author_url: site + agentPath,
    cache_age: 300,
    width: Math.min(MAX_WIDTH, maxWidth),
    height: HEIGHT,
    html: `<blockquote cite="${escapeXml(site + path)}"><p>${link}</p><p>${escapeXml(description)}</p></blockquote>`,
  };
}
