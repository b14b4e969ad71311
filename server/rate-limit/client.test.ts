import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getClientKey, getRequestIp } from "./client";

/** Like that of a request, `header` needs its object. */
const getClientIp = (peer: string | null, forwardedFor: string | undefined, proxies: number) => {
  const header = function (this: { forwardedFor: string | undefined }) {
    return this.forwardedFor;
  };
  return getRequestIp({ TRUSTED_PROXIES: proxies }, { peer, header, forwardedFor } as never);
};

it.each([
  ["192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::", "2001:db8:1:2::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["unknown", "unknown"],
])("counts %s as %s", (ip, key) => {
  expect(getClientKey(ip)).toBe(key);
});

describe("getRequestIp", () => {
  it("returns the remote address without proxies", () => {
    fc.assert(
      fc.property(fc.string(), (sent) => getClientIp("192.0.2.7", sent, 0) === "192.0.2.7"),
    );
  });

  it("returns the address that our outermost proxy appended", () => {
    fc.assert(
      fc.property(fc.string(), (forged) => {
        expect(getClientIp("10.0.0.1", `${forged}, 203.0.113.9`, 1)).toBe("203.0.113.9");
        expect(getClientIp("10.0.0.1", `${forged}, 203.0.113.9, 10.0.0.2`, 2)).toBe("203.0.113.9");
      }),
    );
  });

  it.each([
    ["203.0.113.9:5123", "203.0.113.9"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
  ])("parses %s as written by proxies", (entry, ip) => {
    expect(getClientIp("10.0.0.1", entry, 1)).toBe(ip);
  });

  it("falls back to the remote address if no proxy appended one", () => {
    for (const sent of [undefined, "", "unknown", "999.1.1.1", "_hidden"]) {
      expect(getClientIp("10.0.0.1", sent, 1)).toBe("10.0.0.1");
    }
    expect(getClientIp("10.0.0.1", "203.0.113.9", 2)).toBe("10.0.0.1");
    expect(getClientIp(null, "203.0.113.9", 0)).toBe("unknown");
  });

  it("returns IPv4 for an IPv4 client of a dual-stack socket", () => {
    expect(getClientIp("::ffff:192.0.2.7", undefined, 0)).toBe("192.0.2.7");
  });
});
