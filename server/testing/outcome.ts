import { randomBytes, randomUUID } from "node:crypto";
import type { Core } from "@/server/lib/context";
import { sha256 } from "@/server/lib/hash";
import { outcomes } from "@/server/outcomes/tables";
import type { TestAgent } from "./agent";

type OutcomeRow = typeof outcomes.$inferSelect;

/** Creates an outcome of `submitter` (the contractor by default) for a new requester. */
export async function evaluatingOutcome(
  { db }: Pick<Core, "db">,
  submitter: Pick<TestAgent, "id" | "wallet">,
  fields: Partial<typeof outcomes.$inferInsert> = {},
): Promise<OutcomeRow> {
  const partner = `0x${"1".repeat(40)}`;
  const isContractor = fields.submittedBy !== "requester";
  const [row] = await db
    .insert(outcomes)
    .values({
      contractor: isContractor ? submitter.wallet : partner,
      requester: isContractor ? partner : submitter.wallet,
      taskDescription: "Name three rivers of Europe.",
      taskCategory: "research",
      deliverableContent: "The Rhine, the Loire and the Vistula.",
      valueMicro: 12_500_000n,
      submittedBy: "contractor",
      submitterAgentId: submitter.id,
      salt: randomBytes(16),
      taskHash: sha256(randomUUID()),
      deliverableHash: sha256(randomUUID()),
      inputHash: sha256(randomUUID()),
      storedAnswer: "{}",
      proven: false,
      ...fields,
    })
    .returning();
  if (!row) throw new Error("the outcome was not inserted");
  return row;
}

/** Like `evaluatingOutcome`, with a verdict that is not recorded yet. */
export function judgedOutcome(
  core: Pick<Core, "db">,
  submitter: Pick<TestAgent, "id" | "wallet">,
  fields: Partial<typeof outcomes.$inferInsert> = {},
): Promise<OutcomeRow> {
  return evaluatingOutcome(core, submitter, {
    judgedAt: new Date(),
    verdict: "SUCCESS",
    confidencePpm: 900_000,
    reasoning: "It names three rivers.",
    judgeKind: "heuristic",
    judgeId: "a-judge",
    evidenceHash: sha256(randomUUID()),
    ...fields,
  });
}
