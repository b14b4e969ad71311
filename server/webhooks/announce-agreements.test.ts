import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import {
  agreementAgreed,
  agreementEnded,
  agreementPaid,
  agreementProposed,
} from "@/server/agreements/events";
import type { AgreementRow } from "@/server/agreements/public-agreement";
import { createTestCore, type TestCore } from "@/server/testing/core";
import { createTestDatabase, deleteAllRows, type TestDatabase } from "@/server/testing/database";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { insertAgreement } from "@/server/testing/fixtures/agreement";
import { announce } from "./announce";
import { createWebhook } from "./manage-webhooks";
import { type WebhookEvent, webhookPayloads } from "./schema";
import { webhookDeliveries } from "./tables";

let database: TestDatabase;
let core: TestCore;
beforeAll(async () => {
  database = await createTestDatabase();
  core = createTestCore(database);
});
afterAll(() => database.close());

const EVENTS: WebhookEvent[] = [
  "agreement.proposed",
  "agreement.agreed",
  "agreement.paid",
  "agreement.ended",
];
const AT = new Date("2026-11-21T12:00:00.000Z");
const url = "https://agent.example/hook";

interface Party extends TestAgent {
  webhookId: string;
}

/** Creates a verified agent with a webhook for every event of agreements. */
async function createParty(): Promise<Party> {
  const agent = await createTestAgent(core);
  await setVerified(agent, AT);
  const { webhookId } = await createWebhook(core, agent, { url, events: EVENTS });
  return { ...agent, webhookId };
}

const setVerified = ({ id }: TestAgent, walletVerifiedAt: Date | null) =>
  core.db.update(agents).set({ walletVerifiedAt }).where(eq(agents.id, id));

let requester: Party;
let contractor: Party;
beforeEach(async () => {
  await deleteAllRows(database);
  [requester, contractor] = [await createParty(), await createParty()];
});

const insert = (row: Parameters<typeof insertAgreement>[3] = {}) =>
  insertAgreement(core, { requester, contractor }, {}, row);
/** A proposal of the requester. */
const insertProposal = () =>
  insert({ status: "PROPOSED", contractorSignature: null, agreedAt: null });

const announceEvent = ({ id }: AgreementRow, { name }: { name: string }) => {
  const event = { id: `${name}:${id}`, name, data: { agreementId: id } };
  return core.db.transaction((tx) => announce(tx, [event], AT));
};

/** Returns the webhooks that got a delivery, and its payload. */
async function readDeliveries() {
  const rows = await core.db.select().from(webhookDeliveries);
  return {
    webhookIds: new Set(rows.map(({ webhookId }) => webhookId)),
    payloads: rows.map(({ payload }) => JSON.parse(payload)),
  };
}

describe("an agreement is announced", () => {
  test.each([
    ["agreement.proposed", agreementProposed],
    ["agreement.agreed", agreementAgreed],
    ["agreement.paid", agreementPaid],
    ["agreement.ended", agreementEnded],
  ] as const)("to both parties, as %s with the terms", async (event, trigger) => {
    const row = await insert();
    await announceEvent(row, trigger);
    await announceEvent(row, trigger);
    const { webhookIds, payloads } = await readDeliveries();
    expect(webhookIds).toEqual(new Set([requester.webhookId, contractor.webhookId]));
    expect(payloads).toHaveLength(2);
    for (const payload of payloads) {
      expect(webhookPayloads[event].payload.parse(payload)).toMatchObject({
        event,
        data: { agreementId: row.id, terms: row.terms, status: "AGREED" },
      });
    }
  });

  test("to no third agent", async () => {
    const stranger = await createParty();
    await announceEvent(await insert(), agreementAgreed);
    expect((await readDeliveries()).webhookIds).not.toContain(stranger.webhookId);
  });

  test("to no unverified registration of a wallet that has not signed", async () => {
    await setVerified(contractor, null);
    await announceEvent(await insertProposal(), agreementProposed);
    expect((await readDeliveries()).webhookIds).toEqual(new Set([requester.webhookId]));
  });

  test("to an unverified registration whose wallet has signed", async () => {
    await setVerified(requester, null);
    await announceEvent(await insertProposal(), agreementProposed);
    expect((await readDeliveries()).webhookIds).toContain(requester.webhookId);
  });
});
