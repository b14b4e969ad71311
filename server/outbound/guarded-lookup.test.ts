import { createSocket, type Socket } from "node:dgram";
import type { LookupAddress } from "node:dns";
import { lookup as systemLookup } from "node:dns/promises";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { startHttpServer } from "@/server/testing/http/local-servers";
import { fetchDocument } from "./guarded-fetch";
import { createGuardedLookup, findInHostsFile, isUnknownHost } from "./guarded-lookup";

const [A, NS, AAAA] = [1, 2, 28];
const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.close();
});

/**
 * Starts a name server (RFC 1035) that serves `records`, reports other names as missing, and never
 * responds for names that begin with `silent`.
 */
async function nameServer(records: Record<string, { type: number; data: Buffer }[]>) {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  opened.push(socket);
  socket.on("message", (query, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString("latin1", at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join(".").toLowerCase();
    asked.push(name);
    if (name.startsWith("silent")) return;
    const known = (records[name] ?? []).filter(({ type }) => type === query.readUInt16BE(at + 1));
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(name in records ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(known.length, 6);
    const answers = known.map(({ type, data }) => {
      const answer = Buffer.alloc(12);
      answer.writeUInt16BE(0xc00c, 0);
      answer.writeUInt16BE(type, 2);
      answer.writeUInt16BE(1, 4);
      answer.writeUInt32BE(60, 6);
      answer.writeUInt16BE(data.length, 10);
      return Buffer.concat([answer, data]);
    });
    socket.send(Buffer.concat([head, query.subarray(12, at + 5), ...answers]), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const address = `127.0.0.1:${socket.address().port}`;
  return { lookup: createGuardedLookup([address]), asked, address };
}

const four = (address: string) => ({ type: A, data: Buffer.from(address.split(".").map(Number)) });
const six = (hex: string) => ({ type: AAAA, data: Buffer.from(hex, "hex") });

function ask(
  lookup: ReturnType<typeof createGuardedLookup>,
  name: string,
): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(name, { all: true }, (error, found) => (error ? reject(error) : resolve(found)));
  });
}

test("resolves a name to every address its servers return", async () => {
  const { lookup } = await nameServer({
    "docs.example": [six("20010db8000000000000000000000001"), four("192.0.2.1"), four("192.0.2.2")],
    "six.example": [six("20010db8000000000000000000000002")],
  });
  expect(await ask(lookup, "docs.example")).toEqual([
    { address: "192.0.2.1", family: 4 },
    { address: "192.0.2.2", family: 4 },
    { address: "2001:db8::1", family: 6 },
  ]);
  expect(await ask(lookup, "six.example")).toEqual([{ address: "2001:db8::2", family: 6 }]);
});

test("fails like the system's lookup for a name without an address", async () => {
  const { lookup } = await nameServer({ "empty.example": [] });
  for (const name of ["empty.example", "unknown.example"]) {
    await expect(ask(lookup, name)).rejects.toMatchObject({ code: "ENOTFOUND" });
    expect(await fetchDocument(`http://${name}/`, { lookup })).toMatchObject({ code: "dns" });
  }
});

test("does not delay other names behind those with silent servers", async () => {
  const { lookup, asked } = await nameServer({ "docs.example": [four("192.0.2.1")] });
  let ended = 0;
  for (let nth = 0; nth < 64; nth++) {
    const end = () => {
      ended++;
    };
    ask(lookup, `silent${nth}.example`).then(end, end);
  }
  expect(await ask(lookup, "docs.example")).toEqual([{ address: "192.0.2.1", family: 4 }]);
  // A lookup that needs a thread of the process still gets one.
  expect(await systemLookup("localhost", 4)).toEqual({ address: "127.0.0.1", family: 4 });
  await expect.poll(() => new Set(asked).size).toBe(65);
  // They still wait.
  expect(ended).toBe(0);
});

test("refuses a name with a private address", async () => {
  const { lookup } = await nameServer({ "inside.example": [four("192.0.2.1"), four("10.0.0.1")] });
  const refused = await fetchDocument("http://inside.example/", { lookup });
  expect(refused).toMatchObject({ ok: false, code: "refused-address" });
});

test("resolves localhost to this machine without a query", async () => {
  const { lookup, asked } = await nameServer({});
  const { port } = await startHttpServer((_, response) => {
    response.writeHead(200, { "content-type": "text/plain" }).end("hello");
  });
  const url = `http://localhost:${port}/`;
  const allowed = { lookup, allowLoopback: true };
  expect(await fetchDocument(url, allowed)).toMatchObject({ ok: true, content: "hello" });
  expect(await fetchDocument(url, { lookup })).toMatchObject({ code: "refused-address" });
  expect(await fetchDocument(url, { allowLoopback: true })).toMatchObject({ ok: true });
  expect(asked).toEqual([]);
});

test("reads every name of a line of a hosts file, without comments", () => {
  const hosts = `# 10.0.0.9 docs
127.0.0.1\tmachine machine.lan # docs
::1  Machine
not-an-address docs
192.0.2.7 other
`;
  expect(findInHostsFile(hosts, "machine")).toEqual(["127.0.0.1", "::1"]);
  expect(findInHostsFile(hosts, "MACHINE.lan.")).toEqual(["127.0.0.1"]);
  expect(findInHostsFile(hosts, "docs")).toEqual([]);
});

test("a host is unknown only if servers that know other names don't know it", async () => {
  const com = { type: NS, data: Buffer.from("\u0001a\u0003com\0", "latin1") };
  const known = { "docs.example": [four("192.0.2.1")], "empty.example": [] };
  const working = await nameServer({ com: [com], ...known });
  const empty = await nameServer(known);
  const isUnknown = (name: string, { address }: typeof working) => isUnknownHost(name, [address]);
  expect(await isUnknown("gone.example", working)).toBe(true);
  expect(await isUnknown("docs.example", working)).toBe(false);
  expect(await isUnknown("empty.example", working)).toBe(false);
  expect(await isUnknown("gone.example", empty)).toBe(false);
  expect(await isUnknown("silent.example", working)).toBe(false);
});
