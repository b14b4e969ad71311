import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { frontOf } from "./front";
import { onlyHttps } from "./lib/only-https";
import { pagePolicy, reachOf } from "./page-policy";

const nothing = { serve: async () => {}, respond: async () => new Response() };
/** What the pages saw as the policy of the request: there Next looks for the nonce. */
const seen: (string | string[] | undefined)[] = [];
const server = createServer(
  frontOf(
    { rest: nothing as never, trpc: nothing, metrics: nothing as never },
    async (req, res) => {
      seen.push(req.headers["content-security-policy"]);
      res.end();
    },
    { reach: ["http://127.0.0.1:8545"], headers: onlyHttps({ PUBLIC_URL: "https://a.example" }) },
  ),
);
beforeAll(() => new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready)));
afterAll(() => new Promise((closed) => server.close(closed)));

function answer(headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    get({ port, path: "/leaderboard", headers }, (res) => resolve(res.resume())).on(
      "error",
      reject,
    );
  });
}

test("every page gets a policy with a nonce of its own, and Next the same", async () => {
  const policies = [await answer(), await answer()].map(
    ({ headers }) => headers["content-security-policy"],
  );
  expect(seen.slice(-2)).toEqual(policies);
  expect(new Set(policies).size).toBe(2);
  expect(policies[0]).toContain("connect-src 'self' http://127.0.0.1:8545;");
});

test("a visitor does not choose the nonce", async () => {
  await answer({ "Content-Security-Policy": "script-src 'nonce-mine'" });
  expect(seen.at(-1)).not.toContain("nonce-mine");
});

test("no script runs inline without the nonce", () => {
  const [scripts] = /script-src [^;]*/.exec(pagePolicy("abc", [])) ?? [];
  expect(scripts).toBe("script-src 'self' 'nonce-abc'");
});

test("a local node is named; a public chain is reached as wallets do", () => {
  expect(reachOf({ rpcUrl: "http://127.0.0.1:8545/x" })).toEqual(["http://127.0.0.1:8545"]);
  expect(reachOf({ rpcUrl: null })).toEqual(["https:", "wss:"]);
});

test("browsers are kept to https where people come by it, and nowhere else", async () => {
  const told = { "Strict-Transport-Security": "max-age=31536000" };
  expect((await answer()).headers["strict-transport-security"]).toBe("max-age=31536000");
  expect(onlyHttps({ PUBLIC_URL: "https://standing.example/app" })).toEqual(told);
  expect(onlyHttps({ PUBLIC_URL: "http://standing.example" })).toEqual({});
  expect(onlyHttps({})).toEqual({});
});
