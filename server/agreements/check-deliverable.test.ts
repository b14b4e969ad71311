import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Requirement } from "@/server/judging/requirements/schema";
import { documents } from "@/server/judging/tables";
import { rateLimitWindows } from "@/server/rate-limit/tables";
import { waitFor } from "@/server/testing/engine/engine";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { buildTerms, insertAgreement, signTerms } from "@/server/testing/fixtures/agreement";
import { type Receiver, startReceiver } from "@/server/testing/http/receiver";
import { startTestService, type TestService } from "@/server/testing/service";
import type { Terms } from "./schema";
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

  test("and nothing is stored of what fails, or of what a requester tries", async () => {
    const { db } = service.database;
    const before = await db.$count(documents);
    await check({ deliverableUrl: `${site.url}/page` }, requester);
    await check({ deliverableUrl: `${site.url}/page` }, contractor, [{ check: "json" }]);
    expect(await db.$count(documents)).toBe(before);
    const rows = await db.select().from(agreements);
    expect(rows.every(({ status }) => status === "AGREED")).toBe(true);
  });

  test("but not by a third agent", async () => {
    const stranger = await service.agent({ proven: true });
    const refused = await check({ deliverableContent: "The Rhine" }, stranger);
    expect([refused.status, refused.body.code]).toEqual([404, "not-found"]);
  });

  test.each([{}, { deliverableContent: " \n" }])("and fails if it is %j", async (work) => {
    const { status, body } = await check(work);
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

describe("what one party could change after a passed check", () => {
  /** Serves texts by path, until they change or vanish. */
  async function startPages(texts: Record<string, string | undefined>) {
    const pages = await startReceiver({
      answer:
        ({ url }) =>
        (response) => {
          const text = texts[url.slice(1)];
          response.setHeader("Content-Type", "text/plain");
          response.writeHead(text === undefined ? 404 : 200).end(text);
        },
    });
    onTestFinished(() => pages.close());
    return { ...pages, origin: new URL(pages.url).origin };
  }

  /** Proposes terms as the requester and accepts them as the contractor. */
  async function agree(changes: Partial<Terms>) {
    const { chain } = service.runtime.core;
    const terms = buildTerms(chain, { requester, contractor }, changes);
    const signature = await signTerms(chain, requester.account, terms);
    const proposed = await service.call("POST", "/agreements", {
      key: requester.apiKey,
      body: { terms, signature },
    });
    expect(proposed.status).toBe(201);
    const id = proposed.body.agreementId as string;
    const accepted = await service.call("POST", `/agreements/${id}/accept`, {
      key: contractor.apiKey,
      body: { signature: await signTerms(chain, contractor.account, terms) },
    });
    expect(accepted.body.status).toBe("AGREED");
    return { id, proposed: proposed.body };
  }
  const tryWork = (id: string, body: object, by = contractor) =>
    service.call("POST", `/agreements/${id}/check`, { key: by.apiKey, body });
  async function deliver(agreementId: string, body: object) {
    const sent = { key: contractor.apiKey, body: { agreementId, ...body } };
    const { body: submitted } = await service.call("POST", "/outcome", sent);
    const { verdict, llmConfidence } = await service.waitForResolved(submitted.outcomeId);
    return { outcomeId: submitted.outcomeId as string, result: `${verdict} ${llmConfidence}` };
  }
  const QUOTE = "every cloud has a silver lining";

  test("its own page, which the terms demand, and which vanishes after two passed checks", async () => {
    const texts: Record<string, string | undefined> = { demanded: "Mine." };
    const pages = await startPages(texts);
    const task = `Summarise and cite ${pages.origin}/demanded and ${pages.origin}/other`;
    const { id } = await agree({ task, requirements: [{ check: "links-respond", min: 2 }] });
    texts.other = "Another page.";
    const work = { deliverableContent: `See ${pages.origin}/demanded and ${pages.origin}/other .` };
    for (const _ of [1, 2]) expect((await tryWork(id, work)).body.passed).toBe(true);
    for (const path of Object.keys(texts)) delete texts[path];
    const { outcomeId, result } = await deliver(id, work);
    expect(result).toBe("SUCCESS 1");
    // The result rests on what the check fetched, and both parties read it.
    const { body } = await service.call("GET", `/outcome/${outcomeId}/pages`, {
      key: requester.apiKey,
    });
    expect(body.pages).toHaveLength(2);
  });

  test("a page of the terms: what it said at the proposal suffices, without a check", async () => {
    const texts: Record<string, string | undefined> = { source: `They say ${QUOTE}.` };
    const pages = await startPages(texts);
    const task = `Quote ${pages.origin}/source`;
    const requirements: Requirement[] = [
      { check: "quotes-found" },
      { check: "links-respond", min: 1 },
    ];
    const [vanishes, changes] = [
      await agree({ task, requirements }),
      await agree({ task, requirements }),
    ];
    const work = { deliverableContent: `It says “${QUOTE}” (${pages.origin}/source).` };
    delete texts.source;
    expect((await deliver(vanishes.id, work)).result).toBe("SUCCESS 1");
    texts.source = "They say nothing of the kind any more.";
    expect((await deliver(changes.id, work)).result).toBe("SUCCESS 1");
  });

  test("a page that never responded: both learn it before they sign, and links to it count", async () => {
    const pages = await startPages({ here: "A page." });
    const named = {
      task: `Link ${pages.origin}/here and ${pages.origin}/nowhere`,
      requirements: [{ check: "links-respond", min: 1 }] as Requirement[],
    };
    const silent = [`${pages.origin}/nowhere`];
    const draft = {
      ...named,
      requester: requester.wallet,
      contractor: contractor.wallet,
      category: "research",
      valueUsdc: 5,
      payment: "on-delivery",
      deliverBy: new Date(Date.now() + 86_400_000).toISOString(),
    };
    const drafted = await service.call("POST", "/agreements/draft", {
      key: requester.apiKey,
      body: draft,
    });
    expect(drafted.body.unresponsiveUrls).toEqual(silent);
    const { id, proposed } = await agree(named);
    expect(proposed.unresponsiveUrls).toEqual(silent);
    const read = await service.call("GET", `/agreements/${id}`, { key: contractor.apiKey });
    expect(read.body.unresponsiveUrls).toEqual(silent);
    const { result } = await deliver(id, { deliverableContent: named.task });
    expect(result).toBe("SUCCESS 1");
    const other = await agree({ ...named, task: "Link something." });
    expect((await deliver(other.id, { deliverableContent: named.task })).result).toBe("FAILURE 1");
  });

  test("a URL that passed is not fetched again: what was checked is delivered", async () => {
    const texts: Record<string, string | undefined> = { work: "The Rhine" };
    const pages = await startPages(texts);
    const { id } = await agree({ requirements: REQUIREMENTS, delivery: "content-or-url" });
    const deliverableUrl = `${pages.origin}/work`;
    expect((await tryWork(id, { deliverableUrl })).body.passed).toBe(true);
    texts.work = "The Thames, which is no work at all";
    const { outcomeId, result } = await deliver(id, { deliverableUrl });
    expect([result, pages.requests.length]).toEqual(["SUCCESS 1", 1]);
    const { body } = await service.call("GET", `/outcome/${outcomeId}/deliverable`, {
      key: requester.apiKey,
    });
    expect(body.deliverableContent).toBe("The Rhine");
  });

  test("only the contractor's newest passed check binds, for a day and for the same work", async () => {
    const texts: Record<string, string | undefined> = { work: "The Rhine" };
    const pages = await startPages(texts);
    const { db } = service.database;
    const terms = { requirements: REQUIREMENTS, delivery: "content-or-url" } as const;
    const deliverableUrl = `${pages.origin}/work`;
    const results: string[] = [];
    const read = async (id: string) =>
      (await service.call("GET", `/agreements/${id}`, { key: requester.apiKey })).body;
    for (const make of [
      (id: string) => tryWork(id, { deliverableUrl }, requester),
      async (id: string) => {
        await tryWork(id, { deliverableUrl });
        await tryWork(id, { deliverableContent: "The Rhine flows" });
      },
      async (id: string) => {
        await tryWork(id, { deliverableUrl });
        const checkedAt = new Date(Date.now() - 86_401_000).toISOString();
        const aged = sql`passed_check || ${JSON.stringify({ checkedAt })}::jsonb`;
        await db.update(agreements).set({ passedCheck: aged }).where(eq(agreements.id, id));
      },
    ]) {
      texts.work = "The Rhine";
      const { id } = await agree(terms);
      expect((await read(id)).checkPassedAt).toBeNull();
      await make(id);
      expect((await read(id)).checkPassedAt).toEqual(expect.any(String));
      texts.work = "The Thames";
      results.push((await deliver(id, { deliverableUrl })).result);
    }
    expect(results).toEqual(["FAILURE 1", "FAILURE 1", "FAILURE 1"]);
  });
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
    await service.database.db.delete(rateLimitWindows);
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
