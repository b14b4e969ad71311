import { randomBytes as secureBytes } from "node:crypto";
import { UNDECIDED_PPM } from "@/server/judging/checks/confidence";
import { hashJson } from "@/server/judging/evidence";
import type { Canonical, Judge, Judgement, JudgeOptions } from "@/server/judging/judge";
import { createUncheckedJudgement } from "@/server/judging/pre-check";
import type { Escalation, StoredVote } from "@/server/judging/schema";
import { inWorker } from "@/server/lib/process/worker-pool";
import { CALIBRATION } from "./calibration";
import type { CaseTexts, prepareCaseTexts } from "./case-texts";
import { type Ballot, castVotes } from "./cast-votes";
import { confirmQuotes } from "./confirm-quotes";
import { createModelCalls, type ModelCalls } from "./model-calls";
import type { Panel } from "./panel";
import { listReferenceTexts } from "./private-text-index";
import { PANEL_VERSION } from "./prompts/category-guides";
import { drawMark, shuffle } from "./prompts/randomness";
import { toSections, type VoteMaterial } from "./prompts/vote-prompt";
import { type ReasoningFacts, writeReasoning } from "./public-reasoning";
import { createQuoteCheck } from "./quotes";
import { reviewByPanel } from "./review";
import { type CodeFindings, checkInCode } from "./rubric/code-findings";
import { getRubric, type Rubric } from "./rubric/rubric";
import {
  addCodeFindings,
  combineFindings,
  deriveVerdict,
  findEscalationReasons,
  getVoteFlags,
} from "./tally";
import { decide } from "./verdict";

const ROLES: readonly StoredVote["role"][] = ["examiner", "examiner", "refuter"];

export type PanelOptions = Pick<Panel, "ask" | "model" | "runChecks"> & Partial<Panel>;

/**
 * Creates a judge over a language model. Code decides what it can check; the model only answers
 * single criteria, and code checks each quotation, counts the votes and derives the verdict. The
 * round trips are: rubric and reference (unless cached); three votes, one of them by the escalation
 * model; and, for work that would pass, one call that confirms its quotations. Doubt adds a second
 * round of votes and its confirmation.
 */
export function createPanelJudge(options: PanelOptions): Judge {
  const panel: Panel = {
    escalationModel: options.model,
    rubrics: null,
    randomBytes: secureBytes,
    calibration: CALIBRATION,
    ...options,
  };
  const panelFor = ({ queueKey }: JudgeOptions): Panel => ({
    ...panel,
    ask: (question) => panel.ask({ ...question, queueKey }),
    runChecks: (input, further) => panel.runChecks(input, { ...further, queueKey }),
  });
  return {
    kind: "llm",
    id: panel.model,
    version: PANEL_VERSION,
    calibration: panel.calibration.version,
    setup: panel.model === panel.escalationModel ? "single-model" : "two-models",
    judge: (input, options = {}) => judgeByPanel(panelFor(options), input, options),
    review: (input, options = {}) => reviewByPanel(panelFor(options), input, options),
  };
}

const prepareInWorker = inWorker<Parameters<typeof prepareCaseTexts>, CaseTexts>(
  "server/judging/panel/case-texts.ts",
  "prepareCaseTexts",
);
const writeInWorker = inWorker<Parameters<typeof writeReasoning>, string>(
  "server/judging/panel/public-reasoning.ts",
  "writeReasoning",
);

