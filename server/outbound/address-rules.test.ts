import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isAllowedAddress, parseOutboundUrl } from "./address-rules";

describe("allowed addresses", () => {
  test.each([
    "8.8.8.8",
    "1.1.1.1",
    "100.63.255.255",
    "100.128.0.1",
    "172.15.0.1",
    "172.32.0.1",
    "2606:4700:4700::1111",
    "2a00:1450:4001:81b::200e",
  ])("allows the public address %s", (address) => expect(isAllowedAddress(address)).toBe(true));

  test.each([
    ["this network", "0.0.0.0"],
    ["this network", "0.1.2.3"],
    ["private", "10.0.0.1"],
    ["private", "172.16.0.1"],
    ["private", "192.168.1.1"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["link-local", "169.254.1.1"],
    ["cloud metadata", "169.254.169.254"],
    ["protocol assignments", "192.0.0.192"],
    ["documentation", "203.0.113.7"],
    ["benchmarking", "198.18.0.1"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified", "::"],
    ["mapped private", "::ffff:10.0.0.1"],
    ["mapped loopback", "::ffff:127.0.0.1"],
    ["mapped public", "::ffff:8.8.8.8"],
    ["compatible", "::7f00:1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["NAT64, local use", "64:ff9b:1::a00:1"],
    ["6to4", "2002:7f00:1::"],
    ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    ["documentation", "2001:db8::1"],
    ["unique local", "fd00:ec2::254"],
    ["link-local", "fe80::1"],
    ["link-local with a zone", "fe80::1%eth0"],
    ["site-local", "fec0::1"],
    ["multicast", "ff02::1"],
    ["outside 2000::/3", "4000::1"],
    ["no address", "example.org"],
    ["empty", ""],
  ])("refuses an address that is not public (%s): %s", (_, address) => {
    expect(isAllowedAddress(address)).toBe(false);
    expect(isAllowedAddress(address, true)).toBe(false);
  });

  test.each(["127.0.0.1", "127.8.9.10", "::1"])("allows %s only with allowLoopback", (address) => {
    expect(isAllowedAddress(address)).toBe(false);
    expect(isAllowedAddress(address, true)).toBe(true);
  });

  test("refuses every IPv6 address outside 2000::/3", () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    fc.assert(
      fc.property(fc.tuple(group, group, group, group, group, group, group, group), (groups) => {
        const address = groups.map((part) => part.toString(16)).join(":");
        if (isAllowedAddress(address)) expect(groups[0] >> 13).toBe(1);
      }),
    );
  });
});

describe("allowed ports", () => {
  const isAllowed = (port: number) => parseOutboundUrl(`http://a.example:${port}/`) !== null;

  test("are those of the web and above 1023", () => {
    const low = Array.from({ length: 1_024 }, (_, port) => port).filter(isAllowed);
    expect(low).toEqual([80, 443]);
    for (const port of [1_024, 3_000, 8_000, 8_080, 8_443, 32_768, 65_535]) {
      expect(isAllowed(port), String(port)).toBe(true);
    }
    expect(parseOutboundUrl("http://a.example/")?.port).toBe("");
    expect(parseOutboundUrl("https://a.example/")?.port).toBe("");
  });

  test.each([
    ["SQL Server", 1_433],
    ["Oracle", 1_521],
    ["etcd", 2_379],
    ["MySQL", 3_306],
    ["PostgreSQL", 5_432],
    ["CouchDB", 5_984],
    ["Redis", 6_379],
    ["PgBouncer", 6_432],
    ["Neo4j", 7_687],
    ["InfluxDB", 8_086],
    ["Cassandra", 9_042],
    ["Elasticsearch", 9_200],
    ["memcached", 11_211],
    ["MongoDB", 27_017],
    ["IRC", 6_667],
    ["SIP", 5_060],
  ])("are not those of %s", (_, port) => expect(isAllowed(port)).toBe(false));
});
