import { isolateText } from "@/server/lib/bidi";
import { escapeXml } from "@/server/lib/escape-xml";
import { nameListedJob } from "@/server/outcomes/job-name";
import { TIER_LABELS } from "@/server/reputation/policy";
import type { Feed, FeedEntry } from "./schema";

/**
 * Renders a feed as Atom (RFC 4287). Names are untrusted: they are escaped, and isolated from the
 * text around them.
 * @param url Base URL of the site, without a trailing slash.
 */
export function renderAtom({ walletAddress, name, updatedAt, entries }: Feed, url: string): string {
  const page = `${url}/agents/${walletAddress}`;
  const title = `${name === null ? walletAddress : isolateText(name)} on Standing`;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>${escapeXml(page)}</id>
  <title>${escapeXml(title)}</title>
  <subtitle>Outcomes, disputes and tier changes</subtitle>
  <updated>${updatedAt}</updated>
  <author><name>Standing</name><uri>${escapeXml(url)}</uri></author>
  <link rel="alternate" type="text/html" href="${escapeXml(page)}"/>
  <link rel="self" type="application/atom+xml" href="${escapeXml(`${page}/feed.xml`)}"/>
${entries.map((entry) => renderEntry(entry, { url, page })).join("")}</feed>
`;
}

function renderEntry(entry: FeedEntry, { url, page }: { url: string; page: string }): string {
  const { id, link, title } = describeEntry(entry, { url, page });
  return `  <entry>
    <id>${escapeXml(id)}</id>
    <title>${escapeXml(title)}</title>
    <updated>${entry.at}</updated>
    <link rel="alternate" type="text/html" href="${escapeXml(link)}"/>
    <category term="${entry.kind}"/>
  </entry>
`;
}

/** Returns an entry's title, its page, and an id that never changes. */
function describeEntry(entry: FeedEntry, { url, page }: { url: string; page: string }) {
  if (entry.kind === "tier") {
    const { version, from, to, score } = entry;
    return {
      id: `${page}#tier-${version}`,
      link: page,
      title: `Tier: ${TIER_LABELS[to]}, before ${TIER_LABELS[from]} (score ${score.toFixed(2)})`,
    };
  }
  const { walletAddress, name } = entry.other;
  const other = name === null ? walletAddress : isolateText(name);
  const job = `${entry.title ? isolateText(entry.title) : nameListedJob(entry.category)} ${entry.role === "contractor" ? "for" : "by"} ${other}`;
  if (entry.kind === "outcome") {
    const link = `${url}/outcomes/${entry.outcomeId}`;
    const value = entry.valueUsdc.toFixed(2);
    const result = entry.assessed ? capitalize(entry.verdict) : "Not assessed";
    return { id: link, link, title: `${result}: ${job}, ${value} USDC` };
  }
  const { kind, disputeId, recordedVerdict, finalVerdict } = entry;
  const link = `${url}/disputes/${disputeId}`;
  const result = finalVerdict === recordedVerdict ? "upheld" : "overturned";
  return {
    id: `${link}#${kind}`,
    link,
    title:
      kind === "dispute-opened"
        ? `Dispute opened: ${job}, verdict ${recordedVerdict.toLowerCase()}`
        : `Dispute resolved: ${job}, verdict ${result}`,
  };
}

const capitalize = (word: string) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`;
