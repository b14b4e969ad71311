import { randomUUID } from "node:crypto";
import canonicalize from "canonicalize";
import { eq } from "drizzle-orm";
import { createTestClient, http } from "viem";
import { foundry } from "viem/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Terms } from "@/server/agreements/schema";
import { sha256 } from "@/server/lib/hash";
import { DAY_MS } from "@/server/lib/time";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { insertAgreement } from "@/server/testing/fixtures/agreement";
import { startHttpServer } from "@/server/testing/http/local-servers";
import { type CallResult, startTestService, type TestService } from "@/server/testing/service";
import { outcomes } from "./tables";

let service: TestService;
let contractor: TestAgent;
let requester: TestAgent;
let stranger: TestAgent;
beforeAll(async () => {
  service = await startTestService();
  [contractor, requester, stranger] = await Promise.all([
    service.agent({ proven: true }),
    service.agent(),
    service.agent({ proven: true }),
  ]);
});
afterAll(() => service.close());

const TASK = "Name three rivers of Europe.";
const CONTENT = "The Rhine, the Loire and the Vistula.";
const DELIVERABLE_URL = "https://example.org/rivers.txt";

async function submitted(changes: object = {}, by = contractor): Promise<string> {
  const { status, body } = await service.call("POST", "/outcome", {
    key: by.apiKey,
    body: {
      contractorAgentAddress: by.wallet,
      requesterAgentAddress: requester.wallet,
      taskDescription: TASK,
      taskCategory: "research",
      deliverableContent: CONTENT,
      valueUsdc: 0.1,
      ...changes,
    },
  });
  expect(status).toBe(202);
  return body.outcomeId;
}

const get = (outcomeId: string, key?: string, headers: Record<string, string> = {}) =>
  service.call("GET", `/outcome/${outcomeId}`, { ...(key ? { key } : {}), headers });

const readJudgement = (outcomeId: string, key?: string) =>
  service.call("GET", `/outcome/${outcomeId}/judgement`, key ? { key } : {});

const RESOLVED_FIELDS = [
  "evidence",
  "evidenceHash",
  "finalVerdict",
  "judge",
  "llmConfidence",
  "llmJudgeReasoning",
  "onChainTx",
  "recordIndex",
  "resolvedAt",
  "verdict",
];

/** Returns the status and the names of the fields that are only set with the verdict. */
function split({ body }: CallResult) {
  const { status, ...fields } = body;
  const names = Object.keys(fields).filter((name) => RESOLVED_FIELDS.includes(name));
  return { status, names: names.sort() };
}

