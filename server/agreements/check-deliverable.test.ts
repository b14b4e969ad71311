import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Requirement } from "@/server/judging/requirements/schema";
import { documents } from "@/server/judging/tables";
import { rateLimitWindows } from "@/server/rate-limit/tables";
import { waitFor } from "@/server/testing/engine/engine";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { insertAgreement } from "@/server/testing/fixtures/agreement";
import { type Receiver, startReceiver } from "@/server/testing/http/receiver";
import { startTestService, type TestService } from "@/server/testing/service";
import { agreements } from "./tables";

let service: TestService;
let site: Receiver;
beforeAll(async () => {
  [service, site] = await Promise.all([
    startTestService(),
    startReceiver({
      answer: ({ url }) =>
        url.endsWith("/missing")
          ? 404
          : (response) => response.setHeader("Content-Type", "text/html").end(PAGE),
    }),
  ]);
});
afterAll(async () => {
  await service.close();
  await site.close();
});

const PAGE = "<html><title>Rivers</title><body><p>The Rhine</p></body></html>";
const REQUIREMENTS: Requirement[] = [
  { check: "word-count", max: 3 },
  { check: "contains", phrases: ["Rhine"] },
];

let requester: TestAgent;
let contractor: TestAgent;
beforeEach(async () => {
  [requester, contractor] = await Promise.all([
    service.agent({ proven: true }),
    service.agent({ proven: true }),
  ]);
});

/** Tries a deliverable under an agreement of the two agents. */
async function check(body: object, by = contractor, requirements = REQUIREMENTS) {
  const parties = { requester, contractor };
  const { id } = await insertAgreement(service.runtime.core, parties, { requirements });
  return service.call("POST", `/agreements/${id}/check`, { key: by.apiKey, body });
}

const passedOf = ({ body }: { body: { results: { passed: boolean }[] } }) =>
  body.results.map(({ passed }) => passed);

describe("a deliverable is tried", () => {
  test("by either party, on every requirement in order", async () => {
    for (const party of [requester, contractor]) {
      const good = await check({ deliverableContent: "The Rhine flows" }, party);
      expect(good).toMatchObject({ status: 200, body: { passed: true } });
      const bad = await check({ deliverableContent: "The Danube flows far away" }, party);
      expect(bad.body).toEqual({
        passed: false,
        results: REQUIREMENTS.map((requirement) =>
          expect.objectContaining({ check: requirement.check, passed: false }),
        ),
      });
    }
  });

  test("by its URL: a page by the text that a reader sees", async () => {
    const good = await check({ deliverableUrl: `${site.url}/page` });
    expect(passedOf(good)).toEqual([true, true]);
    const missing = await check({ deliverableUrl: `${site.url}/missing` });
    expect(missing.body.passed).toBe(false);
    expect(passedOf(missing)).toEqual([false, false]);
  });

  test("by its URL only if one can be delivered", async () => {
    const parties = { requester, contractor };
    const { id } = await insertAgreement(service.runtime.core, parties, { delivery: "content" });
    const { status, body } = await service.call("POST", `/agreements/${id}/check`, {
      key: contractor.apiKey,
      body: { deliverableUrl: `${site.url}/page` },
    });
    expect([status, body.code, body.errors]).toMatchObject([
      422,
      "agreement-mismatch",
      [{ pointer: "#/deliverableUrl" }],
    ]);
  });

  test("and fails if it is blank, whatever is required", async () => {
    const blank = await check({ deliverableContent: " \n" });
    expect(blank.body.passed).toBe(false);
    expect(passedOf(blank)).toEqual([false, false]);
  });

  test("and nothing is stored", async () => {
    await check({ deliverableUrl: `${site.url}/page` });
    expect(await service.database.db.select().from(documents)).toEqual([]);
    const rows = await service.database.db.select().from(agreements);
    expect(rows.every(({ status }) => status === "AGREED")).toBe(true);
  });

  test("but not by a third agent", async () => {
    const stranger = await service.agent({ proven: true });
    const refused = await check({ deliverableContent: "The Rhine" }, stranger);
    expect([refused.status, refused.body.code]).toEqual([404, "not-found"]);
  });

  test("a missing one counts as empty", async () => {
    const { status, body } = await check({});
    expect([status, body.passed]).toEqual([200, false]);
    expect(body.results[0].observed).toBe("The deliverable is empty.");
  });
});

test("a test file that starts processes without end fails in the sandbox, and the next trial works", async () => {
  const file = "const { fork } = require('node:child_process');\nfor (;;) fork(__filename);\n";
  const forking: Requirement[] = [{ check: "tests", language: "javascript", file }];
  const code = { deliverableContent: "module.exports = () => 1;" };
  expect((await check(code, contractor, forking)).body.passed).toBe(false);
  expect((await check({ deliverableContent: "The Rhine" })).body.passed).toBe(true);
});

describe("a program under an agreement", () => {
  const deliverBy = "2031-05-06T07:08:09Z";
  /** Returns the test's failure, which quotes what the program returns. */
  async function runTwice(requirement: Requirement, deliverableContent: string) {
    const { id } = await insertAgreement(
      service.runtime.core,
      { requester, contractor },
      { deliverBy, requirements: [requirement] },
    );
    const run = (by: TestAgent) =>
      service.call("POST", `/agreements/${id}/check`, {
        key: by.apiKey,
        body: { deliverableContent },
      });
    const [first, second] = [await run(contractor), await run(requester)];
    expect(second.body).toEqual(first.body);
    return first.body.results[0].detail as string;
  }

  test("in JavaScript runs from `deliverBy` on, with the same random numbers for the same bytes", async () => {
    const requirement: Requirement = {
      check: "tests",
      language: "javascript",
      file: `test("clock", async () => {
        const start = Date.now();
        await new Promise((resolve) => setTimeout(resolve, 60_000));
        assert(Date.now() >= start + 60_000);
        while (Date.now() < start + 61_000);
        throw new Error([new Date(start).toISOString(), new Date().getTimezoneOffset(), Math.random()]);
      });`,
    };
    const failure = await runTwice(requirement, "const name = 1;");
    expect(failure).toMatch(/clock: 2031-05-06T07:08:09\.\d{3}Z,0,0\.\d+/);
    expect(await runTwice(requirement, "const name = 2;")).not.toBe(failure);
  });
});

