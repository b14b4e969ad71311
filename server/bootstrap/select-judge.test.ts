import pino from "pino";
import { afterAll, expect, test, vi } from "vitest";
import { describeJudge } from "@/server/judging/availability";
import { citedPagesExist } from "@/server/judging/checks/sources/cited-pages";
import { parseEnv } from "@/server/lib/env";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { toCanonical } from "@/server/testing/model/canonical-case";
import { createGullibleModel, GULLIBLE_TASK, HONEST } from "@/server/testing/model/gullible-model";
import { isProbe, parseMaterial, startScriptedModel } from "@/server/testing/model/scripted-model";
import { selectJudge, warnAboutSingleModel } from "./select-judge";

const database = await createTestDatabase();
afterAll(database.close);
const selectJudgeFor = (variables: Record<string, string>) =>
  selectJudge(createTestCore(database, { env: parseEnv(variables) }));

test("selects the built-in judge by default, with a note about its limits", () => {
  const judge = selectJudgeFor({});
  expect(describeJudge(judge)).toEqual({
    kind: "heuristic",
    judge: "built-in",
    id: "builtin-checks/v3",
    models: [],
    note: expect.stringContaining("is not assessed"),
  });
});

test.each<Record<string, string>>([
  { OPENAI_API_KEY: "sk-test" },
  { OPENAI_BASE_URL: "http://127.0.0.1:11434/v1" },
])("selects the model if the environment has %j", (variables) => {
  const judge = selectJudgeFor({ ...variables, JUDGE_MODEL: "some-model" });
  expect(describeJudge(judge)).toMatchObject({ kind: "llm", id: "some-model" });
});

test.each([
  { JUDGE_ESCALATION_MODEL: "further-1", further: "further-1" },
  { JUDGE_ESCALATION_MODEL: "", further: "gullible-1" },
])("one examination by each configured model: %j", async (given) => {
  const model = await startScriptedModel({ answer: createGullibleModel() });
  const judge = selectJudgeFor({
    OPENAI_BASE_URL: model.url,
    JUDGE_MODEL: "gullible-1",
    JUDGE_ESCALATION_MODEL: given.JUDGE_ESCALATION_MODEL,
  });
  const input = toCanonical({
    task: GULLIBLE_TASK,
    category: "content" as const,
    deliverable: { kind: "text" as const, text: HONEST, source: "content" as const },
  });
  expect(await judge.judge(input)).toMatchObject({ verdict: "SUCCESS" });
  expect(describeJudge(judge).models).toEqual([...new Set(["gullible-1", given.further])]);
  await model.close();
  // Each model that was never asked gets a harmless question first.
  const asked = model.requests
    .filter(({ body }) => !isProbe(parseMaterial(body.messages.at(-1)?.content ?? "")))
    .map(({ body }) => body.model);
  expect(asked.toSorted()).toEqual([given.further, "gullible-1"].toSorted());
});

test("a single model is warned about on any chain but a local one", () => {
  const warn = vi.fn();
  const start = (isLocal: boolean, variables: Record<string, string>) => {
    warn.mockClear();
    warnAboutSingleModel({ chain: { isLocal }, log: { warn } }, selectJudgeFor(variables));
    return warn.mock.calls;
  };
  const single = { OPENAI_API_KEY: "sk-test", JUDGE_MODEL: "some-model" };
  expect(start(false, single)).toEqual([[expect.stringContaining("JUDGE_ESCALATION_MODEL")]]);
  expect(start(true, single)).toEqual([]);
  expect(start(false, { ...single, JUDGE_ESCALATION_MODEL: "another" })).toEqual([]);
  expect(start(false, {})).toEqual([]);
});

test("a check that throws is logged and counted by its id, without a word of the texts", async () => {
  vi.spyOn(citedPagesExist, "observe").mockImplementation(({ text }) => {
    throw new Error(text);
  });
  const lines: string[] = [];
  const countFault = vi.fn();
  const judge = selectJudge(
    createTestCore(database, { log: pino({}, { write: (line) => lines.push(line) }) }),
    { countFault },
  );
  const deliverable = { kind: "text", text: "Secret rivers.", source: "content" } as const;
  const input = toCanonical({ task: "Name rivers.", category: "research" as const, deliverable });
  expect(await judge.judge(input)).toMatchObject({ verdict: "SUCCESS", confidencePpm: 500_000 });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 50, check: "cited-pages-exist", error: expect.stringMatching(/^Error at /) },
  ]);
  expect(lines.join()).not.toContain("Secret");
  expect(countFault.mock.calls).toEqual([["cited-pages-exist"]]);
});
