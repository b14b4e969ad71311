import { commitToHash } from "@/server/judging/evidence";
import type { StoredJudgement } from "@/server/judging/queries";
import type { KeptVote, PartyJudgement, PublicJudgement } from "@/server/judging/schema";

/**
 * The judgement as everybody may read it. Hashes are salted, unless they stand for a prompt's
 * template: the text behind any other is a party's, or was made from it, and a short text can be
 * guessed from its bare hash. Words of findings were looked through when they were stored; what was
 * not looked through is not shown.
 */
export function toPublicJudgement(row: StoredJudgement, salt: Uint8Array): PublicJudgement {
  const { detail } = row;
  return {
    outcomeId: row.subjectId,
    judge: { kind: row.judgeKind, id: row.judgeId, version: detail.version },
    verdict: row.verdict,
    confidence: row.confidencePpm / 1_000_000,
    calibration: detail.calibration ?? null,
    findings: detail.findings.map(({ id, shown, kind, met, votes }) => ({
      id,
      text: shown?.text ?? null,
      note: shown?.note ?? null,
      kind: kind ?? null,
      met,
      votes: votes ? { ...NO_VOTES, ...votes } : null,
    })),
    votes: (detail.votes ?? []).map(publicVote),
    flags: detail.flags ?? [],
    escalation: detail.escalation ?? null,
    shortened: detail.shortened ?? null,
    hashes: Object.fromEntries(
      Object.entries(detail.hashes).map(([name, hash]) => [
        name,
        isOfTemplate(name) ? hash : (commitToHash(salt, hash) ?? ""),
      ]),
    ),
    evidenceHash: row.evidenceHash,
    durationMs: row.durationMs,
    judgedAt: row.createdAt.toISOString(),
  };
}

const NO_VOTES = { yes: 0, no: 0, partial: 0, cannot_verify: 0 };

const isOfTemplate = (name: string) => /^prompts?([A-Z.]|$)/.test(name);

function publicVote({ call, outcome, findings }: KeptVote): PublicJudgement["votes"][number] {
  const { raw: _raw, parameters: _parameters, costUsd: _cost, ...facts } = call;
  return { ...facts, outcome, met: Object.fromEntries(findings.map(({ id, met }) => [id, met])) };
}

/** The judgement as a party reads it: everything that is kept, with the texts. */
export function toPartyJudgement(row: StoredJudgement, salt: Uint8Array): PartyJudgement {
  const { detail } = row;
  return {
    ...toPublicJudgement(row, salt),
    private: {
      rubric: detail.rubric ?? [],
      findings: detail.findings.map(({ id, text, quote, note }) => ({
        id,
        text,
        quote: quote ?? null,
        note: note ?? null,
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
