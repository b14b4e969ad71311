import type { LookupAddress, LookupOptions } from "node:dns";
import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";

/** Same shape as `dns.lookup` with `all: true`. Tests pass their own. */
export type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Per query and name server; each query is tried twice. */
const TIMEOUT_MS = 2_000;

/** RFC 6761, 6.3: these names always mean this machine. */
const LOCALHOST = /(?:^|\.)localhost\.?$/i;

/**
 * Creates a lookup that reads `/etc/hosts` and then queries the name servers directly. The system's
 * own lookup occupies one of the process's few threads until it finishes, so a few names with silent
 * servers would block every other lookup, including those of the database and the node.
 * @param servers Name servers to use instead of the system's, for tests.
 */
export function createGuardedLookup(servers?: string[]): Lookup {
  return (hostname, _, callback) => {
    void resolveAddresses(hostname, servers).then(
      (addresses) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
      (error) => callback(error, []),
    );
  };
}

async function resolveAddresses(hostname: string, servers?: string[]): Promise<string[]> {
  if (LOCALHOST.test(hostname)) return ["127.0.0.1", "::1"];
  const hosts = await readFile("/etc/hosts", "utf8").catch(() => "");
  const known = findInHostsFile(hosts, hostname);
  if (known.length > 0) return known;
  // One per name: it reads the system's configuration when it is created.
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  if (servers) resolver.setServers(servers);
  const results = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  const found = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
  if (found.length > 0) return found;
  const causes = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  // A name that does not exist has neither kind of address; any other cause says nothing about it.
  const cause = causes.find(({ code }) => code !== "ENOTFOUND") ?? causes[0];
  // The system's lookup uses this code for every failure.
  throw Object.assign(new Error("the name has no address", { cause }), { code: "ENOTFOUND" });
}

/** Returns the addresses of a name in a hosts file (hosts(5)). */
export function findInHostsFile(hosts: string, hostname: string): string[] {
  const wanted = hostname.toLowerCase().replace(/\.$/, "");
  return hosts.split("\n").flatMap((line) => {
    const [address = "", ...names] = (line.split("#", 1)[0] ?? "").trim().split(/\s+/);
    return isIP(address) && names.some((name) => name.toLowerCase() === wanted) ? [address] : [];
  });
}

/**
 * Returns whether a host does not exist: its name servers say so, for a name within a domain that they
 * know. False if they can't be asked.
 */
export async function isUnknownHost(hostname: string, servers?: string[]): Promise<boolean> {
  const error: unknown = await resolveAddresses(hostname, servers).then(
    () => null,
    (failure: unknown) => failure,
  );
  const cause = error instanceof Error ? error.cause : null;
  if (!(cause instanceof Error && "code" in cause && cause.code === "ENOTFOUND")) return false;
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  if (servers) resolver.setServers(servers);
  return resolver.resolveNs(KNOWN_DOMAIN).then(
    (names) => names.length > 0,
    () => false,
  );
}

/** A name server that does not know it knows no name. */
const KNOWN_DOMAIN = "com";
