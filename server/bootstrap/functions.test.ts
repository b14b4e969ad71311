import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Engine, openEngine } from "@/server/engine/engine";
import { parseEnv } from "@/server/lib/env";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { signCall } from "@/server/testing/engine/inngest-signature";
import { ANNOUNCED_ONLY, type Dependencies, FUNCTIONS } from "./functions";

const SIGNING_KEY = `signkey-test-${"5".repeat(64)}`;
const env = parseEnv({
  INNGEST_BASE_URL: "https://inngest.example",
  INNGEST_EVENT_KEY: "an-event-key",
  INNGEST_SIGNING_KEY: SIGNING_KEY,
  PUBLIC_URL: "https://standing.example",
});

let database: TestDatabase;

let engine: Engine<Dependencies>;
beforeAll(async () => {
  database = await createTestDatabase();
  const log = pino({ level: "silent" });
  engine = openEngine({ env, databaseUrl: database.url, log, functions: FUNCTIONS });
  // The functions are only inspected, so their dependencies are never used.
  await engine.start({} as Dependencies);
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
  sweep: ["* * * * *, 5 * * * *", 0, "any"],
  "do-due-work": ["work/due", 0, "1 for each event.data.work"],
  "judge-outcome": ["outcome/submitted", 5, "64, 32 for each event.data.client"],
  "judge-unanswered-outcome": ["outcome/unanswered", 2, "2, 1 for each event.data.client"],
  "review-dispute": [
    "dispute/opened, dispute/answered, dispute/review-due",
    5,
    "1 for each event.data.disputeId",
  ],
  "record-verdicts": [
    "outcome/verdicts-pending, outcome/refunded, dispute/judged, agent/taken-over, reputation/anchor-changed",
    10,
    "4",
  ],
  "pay-out": ["dispute/payout-due", 3, "4"],
  "dispatch-event": ["webhook/announcement-deferred", 20, "any"],
  "deliver-webhook": ["webhook/delivery-due", 3, "256, 4 for each event.data.webhookId"],
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
