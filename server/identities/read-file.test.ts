import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Listening, serveHandler } from "@/server/testing/http/listen";
import { readIdentityFile } from "./read-file";

const read = (uri: string, allowLoopback = false) => readIdentityFile(uri, { allowLoopback });
const base64 = (text: string | Buffer) => Buffer.from(text).toString("base64");

const FILE = {
  type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
  name: "Zürich #1",
  description: "100% of ledgers,\nread twice.",
  image: "https://agent.example/a.png",
  services: [
    { name: "a2a", endpoint: "https://agent.example/card.json", version: "0.3.0" },
    { name: "MCP", endpoint: "https://agent.example/mcp" },
    { name: "agentWallet", endpoint: "eip155:8453:0x0" },
  ],
};
const JSON_TEXT = JSON.stringify(FILE);
const SHOWN = {
  uri: null,
  problem: null,
  name: "Zürich #1",
  description: "100% of ledgers, read twice.",
  services: [
    { kind: "A2A", name: "a2a", endpoint: "https://agent.example/card.json", version: "0.3.0" },
    { kind: "MCP", name: "MCP", endpoint: "https://agent.example/mcp", version: null },
    { kind: null, name: "agentWallet", endpoint: "eip155:8453:0x0", version: null },
  ],
};
const NOTHING = { name: null, description: null, services: [] };

describe("a file in a data: URI is read", () => {
  test.each([
    ["base64", `data:application/json;base64,${base64(JSON_TEXT)}`],
    ["base64 with a charset", `data:application/json;charset=utf-8;base64,${base64(JSON_TEXT)}`],
    ["percent-encoding", `data:application/json,${encodeURIComponent(JSON_TEXT)}`],
    ["no encoding", `data:application/json;utf8,${JSON_TEXT}`],
    ["gzip", `data:application/json;enc=gzip;base64,${base64(gzipSync(JSON_TEXT))}`],
    [
      "gzip with a level",
      `DATA:application/json;enc=gzip;level=6;base64,${base64(gzipSync(JSON_TEXT))}`,
    ],
  ])("in %s", async (_, uri) => expect(await read(uri)).toEqual(SHOWN));

  test("with the endpoints of earlier drafts, and without what is not text", async () => {
    const { services: endpoints, ...rest } = FILE;
    const earlier = { ...rest, name: 7, description: {}, endpoints: [...endpoints, 1, null] };
    expect(await read(`data:,${encodeURIComponent(JSON.stringify(earlier))}`)).toEqual({
      ...SHOWN,
      name: null,
      description: null,
    });
  });

  test("shortened, and without what hides in it or no database takes", async () => {
    const hostile = {
      name: "Good \u202Eevil\u0000\u200B\uD800 agent ".padEnd(500, "x"),
      services: Array(30).fill({ name: "web", endpoint: "javascript:alert(1)".padEnd(1_000, "x") }),
    };
    const { name, services } = await read(`data:,${encodeURIComponent(JSON.stringify(hostile))}`);
    expect(name).toMatch(/^Good evil� agent x+$/);
    expect(name).toHaveLength(100);
    expect(services).toHaveLength(20);
    expect(services[0]?.endpoint).toHaveLength(500);
  });
});

const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, " "));

test.each([
  ["no URI", "", "The identity has no file."],
  ["no base64", "data:;base64,%%%", "The data: URI is malformed."],
  ["no gzip", `data:;enc=gzip;base64,${base64("plain")}`, "The file is not valid gzip."],
  ["a bomb", `data:;enc=gzip;base64,${base64(bomb)}`, "The file is larger than 64 KB."],
  ["too much", `data:,{"name":"${"x".repeat(65_536)}"}`, "The file is larger than 64 KB."],
  ["far too much", `data:,${"x".repeat(1_000_000)}`, "The file is larger than 64 KB."],
  ["a picture", `data:image/png;base64,${base64("\x89PNG\xff")}`, "The file is not JSON in UTF-8."],
  ["a list", "data:,[]", "The file is not a JSON object."],
])("a data: URI of %s has a problem instead of a file", async (_, uri, problem) => {
  expect(await read(uri)).toEqual({ uri: null, problem, ...NOTHING });
});

test.each([
  ["ipfs://folder/agent.json", "A file on IPFS is named, not fetched."],
  ["ftp://agent.example/a", "Only data: and http(s): URIs are read."],
  ["agent.json", "Only data: and http(s): URIs are read."],
])("%s is named and not fetched", async (uri, problem) => {
  expect(await read(uri)).toEqual({ uri, problem, ...NOTHING });
});

describe("a file on the web", () => {
  let site: Listening;
  beforeAll(async () => {
    site = await serveHandler(async ({ url }) => {
      const { pathname } = new URL(url);
      const headers = { "Content-Type": "application/octet-stream" };
      if (pathname === "/moved") return Response.redirect(`${site.url}/agent.json`);
      if (pathname === "/large") return new Response(" ".repeat(65_537), { headers });
      if (pathname === "/agent.json") return new Response(JSON_TEXT, { headers });
      return new Response("gone", { status: 404 });
    });
  });
  afterAll(() => site.close());

  test("is read by the rules for outbound requests", async () => {
    for (const path of ["/agent.json", "/moved"]) {
      const uri = `${site.url}${path}`;
      expect(await read(uri, true)).toEqual({ ...SHOWN, uri });
      expect((await read(uri)).problem).toBe("The URL leads to an address that is not public.");
    }
  });

  test("has a problem if it is too large or missing", async () => {
    expect((await read(`${site.url}/large`, true)).problem).toBe("The file is larger than 64 KB.");
    const { problem } = await read(`${site.url}/missing`, true);
    expect(problem).toBe("The server answered with status 404.");
  });
});
