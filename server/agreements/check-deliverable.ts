import { randomUUID } from "node:crypto";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { z } from "zod";
import type { AuthenticatedAgent } from "@/server/agents/authenticate";
import { createPageStore } from "@/server/judging/documents/page-store";
import { identifyDeliverable, readDelivered } from "@/server/judging/documents/read-deliverable";
import { findProblem } from "@/server/judging/judge-agreed";
import { deleteDocuments } from "@/server/judging/queries";
import { createCodeWorld } from "@/server/judging/requirements/agreed-terms";
import type { RequirementDecider } from "@/server/judging/requirements/requirement-decider";
import type { CheckedDeliverable, Requirement } from "@/server/judging/requirements/schema";
import type { Context } from "@/server/lib/context";
import { readDatabaseTime } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import type { AgreementRow } from "./public-agreement";
import { requireOwnAgreement } from "./queries";
import type { checkInput, checkRequirementsInput } from "./schema";
import { agreements, type PassedCheck } from "./tables";
import { toUnixSeconds } from "./typed-data";
import { getQueueKey, refuseUrl, validateRequirements } from "./validate-terms";

/**
 * Decides an agreement's requirements on a deliverable for one of its parties, as the verdict will be
 * decided. Keeps the newest check that the contractor passed, with what was fetched: delivered within a day, the
 * same deliverable has passed. Throws `not-found`, `agreement-mismatch`, `rate-limited`, and `forbidden` for an unverified wallet.
 */
export async function checkAgreed(
  ctx: Context,
  decide: RequirementDecider,
  agent: AuthenticatedAgent,
  { agreementId, ...deliverable }: z.infer<typeof checkInput>,
): Promise<CheckedDeliverable> {
  const { row: agreement } = await requireOwnAgreement(ctx.db, agent, agreementId);
  refuseUrl(agreement.terms, deliverable.deliverableUrl);
  const { requirements } = agreement.terms;
  return decideTrial(ctx, decide, agent, { ...deliverable, requirements, agreement });
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
  agreement?: AgreementRow;
  deliverableContent?: string | undefined;
  deliverableUrl?: string | undefined;
}

async function decideTrial(
  ctx: Context,
  decide: RequirementDecider,
  agent: AuthenticatedAgent,
  { requirements, agreement, deliverableContent, deliverableUrl }: Trial,
): Promise<CheckedDeliverable> {
  // Registered without a proof, wallets cost nothing, and so would the pages that they have fetched.
  if (!agent.walletVerified) {
    const detail = "Verify the wallet first: register again with a walletProof and this key.";
    throw new AppError("forbidden", detail);
  }
  const { db } = ctx;
  const source = { content: deliverableContent ?? null, url: deliverableUrl ?? null };
  const fetching = { queueKey: getQueueKey(ctx, agent), isTrial: true };
  const stored = { subjectId: randomUUID(), submitter: agent.wallet };
  let isKept = false;
  try {
    const received = await readDelivered(ctx, {
      ...source,
      ...stored,
      ...fetching,
      lastAttempt: true,
    });
    const problem = findProblem(received, agreement?.terms.criteria ?? []);
    const delivered = problem ? { text: null, source: null, file: null, problem } : received;
    const terms = agreement && {
      termsHash: agreement.termsHash,
      deliverBy: toUnixSeconds(agreement.terms.deliverBy),
    };
    const results = await decide(delivered, requirements, {
      ...fetching,
      pages: createPageStore(db, { ...stored, agreementId: agreement?.id }),
      world: terms && createCodeWorld(terms, delivered),
    });
    const passed = results.every((result) => result.passed);
    if (passed && agreement) {
      const deliverable = identifyDeliverable(source);
      const { subjectId } = stored;
      isKept = await keepPassedCheck(ctx, agreement, agent, { subjectId, deliverable, results });
    }
    return { passed, results };
  } finally {
    if (!isKept) await deleteDocuments(db, stored.subjectId);
  }
}

/** Returns whether the check is kept: if it is the contractor's, in place of its earlier one, and nothing has been delivered yet. */
async function keepPassedCheck(
  { db }: Pick<Context, "db">,
  { id, contractor }: AgreementRow,
  { wallet }: AuthenticatedAgent,
  check: Omit<PassedCheck, "checkedAt">,
): Promise<boolean> {
  const isContractor = wallet === contractor;
  return db.transaction(async (tx) => {
    const checkPassedAt = await readDatabaseTime(tx);
    const passedCheck = { ...check, checkedAt: checkPassedAt.toISOString() };
    const [kept] = await tx
      .update(agreements)
      .set({ checkPassedAt, ...(isContractor && { passedCheck }) })
      .where(and(eq(agreements.id, id), inArray(agreements.status, ["PROPOSED", "AGREED"])))
      .returning({ before: sql<string | null>`old.passed_check ->> 'subjectId'` });
    if (!kept || !isContractor) return false;
    if (kept.before !== null) await deleteDocuments(tx, kept.before);
    return true;
  });
}
