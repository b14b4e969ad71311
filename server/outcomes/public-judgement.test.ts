import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { commitToHash } from "@/server/judging/evidence";
import type { StoredJudgement } from "@/server/judging/queries";
import {
  type CallRecord,
  partyJudgementSchema,
  publicJudgementSchema,
} from "@/server/judging/schema";
import { sha256 } from "@/server/lib/hash";
import { toPartyJudgement, toPublicJudgement } from "./public-judgement";

const SECRET = "xylophone";
const salt = randomBytes(16);
const call: CallRecord = {
  purpose: "vote",
  requestedModel: "a-model",
  returnedModel: "a-model-1",
  host: "models.example",
  structuredOutput: "json_schema",
  parameters: { temperature: 0, seed: SECRET },
  promptHash: sha256("template"),
  finishReason: "stop",
  tokens: { input: 10, cachedInput: 0, output: 5 },
  latencyMs: 12,
  costUsd: 0.01,
  tries: 1,
  raw: `{"quote":"${SECRET}"}`,
};
const row: StoredJudgement = {
  id: randomUUID(),
  subjectId: randomUUID(),
  judgeKind: "llm",
  judgeId: "a-model",
  verdict: "FAILURE",
  confidencePpm: 860_000,
  reasoning: "It lacks a figure.",
  evidence: {} as StoredJudgement["evidence"],
  evidenceHash: sha256("evidence"),
  detail: {
    version: "panel/v3",
    calibration: "c/1",
    findings: [
      {
        id: "c1",
        text: `Names the ${SECRET}`,
        note: `It names the ${SECRET}`,
        quote: SECRET,
        kind: "must",
        met: "yes",
        votes: { yes: 3, no: 0, partial: 0, cannot_verify: 0 },
        shown: { text: null, note: null },
      },
      {
        id: "c2",
        text: "Gives a figure",
        note: "None is given.",
        kind: "must",
        met: "no",
        shown: { text: "Gives a figure", note: "None is given." },
      },
      { id: "c3", text: `Not looked through: ${SECRET}`, met: "no" },
    ],
    hashes: {
      prompt: sha256("template"),
      "prompt.vote": sha256("another template"),
      task: sha256("the task"),
      deliverable: sha256(SECRET),
      rubric: sha256("rubric"),
      votes: sha256("votes"),
      promptness: sha256("of a text that is none of ours"),
    },
    rubric: [{ id: "c1", text: `Names the ${SECRET}`, kind: "must", proof: "quote" }],
    reference: { keyPoints: [SECRET], examples: [{ call: "f(1)", expected: SECRET }] },
    votes: [
      {
        call,
        order: ["c2", "c1"],
        outcome: "answer",
        findings: [
          { id: "c1", met: "yes", against: SECRET, quote: SECRET, finding: SECRET, standing: true },
          { id: "c2", met: "no", against: "", quote: "", finding: SECRET, standing: false },
        ],
        role: "refuter",
        controlMet: "no",
        injectionSuspected: false,
        canaryKept: true,
        summary: SECRET,
        modelVerdict: "SUCCESS",
      },
    ],
    calls: [{ ...call, purpose: "rubric" }],
    flags: ["confusables"],
    escalation: { reasons: ["flag"], model: "b-model" },
    shortened: { shown: 10, of: 20 },
  },
  durationMs: 900,
  createdAt: new Date("2026-11-21T12:00:00Z"),
};

describe("a judgement", () => {
  test("shows questions, findings and votes publicly, without the parties' texts", () => {
    const view = toPublicJudgement(row, salt);
    expect(JSON.stringify(view)).not.toContain(SECRET);
    expect(publicJudgementSchema.parse(view)).toEqual(view);
    expect(view).toMatchObject({
      judge: { kind: "llm", id: "a-model", version: "panel/v3" },
      verdict: "FAILURE",
      confidence: 0.86,
      calibration: "c/1",
      findings: [
        {
          id: "c1",
          text: "A required point on names of people, places or things, in private words",
          note: null,
          met: "yes",
          votes: { yes: 3 },
        },
        { id: "c2", text: "Gives a figure", note: "None is given.", met: "no", votes: null },
        { id: "c3", text: expect.stringMatching(/in private words$/), kind: null },
      ],
      votes: [{ requestedModel: "a-model", outcome: "answer", met: { c1: "yes", c2: "no" } }],
      flags: ["confusables"],
      escalation: { reasons: ["flag"] },
      shortened: { shown: 10, of: 20 },
    });
  });

  test("publishes salted hashes of private texts, and bare hashes of templates", () => {
    const view = toPublicJudgement(row, salt);
    const { hashes } = row.detail;
    const { prompt, "prompt.vote": votePrompt, ...others } = hashes;
    expect(view.hashes).toMatchObject({ prompt, "prompt.vote": votePrompt });
    for (const [name, hash] of Object.entries(others)) {
      expect(view.hashes[name], name).toBe(commitToHash(salt, hash));
      expect(JSON.stringify(view), name).not.toContain(hash.slice(2));
    }
  });

  test("shows a party everything that is stored", () => {
    const view = toPartyJudgement(row, salt);
    expect(partyJudgementSchema.parse(view)).toEqual(view);
    expect(view).toMatchObject(toPublicJudgement(row, salt));
    expect(view.private).toMatchObject({
      rubric: row.detail.rubric,
      reference: row.detail.reference,
      findings: [{ quote: SECRET, note: `It names the ${SECRET}` }, { quote: null }, {}],
      votes: [{ raw: call.raw, order: ["c2", "c1"], parameters: call.parameters, costUsd: 0.01 }],
      calls: row.detail.calls,
      unsaltedHashes: row.detail.hashes,
    });
  });

  test("without rubric and votes has empty lists", () => {
    const { version, findings, hashes } = row.detail;
    const plain = { ...row, detail: { version, findings, hashes } };
    expect(toPublicJudgement(plain, salt)).toMatchObject({
      votes: [],
      flags: [],
      escalation: null,
      calibration: null,
    });
    expect(toPartyJudgement(plain, salt).private).toMatchObject({
      rubric: [],
      reference: null,
      votes: [],
      calls: [],
    });
  });
});
