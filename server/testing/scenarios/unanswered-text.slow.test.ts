import { afterAll, beforeAll, expect, test } from "vitest";
import { hasten, waitFor } from "@/server/testing/engine/engine";
import { createGullibleModel, GULLIBLE_TASK, HONEST } from "@/server/testing/model/gullible-model";
import { type ModelReply, startScriptedModel } from "@/server/testing/model/scripted-model";
import { startTestService, type TestService } from "@/server/testing/service";

/** How the endpoint treats a text that contains the word. */
const TREATMENTS: Record<string, ModelReply> = {
  forbidden: { status: 403 },
  unacceptable: { status: 406 },
  rerouted: { status: 200, body: "<html>", headers: { "content-type": "text/html" } },
  endless: { content: "x".repeat(1024 * 1024) },
  silent: "silence",
};

let model: Awaited<ReturnType<typeof startScriptedModel>>;
let service: TestService;
beforeAll(async () => {
  const answer = createGullibleModel();
  model = await startScriptedModel({
    answer: (request) => {
      const text = JSON.stringify(request.body.messages);
      const treated = Object.entries(TREATMENTS).find(([word]) => text.includes(`a ${word} port`));
      return treated?.[1] ?? answer(request);
    },
  });
  service = await startTestService({
    env: {
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: "a-key",
      JUDGE_MODEL: "a-model",
      JUDGE_TIMEOUT_SECONDS: "1",
    },
  });
});
afterAll(async () => {
  await service.close();
  await model.close();
});

/** Returns honest work of the two sentences that the task demands. */
const describePort = (word: string) => HONEST.replace(/\.$/, `, a ${word} port.`);

const submit = async (deliverableContent: string) =>
  service.submit(await service.agent(), {
    taskDescription: GULLIBLE_TASK,
    taskCategory: "content",
    deliverableContent,
  });

test.each(Object.keys(TREATMENTS))(
  "a text that the endpoint never answers gets a verdict without weight: %s",
  async (word) => {
    const id = await submit(describePort(word));
    const resolved = await waitFor(async () => {
      await hasten(service.database.db, "judge-outcome");
      await hasten(service.database.db, "judge-unanswered-outcome");
      const { body } = await service.call("GET", `/outcome/${id}`);
      return body.status === "RESOLVED" && body;
    });
    expect(resolved).toMatchObject({ verdict: "FAILURE", llmConfidence: 0.5 });
    expect((await service.runtime.health()).judge.status).toBe("ok");
  },
  120_000,
);

test("twenty texts that are never answered do not keep others from a verdict", async () => {
  await service.waitForResolved(await submit(HONEST));
  const silent = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      submit(describePort(`silent port, ${index}, a silent`)),
    ),
  );
  const honest = await Promise.all([submit(describePort("busy")), submit(describePort("French"))]);
  for (const id of honest) {
    expect(await service.waitForResolved(id)).toMatchObject({ verdict: "SUCCESS" });
  }
  const statuses = await Promise.all(
    silent.map(async (id) => (await service.call("GET", `/outcome/${id}`)).body.status),
  );
  expect(statuses).toContain("EVALUATING");
});
