import { eq } from "drizzle-orm";
import { hashJson } from "@/server/judging/evidence";
import type { JudgeInput } from "@/server/judging/judge";
import type { ModelCalls } from "@/server/judging/panel/model-calls";
import type { Panel, RubricKey, RubricStore, StoredRubric } from "@/server/judging/panel/panel";
import {
  getGuideMust,
  getGuideRubric,
  PANEL_VERSION,
} from "@/server/judging/panel/prompts/category-guides";
import {
  buildReferenceQuestion,
  toReference,
} from "@/server/judging/panel/prompts/reference-prompt";
import {
  buildRubricQuestion,
  listChecks,
  resolveChecks,
} from "@/server/judging/panel/prompts/rubric-prompt";
import type { AgreedTerms } from "@/server/judging/requirements/agreed-terms";
import type { Reference } from "@/server/judging/schema";
import { rubrics } from "@/server/judging/tables";
import type { Core } from "@/server/lib/context";
import { mergeDrafts } from "./merge-drafts";

export interface Rubric extends StoredRubric {
  /**
   * `guide`: the category's criteria, because the model wrote none. They are not cached. `agreed`: the
   * criteria of an agreement.
   */
  source: "model" | "cache" | "guide" | "agreed";
}

const NO_REFERENCE: Reference = { keyPoints: [], examples: [] };

/** No quotation proves what is absent. */
const ABSENCE = /\b(?:no|not|never|none|nothing|without|free of|avoids?|omits?)\b|n't\b/i;

/** Returns the agreed criteria, all of them musts. The task adds none. */
function toAgreedRubric({ criteria }: Pick<AgreedTerms, "criteria">): Rubric {
  return {
    criteria: criteria.map((text, index) => ({
      id: `a${index + 1}`,
      text,
      kind: "must",
      proof: ABSENCE.test(text) ? "absence" : "quote",
    })),
    reference: NO_REFERENCE,
    source: "agreed",
  };
}

/**
 * Returns the agreed criteria, the cached criteria and reference for a task, or asks the model for
 * both in parallel. The second answer also has a draft of the criteria, which confirms the musts of
 * the first.
 */
export async function getRubric(
  panel: Panel,
  calls: ModelCalls,
  { task, category, agreed }: Pick<JudgeInput, "task" | "category" | "agreed">,
): Promise<Rubric> {
  if (agreed) return toAgreedRubric(agreed);
  const { model, rubrics: store } = panel;
  const key = { task, category, model };
  const cached = await store?.find(key);
  if (cached) return { ...cached, source: "cache" };

  const material = { task, category };
  const [first, second] = await Promise.all([
    calls.ask(
      model,
      "rubric",
      (nonces, options) => buildRubricQuestion(material, nonces, options),
      { length: task.length },
    ),
    // Without this answer, the judgement goes on without a reference.
    calls.ask(
      model,
      "rubric",
      (nonces, options) => buildReferenceQuestion(material, nonces, options),
      { isOptional: true },
    ),
  ]);
  calls.record(first.answer.call, second.answer.call);
  const drafted = second.answer.outcome === "answer" ? second.answer.value : null;
  const reference = drafted ? toReference(drafted) : NO_REFERENCE;
  if (first.answer.outcome !== "answer") {
    return { criteria: getGuideRubric(category), reference, source: "guide" };
  }
  const draft = resolveChecks(first.answer.value);
  const criteria = mergeDrafts(draft, drafted?.criteria ?? null, getGuideMust(category));
  const rubric = { criteria, reference };
  // A rubric without a second draft, or by the other model, is written again next time.
  const isFinal = drafted !== null && calls.resolve(model) === model;
  const stored = isFinal ? await store?.insert(key, rubric, [...calls.list]) : undefined;
  return { ...(stored ?? rubric), source: "model" };
}

/** Stores rubrics in the database, shared by all processes. */
export function createRubricStore({ db }: Pick<Core, "db">): RubricStore {
  const find: RubricStore["find"] = async (rubric) => {
    const [found] = await db
      .select({ criteria: rubrics.criteria, reference: rubrics.reference })
      .from(rubrics)
      .where(eq(rubrics.key, hashKey(rubric)));
    return found;
  };
  return {
    find,
    async insert(rubric, { criteria, reference }, calls) {
      const { category } = rubric;
      const row = { key: hashKey(rubric), category, criteria, reference, calls };
      const [inserted] = await db.insert(rubrics).values(row).onConflictDoNothing().returning();
      return inserted ?? (await find(rubric)) ?? { criteria, reference };
    },
  };
}

/** Returns the SHA-256 of the canonical JSON of task, category, model, prompts and checks. */
function hashKey({ task, category, model }: RubricKey): `0x${string}` {
  return hashJson({ task, category, model, version: PANEL_VERSION, checks: listChecks() });
}
