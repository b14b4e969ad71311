import { randomBytes as secureBytes } from "node:crypto";
import { hashJson } from "@/server/judging/evidence";
import type { Canonical, Judge, Judgement, JudgeOptions } from "@/server/judging/judge";
import { createUncheckedJudgement } from "@/server/judging/pre-check";
import type { CallRecord, Escalation, Flag, StoredVote } from "@/server/judging/schema";
import { inWorker } from "@/server/lib/process/worker-pool";
import { CALIBRATION } from "./calibration";
import type { CaseTexts, prepareCaseTexts } from "./case-texts";
import { type Ballot, castVotes, checkAgainstDeliverable } from "./cast-votes";
import { checkInCode } from "./check-in-code";
import { confirmQuotes } from "./confirm-quotes";
import { DEFENCES } from "./defences";
import { createModelProbe, isOutage, rethrowMissingAnswer } from "./model-probe";
import type { Panel } from "./panel";
import { listReferenceTexts } from "./private-text-index";
import { GUIDES, PANEL_VERSION } from "./prompts/category-guides";
import { drawMark, shuffle } from "./prompts/randomness";
import { toSections, type VoteMaterial } from "./prompts/vote-prompt";
import { type ReasoningFacts, writeReasoning } from "./public-reasoning";
import { createQuoteCheck } from "./quotes";
import { reviewByPanel } from "./review";
import type { CodeFindings } from "./rubric/code-findings";
import { getRubric, type Rubric, toAgreedRubric } from "./rubric/rubric";
import { separateEnd } from "./suspicion/suspect-passages";
import {
  addCodeFindings,
  combineFindings,
  deriveVerdict,
  findEscalationReasons,
  getVoteFlags,
} from "./tally";
import { decide, type PartVotes } from "./verdict";

const ROLES: readonly StoredVote["role"][] = ["examiner", "examiner", "refuter"];

export type PanelOptions = Pick<Panel, "ask" | "model" | "runChecks"> &
  Partial<Omit<Panel, "probe">> & { now?: () => number };

/**
 * Creates a judge over a language model. Code decides what it can check; the model only answers
 * single criteria, and code checks each quotation, counts the votes and derives the verdict. Takes
 * two round trips if the votes agree: rubric and reference (unless cached), then three votes, one of
 * them by the escalation model.
 * Doubtful quotations and a second round of votes take one more each.
 */
