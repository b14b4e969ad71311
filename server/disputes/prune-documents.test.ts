import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { documents } from "@/server/judging/tables";
import { DAY_MS } from "@/server/lib/time";
import type { outcomes } from "@/server/outcomes/tables";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import { insertAgreement } from "@/server/testing/fixtures/agreement";
import { insertJudgedOutcome } from "@/server/testing/fixtures/outcome";
import { pruneDocuments } from "./prune-documents";
import { disputes } from "./tables";

const database = await createTestDatabase();
const core = createTestCore(database, { env: { DISPUTE_WINDOW: 7 * DAY_MS } });
const agent = await createTestAgent(core);
afterAll(database.close);

const now = new Date();
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);

/** Stores a page of an outcome that was resolved so many days ago; null: not yet. */
async function storePage(days: number | null, dispute?: "OPEN" | "RESOLVED") {
  const fields: Partial<typeof outcomes.$inferInsert> =
    days === null ? {} : { status: "RESOLVED", resolvedAt: daysAgo(days) };
  const { id: outcomeId } = await insertJudgedOutcome(core, agent, fields);
  if (dispute) {
    await core.db.insert(disputes).values({
      outcomeId,
      openedBy: "requester",
      contractor: agent.wallet,
      requester: agent.wallet,
      recordedVerdict: "SUCCESS",
      salt: randomBytes(16),
      status: dispute,
      expiresAt: daysAgo(1),
    });
  }
  return storeDocument(outcomeId, agent.wallet);
}

/** Stores a page that the terms of an agreement name, which ended then. */
async function storeNamedPage(endedAt: Date | null) {
  const parties = { requester: await createTestAgent(core), contractor: agent };
  const { id } = await insertAgreement(core, parties, {}, { endedAt });
  return storeDocument(id, agent.wallet);
}

async function storeDocument(subjectId: string, submitter: string | null) {
  const copy = { url: "https://host.test/a", content: "a page", fetchedAt: daysAgo(60) };
  const [stored] = await core.db
    .insert(documents)
    .values({ subjectId, submitter, ...copy })
    .returning();
  return stored?.id ?? "";
}

test("pages are deleted 30 days after the dispute window, unless a dispute needs them", async () => {
  await storePage(38);
  await storePage(60, "RESOLVED");
  // Of a check, and of an agreement that is over.
  await storeDocument(randomUUID(), agent.wallet);
  await storeNamedPage(daysAgo(40));
  const kept = [
    await storePage(null),
    await storePage(6),
    await storePage(36),
    await storePage(60, "OPEN"),
    await storeNamedPage(null),
    await storeNamedPage(daysAgo(1)),
    // Evidence of a dispute's side.
    await storeDocument(randomUUID(), null),
  ];
  await pruneDocuments(core, now);
  const left = await core.db.select({ id: documents.id }).from(documents);
  expect(left.map(({ id }) => id).toSorted()).toEqual(kept.toSorted());
});
