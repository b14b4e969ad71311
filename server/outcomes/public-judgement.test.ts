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
  purpose: "examination",
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
    version: "examination/v1",
    calibration: "c/1",
    findings: [
      {
        id: "d1",
        text: `Names the ${SECRET}`,
        note: `It names the ${SECRET}`,
        quote: SECRET,
        met: "yes",
        shown: { text: null, note: null },
      },
      {
        id: "d2",
        text: "Gives a figure",
        note: "None is given.",
        met: "no",
        shown: { text: "Gives a figure", note: "None is given." },
      },
    ],
    hashes: {
      prompt: sha256("template"),
      "prompt.examination": sha256("another template"),
      task: sha256("the task"),
      deliverable: sha256(SECRET),
      examinations: sha256("examinations"),
      promptness: sha256("of a text that is none of ours"),
    },
    examinations: [
      {
        call,
        outcome: "answer",
        demands: [{ demand: `Names the ${SECRET}`, met: "yes", why: SECRET, quote: SECRET }],
        manipulation: true,
        reasoning: SECRET,
        verdict: "SUCCESS",
        confidence: 0.9,
      },
    ],
    calls: [{ ...call, purpose: "probe" }],
    flags: ["manipulation"],
    shortened: { shown: 10, of: 20 },
  },
  durationMs: 900,
  createdAt: new Date("2026-11-21T12:00:00Z"),
};

describe("a judgement", () => {
  test("shows demands and examinations publicly, without the parties' texts", () => {
    const view = toPublicJudgement(row, salt);
    expect(JSON.stringify(view)).not.toContain(SECRET);
    expect(publicJudgementSchema.parse(view)).toEqual(view);
    expect(view).toMatchObject({
      judge: { kind: "llm", id: "a-model", version: "examination/v1" },
      verdict: "FAILURE",
      confidence: 0.86,
      calibration: "c/1",
      findings: [
        {
          id: "d1",
          text: "A demand on names of people, places or things, in private words",
          note: null,
          met: "yes",
        },
        { id: "d2", text: "Gives a figure", note: "None is given.", met: "no" },
      ],
      examinations: [
        {
          requestedModel: "a-model",
          outcome: "answer",
          verdict: "SUCCESS",
          confidence: 0.9,
          manipulation: true,
        },
      ],
      flags: ["manipulation"],
      shortened: { shown: 10, of: 20 },
    });
  });

  test("publishes salted hashes of private texts, and bare hashes of templates", () => {
    const view = toPublicJudgement(row, salt);
    const { hashes } = row.detail;
    const { prompt, "prompt.examination": template, ...others } = hashes;
    expect(view.hashes).toMatchObject({ prompt, "prompt.examination": template });
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
      findings: [{ quote: SECRET, note: `It names the ${SECRET}` }, { quote: null }],
      examinations: [
        {
          demands: row.detail.examinations?.[0]?.demands,
          reasoning: SECRET,
          raw: call.raw,
          parameters: call.parameters,
          costUsd: 0.01,
        },
      ],
      calls: row.detail.calls,
      unsaltedHashes: row.detail.hashes,
    });
  });

  test("without examinations has empty lists", () => {
    const { version, findings, hashes } = row.detail;
    const plain = { ...row, detail: { version, findings, hashes } };
    expect(toPublicJudgement(plain, salt)).toMatchObject({
      examinations: [],
      flags: [],
      calibration: null,
    });
    expect(toPartyJudgement(plain, salt).private).toMatchObject({
      examinations: [],
      calls: [],
    });
  });
});
