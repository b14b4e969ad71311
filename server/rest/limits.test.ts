import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OTHER_TEST_KEY, SECOND_TEST_KEY, TEST_KEY } from "@/server/testing/http/test-router";
import { startTestServer } from "@/server/testing/http/test-server";

const NOTE_ID = "0f5c6f1e-6f3c-4a52-9d4e-2d8a4c8f1b7a";

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer({ PUBLIC_READS_PER_MINUTE: 3, TRUSTED_PROXIES: 1 });
});
afterAll(() => server.close());

/** Sends a request that our proxy reports as coming from `ip`. */
function from(
  ip: string,
  path: string,
  init: { method?: string; headers?: object; body?: string } = {},
) {
  const headers = { "X-Forwarded-For": `6.6.6.6, ${ip}`, ...init.headers };
  return server.fetch(path, { ...init, headers });
}

describe("the limit on public reads", () => {
  it("reports the state, allows the limit and refuses the next", async () => {
    for (const remaining of [2, 1, 0]) {
      const response = await from("192.0.2.1", "/explore/search");
      expect(response.status).toBe(200);
      expect(response.headers.get("RateLimit-Policy")).toBe('"default";q=3;w=60');
      expect(response.headers.get("RateLimit")).toMatch(
        new RegExp(`^"default";r=${remaining};t=(60|59)$`),
      );
      expect(response.headers.get("Retry-After")).toBeNull();
    }
    const refused = await from("192.0.2.1", "/explore/search");
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: "rate-limited", status: 429 });
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(50);
    expect(refused.headers.get("RateLimit")).toMatch(/^"default";r=0;t=/);
    expect(refused.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect((await from("192.0.2.2", "/explore/search")).status).toBe(200);
  });

  it("counts HEAD, bulk reads, documents, refusals, reads from memory and 304s alike", async () => {
    const bulk = { method: "POST", body: "[]", headers: { "Content-Type": "application/json" } };
    const states = [
      await from("192.0.2.3", "/openapi.json", { method: "HEAD" }),
      await from("192.0.2.3", "/reputation/bulk", bulk),
      await from("192.0.2.3", "/kept/kept", { headers: { "If-None-Match": "*" } }),
    ].map(({ status, headers }) => [status, headers.get("RateLimit")?.split(";")[1]]);
    expect(states).toEqual([
      [200, "r=2"],
      [400, "r=1"],
      [304, "r=0"],
    ]);
    expect((await from("192.0.2.3", "")).status).toBe(429);
  });

  it("counts an IPv6 /64 network as one client", async () => {
    for (const host of ["1", "2", "3"]) {
      expect((await from(`2001:db8::${host}`, "/explore/search")).status).toBe(200);
    }
    expect((await from("2001:db8::4", "/explore/search")).status).toBe(429);
  });

  it("does not count keyed endpoints", async () => {
    const key = { headers: { "X-API-Key": OTHER_TEST_KEY } };
    await from("192.0.2.4", "/notes", key);
    expect((await from("192.0.2.4", "/explore/search")).headers.get("RateLimit")).toContain("r=2");
  });
});

