import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Requirement } from "@/server/judging/requirements/schema";
import { documents } from "@/server/judging/tables";
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