describe("an outcome", () => {
  test("is public, and its verdict appears with all of its fields at once", async () => {
    const node = createTestClient({
      chain: foundry,
      mode: "anvil",
      transport: http(service.chain.rpcUrl),
    });
    await node.setAutomine(false);
    const outcomeId = await submitted();
    const seen: CallResult[] = [];
    let held = true;
    for (;;) {
      const called = await get(outcomeId);
      seen.push(called);
      if (called.body.status === "RESOLVED") break;
      // The transaction is pending and cannot be mined: no part of the verdict may be visible.
      if (held && (await node.getTxpoolStatus()).pending > 0) {
        for (let n = 0; n < 5; n++) seen.push(await get(outcomeId));
        for (const key of ["", contractor.apiKey]) {
          const early = await readJudgement(outcomeId, key);
          expect([early.status, early.body.code]).toEqual([409, "outcome-not-resolved"]);
        }
        held = false;
        await node.setAutomine(true);
        await node.mine({ blocks: 1 });
      }
    }
    const [first] = seen;
    expect(first?.body).toEqual({
      outcomeId,
      agreed: false,
      disputeScope: "work",
      status: "EVALUATING",
      contractorAgentAddress: contractor.wallet,
      requesterAgentAddress: requester.wallet,
      taskCategory: "research",
      title: null,
      valueUsdc: 0.1,
      paidUsdc: 0,
      submittedBy: { role: "contractor", walletAddress: contractor.wallet, walletVerified: true },
      submittedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      taskHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      deliverableHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    for (const called of seen) {
      const { status, names } = split(called);
      expect(called.headers.get("Retry-After")).toBe(status === "RESOLVED" ? null : "5");
      expect(names).toEqual(status === "RESOLVED" ? RESOLVED_FIELDS : []);
      expect(called.text).not.toContain("rivers");
      expect(called.text).not.toContain("Vistula");
    }
    expect(seen.at(-1)?.body).toMatchObject({
      ...first?.body,
      status: "RESOLVED",
      verdict: "SUCCESS",
      finalVerdict: "SUCCESS",
      recordIndex: 0,
      judge: { kind: "heuristic", id: "builtin-checks/v3" },
    });
  });

  test("lets anyone check what its record commits to, from public data alone", async () => {
    const outcomeId = await submitted();
    await service.waitForResolved(outcomeId);
    const { body } = await get(outcomeId);
    expect(body.evidenceHash).toBe(sha256(canonicalize(body.evidence) ?? ""));
    expect(body.evidence).toEqual({
      outcomeId,
      taskHash: body.taskHash,
      deliverableHash: body.deliverableHash,
      documentHash: null,
      checksHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      examinationsHash: null,
      verdict: body.verdict,
      confPpm: body.llmConfidence * 1_000_000,
      judgeVersion: "builtin-checks/v3",
      reasoningHash: sha256(body.llmJudgeReasoning),
    });
    // A bare hash would let a reader confirm a guess of the text.
    for (const text of [TASK, CONTENT]) {
      expect(JSON.stringify(body)).not.toContain(sha256(text).slice(2));
    }
  });

  test("has public cache headers, and returns 304 for its ETag", async () => {
    const outcomeId = await submitted();
    await service.waitForResolved(outcomeId);
    const { headers } = await get(outcomeId);
    expect(headers.get("Cache-Control")).toBe("public, no-cache");
    expect(headers.get("Vary")).toBe("X-API-Key, Authorization, Accept-Encoding");
    const etag = headers.get("ETag") ?? "";
    expect((await service.call("HEAD", `/outcome/${outcomeId}`)).headers.get("ETag")).toBe(etag);
    const again = await get(outcomeId, undefined, { "If-None-Match": etag });
    expect([again.status, again.text]).toEqual([304, ""]);
  });

  test.each([
    ["that does not exist", randomUUID(), 404, "not-found"],
    ["whose id is invalid", "1234", 400, "invalid-request"],
    ["whose id holds NUL", "%00", 400, "invalid-request"],
  ])("%s is refused", async (_, outcomeId, status, code) => {
    const called = await get(outcomeId);
    expect([called.status, called.body.code]).toEqual([status, code]);
  });
});

describe("the private texts of an outcome", () => {
  let outcomeId = "";
  beforeAll(async () => {
    outcomeId = await submitted({ deliverableUrl: DELIVERABLE_URL });
  });

  test("are shown to a party with a verified wallet, and never cached", async () => {
    const { status, headers, body } = await get(outcomeId, contractor.apiKey);
    expect(status).toBe(200);
    expect(headers.get("Cache-Control")).toBe("private, no-store");
    expect(headers.get("ETag")).toBeNull();
    expect(body.private).toEqual({
      agreementId: null,
      taskDescription: TASK,
      deliverableContent: CONTENT,
      deliverableUrl: DELIVERABLE_URL,
      salt: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  test.each([
    ["a party with an unverified wallet", () => requester],
    ["a verified stranger", () => stranger],
  ])("are not shown to %s", async (_, who) => {
    const { status, headers, body } = await get(outcomeId, who().apiKey);
    expect(status).toBe(200);
    expect(headers.get("Cache-Control")).toBe("private, no-store");
    expect(body).not.toHaveProperty("private");
    expect(body.outcomeId).toBe(outcomeId);
  });

  test("are not shown for an invalid key, or for naming a party's wallet", async () => {
    const wrong = `${contractor.apiKey.slice(0, -1)}${contractor.apiKey.endsWith("0") ? "1" : "0"}`;
    for (const key of [wrong, "rep_", "x"]) {
      expect((await get(outcomeId, key)).status).toBe(401);
    }
    const named = await get(outcomeId, undefined, { "X-Wallet-Address": contractor.wallet });
    expect(named.body).not.toHaveProperty("private");
    const other = await get(outcomeId, stranger.apiKey, { "X-Wallet-Address": contractor.wallet });
    expect(other.status).toBe(403);
  });

  test.each<[string, object, string]>([
    ["the content", {}, CONTENT],
    ["the content even if there is a URL", { deliverableUrl: DELIVERABLE_URL }, CONTENT],
    [
      "the URL if there is nothing else",
      { deliverableContent: undefined, deliverableUrl: DELIVERABLE_URL },
      DELIVERABLE_URL,
    ],
    [
      "the URL if the content is blank",
      { deliverableContent: " \u200B", deliverableUrl: DELIVERABLE_URL },
      DELIVERABLE_URL,
    ],
    ["white space if there is nothing else", { deliverableContent: " \n" }, " \n"],
    ["nothing if there is nothing", { deliverableContent: undefined }, ""],
  ])("are what the public hashes commit to: %s", async (_, changes, deliverable) => {
    const party = await service.agent({ proven: true });
    const id = await submitted(changes, party);
    const { body } = await get(id, party.apiKey);
    const salt = Buffer.from(body.private.salt, "hex");
    const salted = (text: string) => sha256(Buffer.concat([salt, Buffer.from(text)]));
    expect(body.taskHash).toBe(salted(TASK));
    expect(body.deliverableHash).toBe(salted(deliverable));
    const { body: seen } = await get(id);
    expect([seen.taskHash, seen.deliverableHash]).toEqual([body.taskHash, body.deliverableHash]);
  });

  test("have a different salt for each outcome", async () => {
    const [one, other] = [await submitted(), await submitted()];
    const hashes = await Promise.all([one, other].map(async (id) => (await get(id)).body.taskHash));
    expect(hashes[0]).toMatch(/^0x/);
    expect(hashes[0]).not.toBe(hashes[1]);
  });
});

describe("the judgement of an outcome", () => {
  let outcomeId = "";
  beforeAll(async () => {
    outcomeId = await submitted();
    await service.waitForResolved(outcomeId);
  });

  test("shows the findings publicly, without the parties' texts", async () => {
    const { status, headers, body, text } = await readJudgement(outcomeId);
    expect(status).toBe(200);
    expect(headers.get("Cache-Control")).toBe("public, no-cache");
    const { body: outcome } = await get(outcomeId);
    expect(body).toMatchObject({
      outcomeId,
      judge: { kind: "heuristic", version: "builtin-checks/v3" },
      verdict: outcome.verdict,
      confidence: outcome.llmConfidence,
      evidenceHash: outcome.evidenceHash,
      hashes: { checks: outcome.evidence.checksHash },
    });
    expect(body).not.toHaveProperty("private");
    for (const secret of [TASK, CONTENT]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(sha256(secret).slice(2));
    }
  });

  test("shows a party with a verified wallet everything that is stored, and is never cached", async () => {
    const { headers, body } = await readJudgement(outcomeId, contractor.apiKey);
    expect(headers.get("Cache-Control")).toBe("private, no-store");
    expect(body.private.unsaltedHashes).toMatchObject({
      task: sha256(TASK),
      deliverable: sha256(CONTENT),
    });
    const { body: outcome } = await get(outcomeId, contractor.apiKey);
    const salt = Buffer.from(outcome.private.salt, "hex");
    for (const [name, bare] of Object.entries<string>(body.private.unsaltedHashes)) {
      const salted = sha256(Buffer.concat([salt, Buffer.from(bare.slice(2), "hex")]));
      expect(body.hashes[name], name).toBe(salted);
    }
  });

  test.each([
    ["a party with an unverified wallet", () => requester],
    ["a verified stranger", () => stranger],
  ])("shows %s no more than the public", async (_, who) => {
    const { headers, body } = await readJudgement(outcomeId, who().apiKey);
    expect(headers.get("Cache-Control")).toBe("private, no-store");
    expect(body).toEqual((await readJudgement(outcomeId)).body);
  });
});

describe("the deliverable of an agreed outcome", () => {
  const NEVER: Terms["requirements"] = [{ check: "contains", phrases: ["Thames", "Zambezi"] }];
  const WORK = { deliverableContent: "The Rhine, the Loire and the Vistula.\r\n\u2003Zürich " };

  /** Delivers under terms of two verified agents and waits for the verdict. */
  async function deliver(requirements: Terms["requirements"], work: object = WORK) {
    const [worker, client] = [
      await service.agent({ proven: true }),
      await service.agent({ proven: true }),
    ];
    const parties = { contractor: worker, requester: client };
    const { id } = await insertAgreement(service.runtime.core, parties, { requirements });
    const sent = { key: worker.apiKey, body: { agreementId: id, ...work } };
    const { status, body } = await service.call("POST", "/outcome", sent);
    expect(status).toBe(202);
    return { worker, client, outcomeId: body.outcomeId as string };
  }
  type Delivery = Awaited<ReturnType<typeof deliver>>;
  const RHINE: Terms["requirements"] = [{ check: "contains", phrases: ["Rhine"] }];

  const read = ({ outcomeId }: Pick<Delivery, "outcomeId">, key?: string, what = "deliverable") =>
    service.call("GET", `/outcome/${outcomeId}/${what}`, key ? { key } : {});
  const refusal = ({ status, body }: CallResult) => [status, body.code];
  const change = ({ outcomeId }: Delivery, columns: Partial<typeof outcomes.$inferInsert>) =>
    service.database.db.update(outcomes).set(columns).where(eq(outcomes.id, outcomeId));

  test("is, byte for byte, what the record commits to, for both parties of a success", async () => {
    const done = await deliver(RHINE);
    await service.waitForResolved(done.outcomeId);
    const { body: outcome } = await get(done.outcomeId, done.client.apiKey);
    for (const { apiKey } of [done.client, done.worker]) {
      const { status, headers, body } = await read(done, apiKey);
      expect([status, headers.get("Cache-Control")]).toEqual([200, "private, no-store"]);
      expect(body).toEqual({
        outcomeId: done.outcomeId,
        ...WORK,
        encoding: "utf-8",
        deliverableUrl: null,
        mediaType: null,
        bytes: Buffer.byteLength(WORK.deliverableContent),
        sha256: sha256(WORK.deliverableContent),
      });
      const salt = Buffer.from(outcome.private.salt, "hex");
      const bytes = Buffer.from(body.deliverableContent);
      expect(sha256(Buffer.concat([salt, bytes]))).toBe(outcome.evidence.deliverableHash);
    }
  });

  test("of a URL is the bytes that were fetched, whatever they are", async () => {
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0xfe]);
    const server = await startHttpServer((_, response) => {
      response.writeHead(200, { "content-type": "image/png" }).end(bytes);
    });
    const deliverableUrl = `${server.url}/map.png`;
    const hash = sha256(bytes) as `0x${string}`;
    const done = await deliver([{ check: "sha256", hash }], { deliverableUrl });
    await service.waitForResolved(done.outcomeId);
    const { body } = await read(done, done.client.apiKey);
    expect(body).toMatchObject({
      deliverableContent: bytes.toString("base64"),
      encoding: "base64",
      deliverableUrl,
      mediaType: "image/png",
      bytes: bytes.length,
      sha256: hash,
    });
    const { body: outcome } = await get(done.outcomeId, done.client.apiKey);
    const salt = Buffer.from(outcome.private.salt, "hex");
    const salted = sha256(Buffer.concat([salt, Buffer.from(body.sha256.slice(2), "hex")]));
    expect(outcome.evidence.documentHash).toBe(salted);
    expect(server.seen).toHaveLength(1);
  });

  test("of terms written to fail gives the requester each result and no text, anywhere", async () => {
    const server = await startHttpServer((_, response) => {
      response.writeHead(200, { "content-type": "text/plain" }).end("The Rhine flows here.");
    });
    const page = `${server.url}/rhine`;
    const text = `The Rhine, says ${page}.`;
    const requirements = [{ check: "links-respond", min: 1 }, ...NEVER] as Terms["requirements"];
    const done = await deliver(requirements, { deliverableContent: text });
    const { client, worker, outcomeId } = done;
    const early = await read(done, client.apiKey);
    await service.waitForResolved(outcomeId);
    const late = await read(done, client.apiKey);
    expect([refusal(early), refusal(late)]).toEqual([
      [403, "forbidden"],
      [403, "forbidden"],
    ]);
    const seen = await Promise.all([
      get(outcomeId, client.apiKey),
      read(done, client.apiKey, "judgement"),
      read(done, client.apiKey, "pages"),
      service.call("GET", `/agreements?limit=10`, { key: client.apiKey }),
    ]);
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const { text: answer } of seen) {
      for (const secret of ["says", page, "/rhine", sha256(text).slice(2), "flows"]) {
        expect(answer).not.toContain(secret);
      }
    }
    const [outcome, judgement, pages] = seen.map(({ body }) => body);
    expect(outcome).not.toHaveProperty("private");
    expect(judgement).not.toHaveProperty("private");
    expect(outcome.evidence.agreement.requirements).toMatchObject([
      { passed: true },
      { passed: false },
    ]);
    expect(pages.pages).toEqual([
      expect.objectContaining({ url: null, content: null, status: 200 }),
    ]);
    // Its author reads all of it.
    expect((await read(done, worker.apiKey)).body.deliverableContent).toBe(text);
    expect((await read(done, worker.apiKey, "pages")).body.pages).toMatchObject([
      { url: page, finalUrl: page, status: 200, failure: null },
    ]);
  });

  test("is the requester's once it paid, and until it is known whether the work succeeded", async () => {
    const failed = await deliver(NEVER);
    await service.waitForResolved(failed.outcomeId);
    await change(failed, { paidMicro: 5_000_000n });
    expect((await read(failed, failed.client.apiKey)).body).toMatchObject(WORK);
    expect((await get(failed.outcomeId, failed.client.apiKey)).body.private).toMatchObject(WORK);

    const undecided = await deliver(RHINE);
    await service.waitForResolved(undecided.outcomeId);
    await change(undecided, { assessed: false });
    expect(refusal(await read(undecided, undecided.client.apiKey))).toEqual([403, "forbidden"]);
  });

  test("and its pages are for the two parties alone", async () => {
    const done = await deliver(RHINE);
    await service.waitForResolved(done.outcomeId);
    const unverified = await service.agent();
    for (const what of ["deliverable", "pages"]) {
      for (const { apiKey } of [stranger, unverified]) {
        expect(refusal(await read(done, apiKey, what))).toEqual([403, "forbidden"]);
      }
      expect(refusal(await read(done, undefined, what))).toEqual([401, "unauthenticated"]);
      const unknown = { outcomeId: randomUUID() };
      expect(refusal(await read(unknown, done.client.apiKey, what))).toEqual([404, "not-found"]);
    }
  });

  test("and its pages can be read until 30 days after the dispute window", async () => {
    const done = await deliver(RHINE);
    await service.waitForResolved(done.outcomeId);
    const window = service.runtime.core.env.DISPUTE_WINDOW;
    const end = Date.now() - window - 30 * DAY_MS;
    const { apiKey } = done.worker;
    const statuses = async () =>
      Promise.all(
        ["deliverable", "pages"].map(async (what) => (await read(done, apiKey, what)).status),
      );
    await change(done, { resolvedAt: new Date(end + 60_000) });
    expect(await statuses()).toEqual([200, 200]);
    await change(done, { resolvedAt: new Date(end - 1) });
    expect(await statuses()).toEqual([404, 404]);
    const { body } = await get(done.outcomeId, apiKey);
    expect(body.private).toMatchObject({ deliverableContent: null, deliverableUrl: null });
  });

  test("that is missing is not found", async () => {
    const done = await deliver(NEVER, {});
    await service.waitForResolved(done.outcomeId);
    expect(refusal(await read(done, done.worker.apiKey))).toEqual([404, "not-found"]);
  });
});
