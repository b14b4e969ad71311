import type { z } from "zod";
import type { AuthenticatedAgent } from "@/server/agents/authenticate";
import { readTrialDelivered } from "@/server/judging/documents/read-deliverable";
import { createCodeWorld } from "@/server/judging/requirements/agreed-terms";
import type { RequirementDecider } from "@/server/judging/requirements/requirement-decider";
import type { CheckedDeliverable, Requirement } from "@/server/judging/requirements/schema";
import type { Context } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { requireOwnAgreement } from "./queries";
import { getQueueKey } from "./queue-key";
import { refuseUrl } from "./refuse-url";
import type { checkInput, checkRequirementsInput } from "./schema";
import { toUnixSeconds } from "./typed-data";
import { validateRequirements } from "./validate-terms";

/**
 * Decides an agreement's requirements on a deliverable for one of its parties, as the verdict will be
 * decided. Stores nothing. Throws `not-found`, `agreement-mismatch`, `rate-limited`, and `forbidden` for an unverified wallet.
 */
export async function checkAgreed(
  ctx: Context,
  decide: RequirementDecider,
  agent: AuthenticatedAgent,
  { agreementId, ...deliverable }: z.infer<typeof checkInput>,
): Promise<CheckedDeliverable> {
  const { row } = await requireOwnAgreement(ctx.db, agent, agreementId);
  refuseUrl(row.terms, deliverable.deliverableUrl);
  const { requirements, deliverBy } = row.terms;
  const terms = { termsHash: row.termsHash, deliverBy: toUnixSeconds(deliverBy) };
  return decideTrial(ctx, decide, agent, { ...deliverable, requirements, terms });
}

/**
 * Decides requirements on a deliverable, programs at the present time and always with the same random
 * numbers. Stores nothing. Throws the errors of `validateRequirements`, `rate-limited`, and `forbidden` for an unverified wallet.
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
  terms?: Parameters<typeof createCodeWorld>[0];
  deliverableContent?: string | undefined;
  deliverableUrl?: string | undefined;
}

async function decideTrial(
  ctx: Context,
  decide: RequirementDecider,
  agent: AuthenticatedAgent,
  { requirements, terms, deliverableContent, deliverableUrl }: Trial,
): Promise<CheckedDeliverable> {
  // Registered without a proof, wallets cost nothing, and so would the pages that they have fetched.
  if (!agent.walletVerified) {
    const detail = "Verify the wallet first: register again with a walletProof and this key.";
    throw new AppError("forbidden", detail);
  }
  const queueKey = getQueueKey(ctx, agent);
  const source = { content: deliverableContent ?? null, url: deliverableUrl ?? null, queueKey };
  const delivered = await readTrialDelivered(ctx, source);
  const results = await decide(delivered, requirements, {
    queueKey,
    isTrial: true,
    world: terms && createCodeWorld(terms, delivered),
  });
  return { passed: results.every(({ passed }) => passed), results };
}
