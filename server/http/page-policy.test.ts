import { createServer, get, type IncomingMessage } from "node:http";
import { afterAll, expect, test } from "vitest";
import type { WalletConnectors } from "@/server/chain/schema";
import { createHstsHeader } from "@/server/rest/response";
import { listen } from "@/server/testing/http/listen";
import { createPagePolicy, getAllowedOrigins, NO_ORIGINS } from "./page-policy";
import { createRequestHandler } from "./request-handler";

const nothing = { serve: async () => {} };
/** The policies that the pages saw in the request, where Next looks for the nonce. */
const seen: (string | string[] | undefined)[] = [];
const server = createServer(
  createRequestHandler(
    { rest: nothing as never, trpc: nothing, metrics: nothing as never },
    async (req, res) => {
      seen.push(req.headers["content-security-policy"]);
      res.end();
    },
    {
      ownerPages: { connect: ["http://127.0.0.1:8545"], frame: [] },
      verifyPage: { connect: ["https://node.example"], frame: [] },
      headers: createHstsHeader({ PUBLIC_URL: "https://a.example" }),
    },
  ),
);
const { port, close } = await listen(server);
afterAll(close);

interface Asked {
  path?: string;
  headers?: Record<string, string>;
}

function request({ path = "/leaderboard", headers = {} }: Asked = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ port, path, headers }, (res) => resolve(res.resume())).on("error", reject);
  });
}

test("sends each page a policy with its own nonce and passes it to Next", async () => {
  const policies = [await request(), await request()].map(
    ({ headers }) => headers["content-security-policy"],
  );
  expect(seen.slice(-2)).toEqual(policies);
  expect(new Set(policies).size).toBe(2);
});

test("allows other origins only on the owners' pages and /verify with its worker", async () => {
  const connect = async (path: string) => {
    const policy = String((await request({ path })).headers["content-security-policy"]);
    return /connect-src [^;]*/.exec(policy)?.[0];
  };
  for (const path of [
    "/register",
    "/sign-in",
    "/dashboard",
    "/register?from=home",
    "/dashboard/keys",
    "/agreements/new",
  ]) {
    expect([path, await connect(path)]).toEqual([path, "connect-src 'self' http://127.0.0.1:8545"]);
  }
  for (const path of ["/verify", "/verify?agent=0x1"]) {
    expect([path, await connect(path)]).toEqual([path, "connect-src 'self' https://node.example"]);
  }
  expect(await connect("/_next/static/chunks/worker.js")).toBe(
    "connect-src 'self' https://node.example https: http://localhost:* http://127.0.0.1:*",
  );
  for (const path of ["/", "/leaderboard", "/registered", "/verifying", "/docs?x=/register"]) {
    expect([path, await connect(path)]).toEqual([path, "connect-src 'self'"]);
  }
});

test("ignores a policy in the request", async () => {
  await request({ headers: { "Content-Security-Policy": "script-src 'nonce-mine'" } });
  expect(seen.at(-1)).not.toContain("nonce-mine");
});

test("allows inline scripts only with the nonce", () => {
  const [scripts] = /script-src [^;]*/.exec(createPagePolicy("abc", NO_ORIGINS)) ?? [];
  expect(scripts).toBe("script-src 'self' 'nonce-abc'");
});

const NO_CONNECTORS = { walletConnectProjectId: null, baseAccount: false };

test("allows the local node, or any https origin on a public chain", () => {
  const reach = (rpcUrl: string | null) => getAllowedOrigins({ rpcUrl, connectors: NO_CONNECTORS });
  expect(reach("http://127.0.0.1:8545/x")).toEqual({
    connect: ["http://127.0.0.1:8545"],
    frame: [],
  });
  expect(reach(null)).toEqual({ connect: ["https:", "wss:"], frame: [] });
});

test("allows WalletConnect's hosts only if configured, and none for a Base Account", () => {
  const policy = (connectors: WalletConnectors) =>
    createPagePolicy("abc", getAllowedOrigins({ rpcUrl: "http://127.0.0.1:8545", connectors }));
  const none = policy(NO_CONNECTORS);
  expect(none).not.toMatch(/walletconnect|coinbase/);
  expect(none).toContain("frame-src 'none'");
  expect(policy({ ...NO_CONNECTORS, baseAccount: true })).toBe(none);
  const some = policy({ ...NO_CONNECTORS, walletConnectProjectId: "0".repeat(32) });
  expect(some).toMatch(/connect-src [^;]* wss:\/\/relay\.walletconnect\.org[ ;]/);
  expect(some).toMatch(/frame-src https:\/\/verify\.walletconnect\.org;/);
});

test("sends HSTS only if PUBLIC_URL is https", async () => {
  const hsts = { "Strict-Transport-Security": "max-age=31536000" };
  expect((await request()).headers["strict-transport-security"]).toBe("max-age=31536000");
  expect(createHstsHeader({ PUBLIC_URL: "https://standing.example" })).toEqual(hsts);
  expect(createHstsHeader({ PUBLIC_URL: "http://standing.example" })).toEqual({});
  expect(createHstsHeader({})).toEqual({});
});

test("allows eval and WebSockets in development only", () => {
  expect(createPagePolicy("n", NO_ORIGINS)).not.toMatch(/unsafe-eval|ws:/);
  expect(createPagePolicy("n", NO_ORIGINS, true)).toContain(
    "script-src 'self' 'nonce-n' 'unsafe-eval';",
  );
  expect(createPagePolicy("n", NO_ORIGINS, true)).toContain("connect-src 'self' ws:;");
});
