import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenEngine, openEngine } from "@/server/engine/open-engine";
import { parseEnv } from "@/server/lib/env";
import type { FunctionCore } from "@/server/lib/inngest";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { signCall } from "@/server/testing/engine/inngest-signature";
import { ANNOUNCED_ONLY, createFunctions } from "./functions";

const SIGNING_KEY = `signkey-test-${"5".repeat(64)}`;
const env = parseEnv({
  INNGEST_BASE_URL: "https://inngest.example",
  INNGEST_EVENT_KEY: "an-event-key",
  INNGEST_SIGNING_KEY: SIGNING_KEY,
  PUBLIC_URL: "https://standing.example",
});

let database: TestDatabase;
let engine: OpenEngine;
beforeAll(async () => {
  database = await createTestDatabase();
  engine = openEngine({ env, databaseUrl: database.url, log: pino({ level: "silent" }) });
  // The functions are only inspected, so their dependencies are never used.
  const core = { env } as FunctionCore;
  const parts = { judge: { id: "" } } as Parameters<typeof createFunctions>[1];
  engine.register(createFunctions(core, parts));
});
afterAll(async () => {
  await engine.stop();
  await database.close();
});

interface Concurrency {
  limit: number;
  key?: string;
}

interface Registered {
  id: string;
  triggers: { event?: string; cron?: string }[];
  steps: { step: { runtime: { type: string; url: string }; retries: { attempts: number } } };
  concurrency?: Concurrency | Concurrency[];
  [other: string]: unknown;
}

/** Returns the functions as registered with an Inngest server. */
async function registered(): Promise<Registered[]> {
  const body = JSON.stringify({ url: "https://standing.example/api/inngest" });
  const answer = await engine.handle?.(
    new Request("http://localhost/api/inngest", {
      method: "PUT",
      headers: {
        host: "localhost",
        "x-inngest-sync-kind": "in_band",
        "x-inngest-signature": signCall(body, SIGNING_KEY),
      },
      body,
    }),
  );
  const { functions } = JSON.parse((await answer?.text()) ?? "{}");
  return functions;
}

/** Triggers, retries and concurrency: `8`, or `4 for each event.data.webhookId`. */
const EXPECTED: Record<string, [string, number, string]> = {
  "watch-agreements": ["* * * * *", 0, "1"],
  "watch-identities": ["* * * * *", 0, "1"],
  "give-feedback": ["* * * * *", 0, "1"],
  "judge-outcome": ["outcome/submitted", 5, "64, 32 for each event.data.client"],
  "judge-unanswered-outcome": ["outcome/unanswered", 2, "2, 1 for each event.data.client"],
  "probe-failing-judge": ["* * * * *", 0, "any"],
  "resume-after-outage": ["judge/recovered", 3, "any"],
  "resume-stalled-outcomes": ["* * * * *", 0, "any"],
  "review-dispute": [
    "dispute/opened, dispute/answered, dispute/review-due",
    5,
    "1 for each event.data.disputeId",
  ],
  "resume-stalled-disputes": ["* * * * *, judge/recovered", 0, "any"],
  "record-verdicts": [
    "outcome/verdicts-pending, outcome/refunded, dispute/judged, agent/taken-over, reputation/anchor-changed",
    10,
    "4",
  ],
  "settle-stalled-records": ["* * * * *, settlement/due", 0, "1"],
  "evaluate-escrows": ["* * * * *, outcome/agreed-judged", 0, "1"],
  "pay-out": ["dispute/payout-due", 3, "4"],
  "pay-stalled-payouts": ["* * * * *", 0, "1"],
  "watch-stakes": ["* * * * *", 0, "1"],
  "refresh-scores": ["5 * * * *", 3, "1"],
  "dispatch-event": ["webhook/announcement-deferred", 20, "any"],
  "deliver-webhook": ["webhook/delivery-due", 3, "4 for each event.data.webhookId"],
  "resume-stalled-deliveries": ["* * * * *", 0, "any"],
  "keep-status": ["* * * * *", 0, "any"],
  "search-delivery-payments": ["23 * * * *", 0, "1"],
  "send-alerts": ["* * * * *", 0, "1"],
};

test("registers each function with its triggers, retries and concurrency", async () => {
  const found = Object.fromEntries(
    (await registered()).map(({ id, triggers, steps, concurrency }) => {
      const limits = [concurrency ?? []].flat();
      const describe = ({ limit, key }: Concurrency) =>
        key ? `${limit} for each ${key}` : `${limit}`;
      return [
        id.replace(/^standing-/, ""),
        [
          triggers.map(({ event, cron }) => event ?? cron).join(", "),
          steps.step.retries.attempts,
          limits.length === 0 ? "any" : limits.map(describe).join(", "),
        ],
      ];
    }),
  );
  expect(found).toEqual(EXPECTED);
});

test("no function waits for events that only webhooks get", async () => {
  const waiting = (await registered()).filter(({ triggers }) =>
    triggers.some(({ event }) => event && ANNOUNCED_ONLY.has(event)),
  );
  expect(waiting).toEqual([]);
});

test("runs each cron at least once an hour, so that a missed tick is caught up", async () => {
  const triggers = (await registered()).flatMap((fn) => fn.triggers);
  const crons = triggers.flatMap(({ cron }) => cron ?? []);
  expect(crons.length).toBeGreaterThan(0);
  for (const cron of crons) expect(cron).toMatch(/^\S+ \* \* \* \*$/);
});

test("registers no other options, and the public address", async () => {
  const known = ["id", "name", "triggers", "steps", "concurrency"];
  for (const fn of await registered()) {
    expect(Object.keys(fn).filter((option) => !known.includes(option))).toEqual([]);
    expect(fn.steps.step.runtime).toEqual({
      type: "http",
      url: `https://standing.example/api/inngest?fnId=${fn.id}&stepId=step`,
    });
  }
});
