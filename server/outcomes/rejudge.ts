import { isBlank } from "@/server/judging/canonicalise";
import { createPageStore } from "@/server/judging/documents/page-store";
import type { Judge, Judgement } from "@/server/judging/judge";
import { judgeCase } from "@/server/judging/judge-subject";
import { findDocument, findJudgement, type StoredJudgement } from "@/server/judging/queries";
import type { RequirementDecider } from "@/server/judging/requirements/requirement-decider";
import type { Core } from "@/server/lib/context";
import { buildJudgeInput, findTerms } from "./judge-outcome";
import { findOutcome } from "./queries";

/** Thrown if there is nothing to rejudge; the message is meant for the user. */
export class RejudgeError extends Error {
  override name = "RejudgeError";
}

/**
 * Judges an outcome again from stored data only, without fetching or writing anything. Throws
 * `RejudgeError`, or `JudgeUnavailable` if the judge itself fails.
 */
export async function rejudge(
  core: Pick<Core, "db" | "env">,
  judge: Judge,
  decideRequirements: RequirementDecider,
  outcomeId: string,
): Promise<{ recorded: StoredJudgement; repeated: Judgement }> {
  const outcome = await findOutcome(core.db, outcomeId);
  if (!outcome) throw new RejudgeError(`There is no outcome ${outcomeId}.`);
  const recorded = await findJudgement(core.db, outcomeId);
  if (!recorded) throw new RejudgeError(`Outcome ${outcomeId} has not been judged yet.`);
  const { deliverableContent: content, deliverableUrl: url } = outcome;
  const isDocument = url !== null && (content === null || isBlank(content));
  if (isDocument && !(await findDocument(core.db, outcomeId, url))) {
    throw new RejudgeError("The document behind the deliverable's URL is no longer stored.");
  }
  const agreed = await findTerms(core, outcome);
  const input = await buildJudgeInput(core, outcome, { lastFetch: true, submitter: null, agreed });
  const pages = createPageStore(core.db, { subjectId: outcomeId, submitter: null });
  const options = { pages, decideRequirements, lastAttempt: true };
  const { judgement } = await judgeCase(judge, input, options);
  return { recorded, repeated: judgement };
}
