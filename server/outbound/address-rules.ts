import ipaddr from "ipaddr.js";

/**
 * Ports that may be called: the web's, and above `LAST_SYSTEM_PORT` all but those in the second list,
 * which belong to well-known databases and to other protocols (Fetch standard, "port blocking").
 */
const WEB_PORTS = [80, 443];
const LAST_SYSTEM_PORT = 1_023;
const OTHER_PORTS = [
  1433, 1434, 1521, 1719, 1720, 1723, 2049, 2181, 2379, 2380, 2483, 2484, 3050, 3306, 3659, 4045,
  4190, 5060, 5061, 5432, 5433, 5984, 6000, 6379, 6380, 6432, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 6984, 7473, 7474, 7687, 8086, 8529, 9042, 9160, 9200, 9300, 10080, 11210, 11211,
  16379, 26257, 26379, 27017, 27018, 27019, 28015,
];

function isAllowedPort(port: number): boolean {
  return WEB_PORTS.includes(port) || (port > LAST_SYSTEM_PORT && !OTHER_PORTS.includes(port));
}

/**
 * Parses a URL by WHATWG rules (decimal, octal and hexadecimal hosts become dotted addresses).
 * Returns null if it is not http(s), carries a user name or password, or names a port that is
 * not allowed.
 */
export function parseOutboundUrl(url: string, base?: URL): URL | null {
  if (!URL.canParse(url, base?.href)) return null;
  const parsed = new URL(url, base);
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") return null;
  if (parsed.username !== "" || parsed.password !== "") return null;
  if (parsed.port !== "" && !isAllowedPort(Number(parsed.port))) return null;
  return parsed;
}

/**
 * Whether `address` (an IP literal without brackets) may be called from here. Public means: IPv4 in
 * no special range, and IPv6 inside 2000::/3 in no special range. That excludes private,
 * carrier-grade NAT, link-local and metadata addresses, and every IPv6 address that embeds an IPv4
 * one (mapped, NAT64, 6to4, Teredo). `allowLoopback` additionally allows only 127.0.0.0/8 and ::1.
 * Invalid addresses are refused.
 */
export function isAllowedAddress(address: string, allowLoopback = false): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === "loopback") return allowLoopback;
  if (range !== "unicast") return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}

/** The only publicly routed part of IPv6 (RFC 4291, IANA registry). */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];
