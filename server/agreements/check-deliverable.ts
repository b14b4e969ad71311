import type { z } from "zod";
import type { AuthenticatedAgent } from "@/server/agents/authenticate";
import { readTrialDelivered } from "@/server/judging/documents/read-deliverable";
import type { RequirementDecider } from "@/server/judging/requirements/requirement-decider";
import type { CheckedDeliverable, Requirement } from "@/server/judging/requirements/schema";
import type { Context } from "@/server/lib/context";
import { requireOwnAgreement } from "./queries";
import { getQueueKey } from "./queue-key";
import { refuseUrl } from "./refuse-url";
import type { checkInput, checkRequirementsInput } from "./schema";
import { validateRequirements } from "./validate-terms";

/**
 * Decides an agreement's requirements on a deliverable for one of its parties, as the verdict will be
 * decided. Stores nothing. Throws `not-found` and the error of `refuseUrl`.
 */
export async function checkAgreed(
  ctx: Context,
  decide: RequirementDecider,
  agent: AuthenticatedAgent,
  { agreementId, ...deliverable }: z.infer<typeof checkInput>,
): Promise<CheckedDeliverable> {
  const { row } = await requireOwnAgreement(ctx.db, agent, agreementId);
  refuseUrl(row.terms, deliverable.deliverableUrl);
  const { requirements } = row.terms;
  return decideTrial(ctx, decide, agent, { ...deliverable, requirements });
}

/**
 * Decides requirements on a deliverable. Stores nothing. Throws the error of `validateRequirements`.
 */
export async function checkRequirements(
  ctx: Context,
  decide: RequirementDecider,
  agent: AuthenticatedAgent,
  input: z.infer<typeof checkRequirementsInput>,
): Promise<CheckedDeliverable> {
  await validateRequirements(input.requirements, { path: [], queueKey: getQueueKey(ctx, agent) });
  return decideTrial(ctx, decide, agent, input);
}

interface Trial {
  requirements: Requirement[];
  deliverableContent?: string | undefined;
  deliverableUrl?: string | undefined;
}

async function decideTrial(
  ctx: Context,
  decide: RequirementDecider,
  agent: AuthenticatedAgent,
  { requirements, deliverableContent, deliverableUrl }: Trial,
): Promise<CheckedDeliverable> {
  const queueKey = getQueueKey(ctx, agent);
  const source = { content: deliverableContent ?? null, url: deliverableUrl ?? null, queueKey };
  const delivered = await readTrialDelivered(ctx, source);
  const results = await decide(delivered, requirements, { queueKey });
  return { passed: results.every(({ passed }) => passed), results };
}