async function judgeByPanel(
  panel: Panel,
  input: Canonical,
  options: JudgeOptions,
): Promise<Judgement> {
  const { model, calibration } = panel;
  const { task } = input;
  const prepared = await prepareInWorker.for(options.queueKey)(input);
  if (!prepared.ok) {
    return createUncheckedJudgement("Its text exceeds the time or memory limit.");
  }
  const texts = prepared.value;
  const calls = createModelCalls(panel, options);
  const rubric = await getRubric(panel, calls, input);
  const code = await checkInCode(panel, input, rubric, options);
  const { criteria, facts } = code;
  const { first, second, escalation } = await castAllVotes(
    panel,
    calls,
    input,
    { texts, rubric, code },
    options,
  );
  const votes = [...first, ...(second ?? [])];
  await calls.requireAnswers(votes, model);
  const decision = decide({ criteria, code, first, second, flags: texts.flags }, calibration);
  const { confidencePpm, isUndecided, support } = decision;
  // Under an agreement, work that can't be decided must not be worth more than work that fails.
  const isFailed = input.agreed !== undefined && confidencePpm <= UNDECIDED_PPM;
  const verdict = isFailed ? "FAILURE" : decision.verdict;
  const findings = combineFindings(criteria, second ?? first, code.decided);
  const { shownLength } = texts;
  const remarks: Pick<Judgement["detail"], "flags" | "escalation" | "shortened"> = {
    flags: [...new Set([...texts.flags, ...getVoteFlags(votes)])],
    ...(escalation ? { escalation } : {}),
    ...(shownLength.shown < shownLength.of ? { shortened: shownLength } : {}),
  };
  const reasoningFacts: ReasoningFacts = {
    verdict,
    isAssessed: confidencePpm > UNDECIDED_PPM,
    findings,
    ...remarks,
    outcomes: votes.map(({ outcome }) => outcome),
    isUndecided,
    isGuideRubric: rubric.source === "guide",
    isModelReplaced: [model, panel.escalationModel].some((each) => calls.resolve(each) !== each),
  };
  // Only the parties may read the criteria of an agreement.
  const reasoning = input.agreed
    ? ({ ok: false } as const)
    : await writeInWorker.for(options.queueKey)(reasoningFacts, [
        task,
        input.deliverable.text,
        ...listReferenceTexts(rubric.reference),
      ]);
  return {
    judge: { kind: "llm", id: model },
    verdict,
    confidencePpm,
    // Omits all of the model's words if the texts cannot be searched within the limits.
    reasoning: reasoning.ok ? reasoning.value : writeReasoning(reasoningFacts, null),
    detail: {
      version: PANEL_VERSION,
      findings: input.agreed
        ? findings.map((finding) => ({ ...finding, shown: { text: null, note: null } }))
        : findings,
      checks: facts,
      hashes: {
        rubric: hashJson(criteria),
        reference: hashJson(rubric.reference),
        checks: hashJson(facts),
        votes: hashJson(votes),
      },
      rubric: criteria,
      reference: rubric.reference,
      rubricSource: rubric.source,
      votes,
      calls: [...calls.list],
      ...remarks,
      calibration: calibration.version,
      ...(support ? { support } : {}),
    },
  };
}

interface Votes {
  first: StoredVote[];
  /** Null if there was no reason for a second round. */
  second: StoredVote[] | null;
  escalation?: Escalation;
}

/** Casts the first round of votes, and a second one if there is a reason to escalate. */
async function castAllVotes(
  panel: Panel,
  calls: ModelCalls,
  { task, highValue = false }: Canonical,
  { texts, rubric, code }: { texts: CaseTexts; rubric: Rubric; code: CodeFindings },
  { signal }: JudgeOptions,
): Promise<Votes> {
  const { model, escalationModel, randomBytes } = panel;
  const { shownDeliverable: deliverable, flags } = texts;
  const { criteria, decided, failures } = code;
  const material: VoteMaterial = {
    task,
    deliverable,
    reference: rubric.reference,
    criteria: criteria.filter(({ id }) => !decided.has(id)),
    facts: code.facts.filter(({ result }) => result.outcome !== "not-applicable"),
  };
  const control = shuffle(texts.controlCriteria, randomBytes)[0] ?? null;
  const quotes = createQuoteCheck(texts.quotes);
  // The last one is by the other model: its dissent leads to a second round, however sure the first is.
  const ballots = ROLES.map(
    (role, index): Ballot => ({
      model: index === ROLES.length - 1 ? escalationModel : model,
      material,
      role,
      control,
      quotes,
    }),
  );
  const mark = drawMark(randomBytes, toSections(material));
  const round = { mark, shownLength: deliverable.length, signal };
  const confirm = (votes: StoredVote[]) => {
    const counted = addCodeFindings(votes, decided);
    // Confirmation can only turn a success into a failure.
    const isPassing = failures.length === 0 && deriveVerdict(criteria, counted) === "SUCCESS";
    return isPassing
      ? confirmQuotes(panel, calls, votes, {
          criteria: material.criteria,
          control,
          model: escalationModel,
        })
      : votes;
  };
  const findReasons = (votes: StoredVote[]) => {
    // No vote outweighs a proof.
    if (failures.length > 0) return [];
    const raised = [...flags, ...getVoteFlags(votes)];
    return findEscalationReasons(material.criteria, votes, { flags: raised, highValue });
  };

  let first = await castVotes(panel, calls, ballots, { ...round, purpose: "vote" });
  let reasons = findReasons(first);
  if (reasons.length === 0) {
    first = await confirm(first);
    reasons = findReasons(first);
  }
  if (reasons.length === 0) return { first, second: null };
  const second = await castVotes(
    panel,
    calls,
    ballots.map((ballot) => ({ ...ballot, model: escalationModel })),
    { ...round, purpose: "escalated-vote" },
  );
  return {
    first,
    second: await confirm(second),
    escalation: { reasons, model: calls.resolve(escalationModel) },
  };
}