export function createPanelJudge({ now = Date.now, ...options }: PanelOptions): Judge {
  const parts = {
    escalationModel: options.model,
    rubrics: null,
    defences: new Set(DEFENCES),
    randomBytes: secureBytes,
    calibration: CALIBRATION,
    ...options,
  };
  const panel: Panel = { ...parts, probe: createModelProbe(parts, now) };
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
    judge: (input, options = {}) =>
      judgeByPanel(panelFor(options), input, options).catch((error) =>
        rethrowMissingAnswer(panel, error, options),
      ),
    review: (input, options = {}) =>
      reviewByPanel(panelFor(options), input, options).catch((error) =>
        rethrowMissingAnswer(panel, error, options),
      ),
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
  const { model, defences, calibration } = panel;
  const { task, category } = input;
  const prepared = await prepareInWorker.for(options.queueKey)(input);
  if (!prepared.ok) {
    return createUncheckedJudgement("Its text exceeds the time or memory limit.");
  }
  const texts = prepared.value;
  const rubric = input.agreed
    ? toAgreedRubric(input.agreed)
    : await getRubric(panel, { task, category, shown: texts.shownDeliverable }, options);
  const code = await checkInCode(panel, input, rubric, options);
  const { criteria, facts } = code;
  const { first, second, parts, calls, escalation, isSecondModelDown } = await castAllVotes(
    panel,
    input,
    { texts, rubric, code },
    options,
  );
  const votes = [...first, ...(second ?? [])];
  const decision = decide(
    {
      criteria,
      code,
      first,
      second,
      flags: texts.flags,
      parts,
      trustsModels: !defences.has("compute-verdict"),
    },
    calibration,
  );
  const { verdict, confidencePpm, isUndecided, support } = decision;
  const findings = combineFindings(criteria, second ?? first, code.decided);
  const { shownLength } = texts;
  const remarks: Pick<Judgement["detail"], "flags" | "escalation" | "shortened"> = {
    flags: [...new Set([...texts.flags, ...getVoteFlags(votes)])],
    ...(escalation ? { escalation } : {}),
    ...(shownLength.shown < shownLength.of ? { shortened: shownLength } : {}),
  };
  const reasoningFacts: ReasoningFacts = {
    verdict,
    findings,
    ...remarks,
    outcomes: votes.map(({ outcome }) => outcome),
    isUndecided,
    isGuideRubric: rubric.source === "guide",
    isSecondModelDown,
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
      calls: [...rubric.calls, ...calls],
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
  /** Null if no flag was raised. */
  parts: PartVotes | null;
  /** Whether the first model voted in place of the escalation model. */
  isSecondModelDown: boolean;
  /** All calls except the votes of both rounds. */
  calls: CallRecord[];
  escalation?: Escalation;
}

/** Casts the first round of votes, and a second one if there is a reason to escalate. */
async function castAllVotes(
  panel: Panel,
  { task, category, highValue = false }: Canonical,
  { texts, rubric, code }: { texts: CaseTexts; rubric: Rubric; code: CodeFindings },
  options: JudgeOptions,
): Promise<Votes> {
  const { model, escalationModel, defences, randomBytes } = panel;
  const { shownDeliverable: shown, flags } = texts;
  const { criteria, decided, failures } = code;
  const material: VoteMaterial = {
    task,
    deliverable: shown,
    reference: rubric.reference,
    criteria: criteria.filter(({ id }) => !decided.has(id)),
    facts: code.facts.filter(({ result }) => result.outcome !== "not-applicable"),
  };
  const mark = drawMark(
    randomBytes,
    toSections(material).map(([, text]) => text),
  );
  const control = defences.has("control-criterion")
    ? (shuffle(texts.controlCriteria, randomBytes)[0] ?? null)
    : null;
  const check = checkAgainstDeliverable(
    createQuoteCheck(texts.quotes),
    defences.has("check-quotes"),
  );
  const roles = defences.has("vote") ? ROLES : ROLES.slice(0, 1);
  const toBallot = (role: StoredVote["role"], deliverable = shown): Ballot => ({
    material: { ...material, deliverable },
    role,
    control,
    check,
  });
  const ballots = roles.map((role) => toBallot(role));
  const round = { mark, shownLength: shown.length };
  // The first model takes over while the escalation model is down.
  let secondModel = escalationModel;
  const castBySecondModel = async (
    cast: readonly Ballot[],
    purpose: "vote" | "escalated-vote",
  ): ReturnType<typeof castVotes> => {
    try {
      return await castVotes(panel, cast, { ...round, model: secondModel, purpose }, options);
    } catch (error) {
      const isDown = secondModel !== model && (await isOutage(panel, secondModel, error, options));
      if (!isDown) throw error;
      secondModel = model;
      return castVotes(panel, cast, { ...round, model, purpose }, options);
    }
  };
  const doubts = { criteria: material.criteria, guideMust: GUIDES[category].must, control };
  const confirm = async (votes: StoredVote[], raised: readonly Flag[]) =>
    // Confirmation can only turn a success into a failure.
    defences.has("confirm-quotes") && isPassing(votes)
      ? confirmQuotes(
          { ...panel, escalationModel: secondModel },
          votes,
          { ...doubts, flags: raised },
          options,
        )
      : { votes, calls: [] };
  const isPassing = (votes: StoredVote[]) =>
    failures.length === 0 && deriveVerdict(criteria, addCodeFindings(votes, decided)) === "SUCCESS";
  const findReasons = (votes: StoredVote[]) => {
    // No vote outweighs a failed check.
    if (failures.length > 0 || !defences.has("escalate")) return [];
    const raised = [...flags, ...getVoteFlags(votes)];
    return findEscalationReasons(material.criteria, votes, { flags: raised, highValue });
  };

  // Dissent of another model leads to a second round, however sure the first one is.
  const isRefutedBySecond = secondModel !== model && ballots.length > 1;
  const [own, others] = await Promise.all([
    castVotes(
      panel,
      isRefutedBySecond ? ballots.slice(0, -1) : ballots,
      { ...round, model, purpose: "vote" },
      options,
    ),
    isRefutedBySecond ? castBySecondModel(ballots.slice(-1), "vote") : null,
  ]);
  const first = [...own.votes, ...(others?.votes ?? [])];
  const calls = [...own.calls, ...(others?.calls ?? [])];
  let reasons = findReasons(first);
  let votes = first;
  if (reasons.length === 0) {
    const confirmed = await confirm(votes, [...flags, ...getVoteFlags(votes)]);
    calls.push(...confirmed.calls);
    votes = confirmed.votes;
    reasons = findReasons(votes);
    if (reasons.length === 0) {
      const isSecondModelDown = secondModel !== escalationModel;
      return { first: votes, second: null, parts: null, isSecondModelDown, calls };
    }
  }
  const isFlagged = [...flags, ...getVoteFlags(votes)].length > 0;
  const separated =
    isFlagged && defences.has("separate-passages")
      ? texts.separation?.work.trim()
        ? texts.separation
        : separateEnd(shown)
      : null;
  const partTexts = separated
    ? [separated.passages, ...(separated.work === null ? [] : [separated.work])]
    : [];
  const second = await castBySecondModel(
    [...ballots, ...partTexts.map((text) => toBallot("examiner", text))],
    "escalated-vote",
  );
  const deciding = second.votes.slice(0, ballots.length);
  const [passages, work = null] = second.votes.slice(ballots.length);
  const raised = [...flags, ...getVoteFlags([...votes, ...deciding])];
  const confirmed = await confirm(deciding, raised);
  return {
    first: votes,
    second: confirmed.votes,
    parts: passages ? { passages, work } : null,
    isSecondModelDown: secondModel !== escalationModel,
    calls: [
      ...calls,
      ...second.calls,
      ...[passages, work].flatMap((vote) => (vote ? [vote.call] : [])),
      ...confirmed.calls,
    ],
    escalation: { reasons, model: secondModel },
  };
}
