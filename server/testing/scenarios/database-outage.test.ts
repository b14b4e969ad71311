import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { outcomes } from "@/server/outcomes/tables";
import { waitFor } from "@/server/testing/engine/engine";
import { type FaultyDatabase, startFaultyDatabase } from "@/server/testing/faulty-database";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { buildSubmission } from "@/server/testing/fixtures/outcome";
import { type CallResult, startTestService, type TestService } from "@/server/testing/service";

let faulty: FaultyDatabase;
let service: TestService;
let agent: TestAgent;
beforeAll(async () => {
  service = await startTestService({
    getDatabaseUrl: async ({ url }) => {
      faulty = await startFaultyDatabase(url);
      return faulty.url;
    },
  });
});
beforeEach(async () => {
  agent = await service.agent();
});
afterAll(async () => {
  await service.close();
  await faulty.close();
});

/** A submission that is sent again each time `submit` is called. */
function createSubmission() {
  const headers = { "Idempotency-Key": randomUUID() };
  const body = { ...buildSubmission(agent.wallet), taskDescription: `Task ${randomUUID()}.` };
  return {
    idempotencyKey: headers["Idempotency-Key"],
    taskDescription: body.taskDescription,
    submit: () => service.call("POST", "/outcome", { key: agent.apiKey, headers, body }),
  };
}

const countSubmissions = () =>
  service.database.db.$count(outcomes, eq(outcomes.contractor, agent.wallet));

function expectUnavailable({ status, headers, body }: CallResult): void {
  expect({ status, code: body.code }).toEqual({ status: 503, code: "unavailable" });
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
}

test.each(["idempotencyKey", "taskDescription"] as const)(
  "a submission succeeds once, even if the connection is cut at the statement with its %s",
  async (field) => {
    const { submit, [field]: text } = createSubmission();
    faulty.breakAt(text);
    expectUnavailable(await submit());
    expect(await submit()).toMatchObject({ status: 202 });
    expect(await countSubmissions()).toBe(1);
  },
);

describe("while the database is down", () => {
  beforeEach(() => faulty.setDown(true));
  afterEach(() => faulty.setDown(false));

  test("every request is refused with the time to wait, and a submission succeeds later", async () => {
    const { submit } = createSubmission();
    expectUnavailable(await submit());
    expectUnavailable(await service.call("GET", `/agents/${agent.wallet}`));
    expectUnavailable(await service.call("GET", "/explore/leaderboard"));
    faulty.setDown(false);
    await waitFor(async () => (await submit()).status === 202);
    expect(await countSubmissions()).toBe(1);
  });

  test("the pages' requests too", async () => {
    const response = await fetch(`${service.trpc}/explorer.siteStats`);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBeTruthy();
  });
});

test("a write to a full disk is refused with the time to wait, and reads are served", async () => {
  const { sql } = service.database.db;
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin
      raise disk_full using message = 'could not extend file: No space left on device';
    end $$;
    create trigger refuse before insert on outcomes execute function refuse()`);
  const { submit } = createSubmission();
  expectUnavailable(await submit());
  expect(await service.call("GET", `/reputation/${agent.wallet}`)).toMatchObject({ status: 200 });
  await sql`drop trigger refuse on outcomes`;
  expect(await submit()).toMatchObject({ status: 202 });
  expect(await countSubmissions()).toBe(1);
});