describe("fetched pages", () => {
  const PAGE_BYTES = 1024 * 1024;
  /** Sends 1 MiB for every path, slowly enough to notice that nothing more is read, and counts the bytes. */
  async function startLargePages() {
    const sent = { bytes: 0 };
    const large = await startReceiver({
      answer: () => (response) => {
        response.writeHead(200, { "Content-Type": "text/plain" });
        let left = PAGE_BYTES;
        const timer = setInterval(() => {
          if (response.destroyed || left === 0) {
            clearInterval(timer);
            response.end();
            return;
          }
          left -= 8_192;
          sent.bytes += 8_192;
          response.write("x".repeat(8_192));
        }, 1);
      },
    });
    return { ...large, origin: new URL(large.url).origin, sent };
  }
  const tryLinks = (links: string[], by = contractor) =>
    service.call("POST", "/requirements/check", {
      key: by.apiKey,
      body: {
        requirements: [{ check: "links-respond", min: 1 }],
        deliverableContent: links.join("\n"),
      },
    });
  const listLinks = (origin: string, from: number, count: number) =>
    Array.from({ length: count }, (_, n) => `${origin}/page-${from + n}`);

  test("are at most 60 a minute from one address, 16 KB of each, and once in ten minutes", async () => {
    const large = await startLargePages();
    const answers = [];
    for (let n = 0; n < 10; n += 1) {
      answers.push(
        await tryLinks(listLinks(large.origin, n * 50, 50), n % 2 ? contractor : requester),
      );
    }
    expect(answers[0]?.body.passed).toBe(true);
    const refused = answers.slice(1);
    expect(refused.map(({ status }) => status)).toEqual(Array(9).fill(429));
    for (const { headers, body } of refused) {
      expect(body.code).toBe("rate-limited");
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(large.requests.length).toBeLessThanOrEqual(60);
    expect(large.sent.bytes).toBeLessThan(60 * 200 * 1024);
    const fetched = large.requests.length;
    const stranger = await service.agent({ proven: true });
    const again = await tryLinks(listLinks(large.origin, 0, 50), stranger);
    expect([again.status, again.body.passed]).toEqual([200, true]);
    expect(large.requests.length).toBe(fetched);
    await large.close();
  });

  test("over the limit hold up a delivery, which trials of others then don't overtake", async () => {
    const { db } = service.database;
    await db.delete(rateLimitWindows);
    // A minute's pages, which leave the window in seconds.
    const hits = Array.from({ length: 60 }, () => new Date(Date.now() - 52_000));
    await db.insert(rateLimitWindows).values({ bucket: "page:127.0.0.1", hits });
    const { id } = await insertAgreement(
      service.runtime.core,
      { requester, contractor },
      { requirements: [{ check: "links-respond", min: 1 }] },
    );
    const linked = await startReceiver({
      answer: () => (response) => response.setHeader("Content-Type", "text/plain").end("A page."),
    });
    const body = { agreementId: id, deliverableContent: linked.url };
    const delivered = await service.call("POST", "/outcome", { key: contractor.apiKey, body });
    const waits = eq(rateLimitWindows.bucket, "page-wait:127.0.0.1");
    await waitFor(async () => (await db.$count(rateLimitWindows, waits)) > 0);
    await db.delete(rateLimitWindows).where(eq(rateLimitWindows.bucket, "page:127.0.0.1"));
    const trial = await tryLinks([`${new URL(linked.url).origin}/other`], requester);
    expect([trial.status, linked.requests]).toEqual([429, []]);
    expect(await service.waitForResolved(delivered.body.outcomeId)).toMatchObject({
      verdict: "SUCCESS",
      llmConfidence: 1,
    });
    await linked.close();
    await db.delete(rateLimitWindows);
  });

  test("are fetched for verified wallets only", async () => {
    const unverified = await service.agent();
    const { id } = await insertAgreement(service.runtime.core, {
      requester: unverified,
      contractor,
    });
    const own = await service.call("POST", `/agreements/${id}/check`, {
      key: unverified.apiKey,
      body: { deliverableContent: "The Rhine" },
    });
    const bare = await tryLinks([`${site.url}/page`], unverified);
    expect([own.status, own.body.code]).toEqual([403, "forbidden"]);
    expect([bare.status, bare.body.code]).toEqual([403, "forbidden"]);
  });
});

describe("bare requirements", () => {
  const tryBare = (requirements: object[]) =>
    service.call("POST", "/requirements/check", {
      key: requester.apiKey,
      body: { requirements, deliverableContent: "The Rhine" },
    });

  test("are tried without an agreement", async () => {
    expect((await tryBare(REQUIREMENTS)).body.passed).toBe(true);
  });

  test("that code can't decide are refused, with the place", async () => {
    const { status, body } = await tryBare([...REQUIREMENTS, { check: "matches", pattern: "(" }]);
    expect([status, body.errors[0].pointer]).toEqual([400, "#/requirements/2/pattern"]);
  });
});

test("trials of a wallet are limited per minute", async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => check({ deliverableContent: "The Rhine" })),
  );
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
});
