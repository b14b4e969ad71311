import { isGeneralRequirement } from "@/server/judging/checks/check";
import type { CheckedFact } from "@/server/judging/checks/run-checks";
import { commitToHash } from "@/server/judging/evidence";
import { describeWithheld, numberRepeats } from "@/server/judging/panel/withheld-criterion";
import type { StoredJudgement } from "@/server/judging/queries";
import type { PartyJudgement, PublicJudgement, StoredVote } from "@/server/judging/schema";

const hash = (digit: string) => `0x${digit.repeat(64)}`;
const vote = (yes: Record<string, "yes" | "no">): PublicJudgement["votes"][number] => ({
  purpose: "vote",
  requestedModel: "a-model",
  returnedModel: "a-model-2026-10",
  host: "models.example",
  structuredOutput: "json_schema",
  promptHash: hash("a"),
  finishReason: "stop",
  tokens: { input: 1_840, cachedInput: 1_024, output: 212 },
  latencyMs: 2_310,
  tries: 1,
  outcome: "answer",
  met: yes,
});

/** Example for the API document: one criterion that every vote found met, and one missed. */
export const JUDGEMENT_EXAMPLE: PublicJudgement = {
  outcomeId: "3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10",
  judge: { kind: "llm", id: "a-model", version: "panel/v3" },
  verdict: "FAILURE",
  confidence: 0.86,
  calibration: null,
  findings: [
    {
      id: "c1",
      text: "Says what failed first",
      note: "It names the component and the time.",
      kind: "must",
      met: "yes",
      votes: { yes: 3, no: 0, partial: 0, cannot_verify: 0 },
    },
    {
      id: "c2",
      text: "A required point on dates or times, in private words",
      note: null,
      kind: "must",
      met: "no",
      votes: { yes: 0, no: 3, partial: 0, cannot_verify: 0 },
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
  votes: [1, 2, 3].map(() => vote({ c1: "yes", c2: "no" })),
  flags: [],
  escalation: null,
  shortened: null,
  hashes: { prompt: hash("a"), rubric: hash("b"), task: hash("c"), votes: hash("d") },
  evidenceHash: hash("e"),
  durationMs: 6_480,
  judgedAt: "2026-11-21T12:00:00.000Z",
};

/**
 * Returns the public view of a judgement. Hashes are salted unless they are of a prompt template:
 * every other hashed text belongs to a party or derives from one that does, and a short text can be
 * guessed from its bare hash. The texts of findings were screened when they were stored; in place of
 * those that repeat private text or were not screened are words of ours.
 */
export function toPublicJudgement(row: StoredJudgement, salt: Uint8Array): PublicJudgement {
  const { detail } = row;
  const texts = numberRepeats(
    detail.findings.map((finding) => finding.shown?.text ?? describeWithheld(finding)),
  );
  return {
    outcomeId: row.subjectId,
    judge: { kind: row.judgeKind, id: row.judgeId, version: detail.version },
    verdict: row.verdict,
    confidence: row.confidencePpm / 1_000_000,
    calibration: detail.calibration ?? null,
    findings: detail.findings.map(({ id, shown, kind, met, votes }, index) => ({
      id,
      text: texts[index] ?? null,
      note: shown?.note ?? null,
      kind: kind ?? null,
      met,
      votes: votes ? { ...NO_VOTES, ...votes } : null,
    })),
    checks: toPublicChecks(detail.checks),
    votes: (detail.votes ?? []).map(toPublicVote),
    flags: detail.flags ?? [],
    escalation: detail.escalation ?? null,
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
  checks.map(({ result: { outcome, observed }, ...fact }) => {
    const { id, check, text } = fact;
    return { id, check, text, stated: !isGeneralRequirement(fact), outcome, observed };
  });

const NO_VOTES = { yes: 0, no: 0, partial: 0, cannot_verify: 0 };

const isTemplateHash = (name: string) => /^prompts?([A-Z.]|$)/.test(name);

function toPublicVote({ call, outcome, findings }: StoredVote): PublicJudgement["votes"][number] {
  const { raw: _raw, parameters: _parameters, costUsd: _cost, ...facts } = call;
  return { ...facts, outcome, met: Object.fromEntries(findings.map(({ id, met }) => [id, met])) };
}

/** Returns a party's view of the judgement: everything that is stored, including the texts. */
export function toPartyJudgement(row: StoredJudgement, salt: Uint8Array): PartyJudgement {
  const { detail } = row;
  return {
    ...toPublicJudgement(row, salt),
    private: {
      rubric: detail.rubric ?? [],
      reference: detail.reference ?? null,
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
      votes: (detail.votes ?? []).map(({ call, outcome: _outcome, ...vote }) => ({
        ...vote,
        raw: call.raw,
        parameters: call.parameters,
        costUsd: call.costUsd,
      })),
      calls: detail.calls ?? [],
      unsaltedHashes: detail.hashes,
    },
  };
}
