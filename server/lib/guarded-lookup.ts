import type { LookupAddress, LookupOptions } from "node:dns";
import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";

/** A DNS answer is an input: tests give their own. Same shape as `dns.lookup` with `all: true`. */
export type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** For one question to one name server, which is asked twice. */
const TIMEOUT_MS = 2_000;

/** RFC 6761, 6.3: these names mean this machine, whatever a name server would say. */
const LOCALHOST = /(?:^|\.)localhost\.?$/i;

/**
 * Looks names up in `/etc/hosts`, and others by asking the name servers itself. The system's own
 * lookup takes one of the process's few threads until it is answered, so a few names whose servers
 * keep silent would hold up every other lookup, those of the database and the node too.
 * @param servers Instead of the system's, for tests.
 */
export function guardedLookup(servers?: string[]): Lookup {
  return (hostname, _, callback) => {
    void addressesOf(hostname, servers).then(
      (addresses) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
      (error) => callback(error, []),
    );
  };
}

async function addressesOf(hostname: string, servers?: string[]): Promise<string[]> {
  if (LOCALHOST.test(hostname)) return ["127.0.0.1", "::1"];
  const hosts = await readFile("/etc/hosts", "utf8").catch(() => "");
  const known = addressesInHosts(hosts, hostname);
  if (known.length > 0) return known;
  // One for each name: it reads the system's configuration when it is made.
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  if (servers) resolver.setServers(servers);
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (found.length > 0) return found;
  const cause = answers.find((answer) => answer.status === "rejected")?.reason;
  // Whatever went wrong, by the one name that the system's lookup has for it.
  throw Object.assign(new Error("the name has no address", { cause }), { code: "ENOTFOUND" });
}

/** What a hosts file (hosts(5)) says of a name. */
export function addressesInHosts(hosts: string, hostname: string): string[] {
  const wanted = hostname.toLowerCase().replace(/\.$/, "");
  return hosts.split("\n").flatMap((line) => {
    const [address = "", ...names] = (line.split("#", 1)[0] ?? "").trim().split(/\s+/);
    return isIP(address) && names.some((name) => name.toLowerCase() === wanted) ? [address] : [];
  });
}