describe("the limit on requests with a key", () => {
  const get = (ip: string, key: string, path = "/notes") =>
    from(ip, path, { headers: { "X-API-Key": key } });

  it("counts a wallet's requests with any of its keys, from any address, and shows the state", async () => {
    for (const [ip, key, remaining] of [
      ["192.0.2.10", TEST_KEY, 2],
      ["192.0.2.11", SECOND_TEST_KEY, 1],
      ["192.0.2.12", TEST_KEY, 0],
    ] as const) {
      const response = await get(ip, key);
      expect(response.status).toBe(200);
      expect(response.headers.get("RateLimit-Policy")).toBe('"default";q=3;w=60');
      expect(response.headers.get("RateLimit")).toMatch(new RegExp(`^"default";r=${remaining};`));
    }
    const refused = await get("192.0.2.13", SECOND_TEST_KEY);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: "rate-limited" });
    expect(refused.headers.get("RateLimit")).toMatch(/^"default";r=0;t=/);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(50);
    expect((await get("192.0.2.13", SECOND_TEST_KEY, `/notes/${NOTE_ID}`)).status).toBe(429);
    // Another wallet at the same address, and reads without a key, go on.
    expect((await get("192.0.2.10", OTHER_TEST_KEY)).status).toBe(200);
    expect((await from("192.0.2.10", `/notes/${NOTE_ID}`)).status).toBe(200);
  });

  it("counts a public read with a key for the wallet, not for the address", async () => {
    const { server, close, wallet } = await startFresh();
    for (const remaining of [2, 1, 0]) {
      const response = await server(`/notes/${NOTE_ID}`, { headers: wallet });
      expect(response.headers.get("RateLimit")).toContain(`r=${remaining};`);
    }
    expect((await server(`/notes/${NOTE_ID}`, { headers: wallet })).status).toBe(429);
    expect((await server("/explore/search")).headers.get("RateLimit")).toContain("r=2;");
    await close();
  });

  it("does not count an invalid key for any wallet, and does not let it pass its address's limit", async () => {
    const { server, close, wallet } = await startFresh();
    const invalid = { headers: { "X-API-Key": "rep_wrong" } };
    const attempts = await Promise.all(
      Array.from({ length: 10 }, (_, n) => server(n % 2 ? "/notes" : `/notes/${NOTE_ID}`, invalid)),
    );
    const statuses = attempts.map(({ status }) => status).sort();
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429, 429, 429, 429, 429]);
    const elsewhere = { headers: { ...wallet, "X-Forwarded-For": "192.0.2.99" } };
    expect((await server("/notes", elsewhere)).headers.get("RateLimit")).toContain("r=2;");
    await close();
  });

  it("lets one address send more valid requests than the limit, of several wallets", async () => {
    const { server, close, wallet } = await startFresh();
    const other = { "X-API-Key": OTHER_TEST_KEY };
    for (const headers of [wallet, other, wallet, other, wallet, other]) {
      expect((await server("/notes", { headers })).status).toBe(200);
    }
    await close();
  });

  it("lets a key pass that was valid a moment ago while its address sends forged ones", async () => {
    const { server, close, wallet } = await startFresh();
    expect((await server("/notes", { headers: wallet })).status).toBe(200);
    const forged = { headers: { "X-API-Key": "rep_forged" } };
    for (const status of [401, 401, 401, 429]) {
      expect((await server("/notes", forged)).status).toBe(status);
    }
    expect((await server("/notes", { headers: wallet })).status).toBe(200);
    // A key that was not seen before is no different from a forged one.
    const unknown = { headers: { "X-API-Key": OTHER_TEST_KEY } };
    expect((await server("/notes", unknown)).status).toBe(429);
    await close();
  });

  it("accepts the key as a bearer token", async () => {
    const { server, close } = await startFresh();
    const get = (path: string, headers: Record<string, string>) => server(path, { headers });
    expect((await get("/notes", { Authorization: `Bearer ${TEST_KEY}` })).status).toBe(200);
    const optional = await get(`/notes/${NOTE_ID}`, { Authorization: `bearer ${TEST_KEY}` });
    expect(await optional.json()).toMatchObject({ note: "private" });
    expect(optional.headers.get("Vary")).toBe("X-API-Key, Authorization, Accept-Encoding");
    expect((await get("/notes", { Authorization: "Bearer rep_forged" })).status).toBe(401);
    const other = { Authorization: "Basic abcd" };
    expect(await (await get(`/notes/${NOTE_ID}`, other)).json()).toMatchObject({ note: "public" });
    const both = { "X-API-Key": TEST_KEY, Authorization: "Bearer rep_forged" };
    expect((await get("/notes", both)).status).toBe(400);
    await close();
  });

  it("stops checking keys for an address that keeps sending refused requests", async () => {
    const { server, close, wallet } = await startFresh();
    const policies = [];
    for (let i = 0; i < 7; i++) {
      const { headers } = await server("/notes", { headers: wallet });
      policies.push(headers.get("RateLimit-Policy")?.split(";")[0]);
    }
    expect(policies).toEqual([...Array(6).fill('"default"'), '"authentication"']);
    await close();
  });

  it("keeps the headers of an operation's own limit", async () => {
    const { server, close, wallet } = await startFresh();
    const headers = { ...wallet, "Content-Type": "application/json" };
    const init = { method: "POST", headers, body: '{"note":"hello"}' };
    for (const status of [201, 201, 201, 429]) {
      const response = await server("/notes", init);
      expect(response.status).toBe(status);
      const policy = status === 201 ? '"trial";q=3;w=60' : '"default";q=3;w=60';
      expect(response.headers.get("RateLimit-Policy")).toBe(policy);
    }
    await close();
  });
});

/** Starts a server of its own, since all tests of one server share its wallets. */
async function startFresh() {
  const fresh = await startTestServer({ PUBLIC_READS_PER_MINUTE: 3, TRUSTED_PROXIES: 1 });
  return { server: fresh.fetch, close: fresh.close, wallet: { "X-API-Key": TEST_KEY } };
}

describe("failed authentication", () => {
  it("counts per address, and refuses without checking the key beyond the limit", async () => {
    const wrong = { headers: { "X-API-Key": "rep_wrong" } };
    for (const status of [401, 401, 401, 429]) {
      const response = await from("192.0.2.5", "/notes", wrong);
      expect(response.status).toBe(status);
      if (status === 429) expect(response.headers.get("Retry-After")).toMatch(/^[1-9]/);
    }
    expect((await from("192.0.2.5", "/explore/search")).status).toBe(429);
    const right = { headers: { "X-API-Key": OTHER_TEST_KEY } };
    expect((await from("192.0.2.6", "/notes", right)).status).toBe(200);
  });
});
