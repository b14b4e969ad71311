import type { PublicJudgement } from "@/server/judging/schema";

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
  judge: { kind: "llm", id: "a-model", version: "panel/v1" },
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
      text: null,
      note: null,
      kind: "must",
      met: "no",
      votes: { yes: 0, no: 3, partial: 0, cannot_verify: 0 },
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
