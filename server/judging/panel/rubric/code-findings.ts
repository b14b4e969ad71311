import { toCheckInput } from "@/server/judging/checks/builtin-judge";
import { isSameRequirement, type Requirement } from "@/server/judging/checks/check";
import { codeExamplesCheck } from "@/server/judging/checks/code/code-examples-check";
import { isDecidingFailure } from "@/server/judging/checks/confidence";
import type { CheckedFact, CheckRunner } from "@/server/judging/checks/run-checks";
import type { Canonical, JudgeOptions } from "@/server/judging/judge";
import type { Criterion, Met, Reference } from "@/server/judging/schema";

/** The facts about a deliverable, and the criteria that they decide. */
export interface CodeFindings {
  /** All facts, as stored. */
  facts: CheckedFact[];
  /** The rubric and a criterion for each further fact that decides something. */
  criteria: Criterion[];
  /** By id of the criterion; no vote is asked about these. */
  decided: ReadonlyMap<string, { met: Met; fact: CheckedFact }>;
  /** Proofs that a must is not met. If there is one, the verdict is `FAILURE`. */
  failures: CheckedFact[];
}

const NO_EXAMPLES: Pick<Reference, "examples"> = { examples: [] };

/**
 * Runs the checks of the task and of the criteria, and applies their results. A review has no
 * reference. Under an agreement there are none: its requirements were decided before.
 */
export async function checkInCode(
  { runChecks }: { runChecks: CheckRunner },
  input: Canonical,
  { criteria, reference }: { criteria: readonly Criterion[]; reference?: Reference },
  { signal, pages }: JudgeOptions,
): Promise<CodeFindings> {
  if (input.agreed) return applyFacts(criteria, [], reference);
  const further = listRequirements(criteria, reference);
  const facts = await runChecks(toCheckInput(input), { further, signal, pages });
  return applyFacts(criteria, facts, reference);
}

/** Returns the requirements of the code criteria, and of the reference's examples. */
export function listRequirements(
  criteria: readonly Criterion[],
  { examples }: Pick<Reference, "examples"> = NO_EXAMPLES,
): Requirement[] {
  const ofCriteria = criteria.flatMap(({ check }) =>
    check ? [{ check: check.name, parameters: check.parameters, statement: "" }] : [],
  );
  const hidden = toExamplesRequirement(examples);
  return hidden ? [...ofCriteria, hidden] : ofCriteria;
}

/** Returns null if there are no examples, or if the check does not accept them. */
function toExamplesRequirement(examples: Reference["examples"]): Requirement | null {
  const { name: check, parameters } = codeExamplesCheck;
  const parsed = parameters.safeParse({ language: null, examples });
  return parsed.success ? { check, parameters: parsed.data, statement: "" } : null;
}

/**
 * Applies the facts to the criteria. A criterion is left to the votes if its check was not
 * applicable, or failed without proving anything. Requirements that code found in the task become
 * criteria; so does a failure of a check that every deliverable is held to. The reference's examples
 * decide nothing, since a model wrote them.
 */
export function applyFacts(
  criteria: readonly Criterion[],
  facts: readonly CheckedFact[],
  { examples }: Pick<Reference, "examples"> = NO_EXAMPLES,
): CodeFindings {
  const hidden = toExamplesRequirement(examples);
  const isHidden = (fact: CheckedFact) =>
    hidden !== null && fact.statement === "" && isSameRequirement(fact, hidden);
  const usable = facts.filter(
    (fact) => fact.result.outcome !== "not-applicable" && !isHidden(fact),
  );
  const decided = new Map<string, { met: Met; fact: CheckedFact }>();
  const rubric = criteria.map((criterion): Criterion => {
    const { id, check } = criterion;
    if (!check) return criterion;
    const fact = usable.find((each) =>
      isSameRequirement(each, { check: check.name, parameters: check.parameters }),
    );
    if (!fact || (fact.result.outcome === "fail" && !isDecidingFailure(fact))) {
      return { ...criterion, proof: "quote" };
    }
    decided.set(id, { met: toMet(fact), fact });
    return criterion;
  });
  const linked = new Set([...decided.values()].map(({ fact }) => fact));
  const further = usable.filter(
    (fact) => !linked.has(fact) && (fact.statement !== "" || isDecidingFailure(fact)),
  );
  const taken = new Set(rubric.map(({ id }) => id));
  const added = further.map((fact) => {
    // A recorded rubric may have a criterion of this id, for another fact.
    const id = taken.has(fact.id) ? `${fact.id}-new` : fact.id;
    decided.set(id, { met: toMet(fact), fact });
    return toCriterion(id, fact);
  });
  const all = [...rubric, ...added];
  const failures = all.flatMap(({ id, kind }) => {
    const fact = decided.get(id)?.fact;
    return kind === "must" && fact && isDecidingFailure(fact) ? [fact] : [];
  });
  return { facts: [...facts], criteria: all, decided, failures };
}

const toMet = ({ result }: CheckedFact): Met => (result.outcome === "pass" ? "yes" : "no");

/** A failure that proves nothing becomes a should. */
function toCriterion(id: string, fact: CheckedFact): Criterion {
  const { text, check: name, parameters, result } = fact;
  const isMust = result.outcome === "pass" || isDecidingFailure(fact);
  return { id, text, kind: isMust ? "must" : "should", proof: "code", check: { name, parameters } };
}
