import type { CheckedFact } from "@/server/judging/checks/run-checks";
import { commitToHash } from "@/server/judging/evidence";
import { describeWithheld, numberRepeats } from "@/server/judging/examination/withheld-demand";
import type { StoredJudgement } from "@/server/judging/queries";
import type { PartyJudgement, PublicJudgement, StoredExamination } from "@/server/judging/schema";

const hash = (digit: string) => `0x${digit.repeat(64)}`;
const EXAMINATION: PublicJudgement["examinations"][number] = {
  purpose: "examination",
  requestedModel: "a-model",
  returnedModel: "a-model-2026-10",
  host: "models.example",
  structuredOutput: "json_schema",
  promptHash: hash("a"),
  finishReason: "stop",
  tokens: { input: 1_140, cachedInput: 1_024, output: 212 },
  latencyMs: 2_310,
  tries: 1,
  outcome: "answer",
  verdict: "FAILURE",
  confidence: 0.9,
  manipulation: false,
};

/** Example for the API document: one demand that is met, and one that is not. */
export const JUDGEMENT_EXAMPLE: PublicJudgement = {
  outcomeId: "3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10",
  judge: { kind: "llm", id: "a-model", version: "examination/v1" },
  verdict: "FAILURE",
  confidence: 0.86,
  calibration: null,
  findings: [
    {
      id: "d1",
      text: "Say what failed first",
      note: "It names the component and the time.",
      met: "yes",
    },
    {
      id: "d2",
      text: "A demand on dates or times, in private words",
      note: null,
      met: "no",
    },
  ],
  checks: [
    {
      id: "k1",
      check: "stated-limit",
      text: "At most 200 words",
      stated: true,
      outcome: "pass",
      observed: "184 words",
    },
  ],
  examinations: [
    EXAMINATION,
    { ...EXAMINATION, requestedModel: "another-model", returnedModel: "another-model-2" },
  ],
  flags: [],
  shortened: null,
  hashes: { checks: hash("b"), task: hash("c"), examinations: hash("d") },
  evidenceHash: hash("e"),
  durationMs: 6_480,
  judgedAt: "2026-11-21T12:00:00.000Z",
};

/**
 * Returns the public view of a judgement. Hashes are salted unless they are of a prompt template:
 * every other hashed text belongs to a party or derives from one that does, and a short text can be
 * guessed from its bare hash. The texts of findings were screened when they were stored; in place of
 * those that repeat private text are words of ours.
 */
export function toPublicJudgement(row: StoredJudgement, salt: Uint8Array): PublicJudgement {
  const { detail } = row;
  const texts = numberRepeats(
    detail.findings.map((finding) => finding.shown.text ?? describeWithheld(finding)),
  );
  return {
    outcomeId: row.subjectId,
    judge: { kind: row.judgeKind, id: row.judgeId, version: detail.version },
    verdict: row.verdict,
    confidence: row.confidencePpm / 1_000_000,
    calibration: detail.calibration ?? null,
    findings: detail.findings.map(({ id, shown, met }, index) => ({
      id,
      text: texts[index] ?? null,
      note: shown.note,
      met,
    })),
    checks: toPublicChecks(detail.checks),
    examinations: (detail.examinations ?? []).map(toPublicExamination),
    flags: detail.flags ?? [],
    shortened: detail.shortened ?? null,
    hashes: Object.fromEntries(
      Object.entries(detail.hashes).map(([name, hash]) => [
        name,
        isTemplateHash(name) ? hash : (commitToHash(salt, hash) ?? ""),
      ]),
    ),
    evidenceHash: row.evidenceHash,
    durationMs: row.durationMs,
    judgedAt: row.createdAt.toISOString(),
  };
}

/** Returns what code checked, without the private parts. */
export const toPublicChecks = (checks: readonly CheckedFact[] = []): PublicJudgement["checks"] =>
  checks.map(({ id, check, text, statement, result: { outcome, observed } }) => ({
    ...{ id, check, text, outcome, observed },
    stated: statement !== "",
  }));

const isTemplateHash = (name: string) => /^prompts?([A-Z.]|$)/.test(name);

/** Returns an examination without its private parts. */
export function toPublicExamination({
  call,
  demands: _demands,
  reasoning: _reasoning,
  ...examined
}: StoredExamination): PublicJudgement["examinations"][number] {
  const { raw: _raw, parameters: _parameters, costUsd: _cost, ...facts } = call;
  return { ...facts, ...examined };
}

/** Returns a party's view of the judgement: everything that is stored, including the texts. */
export function toPartyJudgement(row: StoredJudgement, salt: Uint8Array): PartyJudgement {
  const { detail } = row;
  return {
    ...toPublicJudgement(row, salt),
    private: {
      findings: detail.findings.map(({ id, text, quote, note }) => ({
        id,
        text,
        quote: quote ?? null,
        note: note ?? null,
      })),
      checks: (detail.checks ?? []).map(({ id, parameters, statement, result }) => ({
        id,
        parameters,
        statement,
        detail: result.detail ?? null,
        passages: result.passages ?? [],
      })),
      examinations: (detail.examinations ?? []).map(({ call, demands, reasoning }) => ({
        demands,
        reasoning,
        raw: call.raw,
        parameters: call.parameters,
        costUsd: call.costUsd,
      })),
      calls: detail.calls ?? [],
      unsaltedHashes: detail.hashes,
    },
  };
}
