import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { JudgeUnavailable } from "@/server/judging/judge";
import { callRecordSchema } from "@/server/judging/schema";
import { MINUTE_MS } from "@/server/lib/time";
import {
  type ModelReply,
  type ModelRequest,
  startScriptedModel,
} from "@/server/testing/model/scripted-model";
import { NoAnswer, type Question } from "./ask";
import { createModelClient, type ModelClientEnv, type ModelClientOptions } from "./model-client";

const schema = z.strictObject({
  note: z.string().min(1).max(20),
  met: z.enum(["yes", "no"]),
});
const ANSWER = { note: "fine", met: "yes" };
const QUESTION: Question<z.infer<typeof schema>> = {
  purpose: "examination",
  model: "scripted-1",
  messages: [
    { role: "system", content: "Judge it." },
    { role: "user", content: "The material." },
  ],
  promptHash: "0x01",
  name: "vote",
  schema,
};

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

type Script = (request: ModelRequest, count: number) => ModelReply | Promise<ModelReply>;

/** Creates a client of a scripted model, with a clock that only advances by sleeping. */
async function connect(
  script: ModelReply | Script,
  { env = {}, ...options }: ModelClientOptions & { env?: Partial<ModelClientEnv> } = {},
) {
  let count = 0;
  const model = await startScriptedModel({
    answer: (request) => {
      count += 1;
      return typeof script === "function" ? script(request, count) : script;
    },
  });
  open.push(model.close);
  let time = 0;
  const slept: number[] = [];
  const ask = createModelClient(
    {
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: "sk-test",
      JUDGE_TIMEOUT_SECONDS: 60,
      JUDGE_CONCURRENCY: 8,
      ...env,
    },
    {
      now: () => time,
      sleep: async (ms) => {
        slept.push(ms);
        time += ms;
      },
      random: () => 1,
      ...options,
    },
  );
  const pass = (ms: number) => {
    time += ms;
  };
  return { ask, model, slept, pass };
}

const respond = (
  content: unknown,
  rest: Partial<Extract<ModelReply, { content: unknown }>> = {},
) => ({ content, ...rest });
const respondWithError = (error: Record<string, unknown>, status = 400): ModelReply => ({
  status,
  body: JSON.stringify({ error }),
});
/** Replies in order, repeating the last one. */
const respondInTurn =
  (...replies: ModelReply[]): Script =>
  (_, count) =>
    replies[Math.min(count, replies.length) - 1] as ModelReply;
const getForm = ({ body }: ModelRequest) => body.response_format?.type ?? "prompt";
const listForms = (requests: ModelRequest[]) => requests.map(getForm);

async function expectUnavailable(asked: Promise<unknown>): Promise<JudgeUnavailable> {
  const error = await asked.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(JudgeUnavailable);
  return error;
}

describe("an answer", () => {
  test("comes with the full record of the call", async () => {
    const { ask, model } = await connect(
      respond(ANSWER, {
        model: "scripted-1-2026",
        usage: {
          prompt_tokens: 1_000,
          completion_tokens: 100,
          prompt_tokens_details: { cached_tokens: 600 },
        },
      }),
      { env: { JUDGE_PRICE_INPUT: 2, JUDGE_PRICE_CACHED_INPUT: 1, JUDGE_PRICE_OUTPUT: 10 } },
    );
    const answered = await ask(QUESTION);
    const { raw, ...facts } = answered.call;
    expect(callRecordSchema.parse(facts)).toEqual({
      purpose: "examination",
      requestedModel: "scripted-1",
      returnedModel: "scripted-1-2026",
      host: new URL(model.url).host,
      structuredOutput: "json_schema",
      parameters: { temperature: 0.2, max_tokens: 16_000 },
      promptHash: "0x01",
      finishReason: "stop",
      tokens: { input: 1_000, cachedInput: 600, output: 100 },
      latencyMs: 0,
      costUsd: 0.0024,
      tries: 1,
    });
    expect(raw).toBe(JSON.stringify(ANSWER));
    expect(answered).toMatchObject({ outcome: "answer", value: ANSWER });
  });

  test("is requested with the strict schema, unchanged messages and the key", async () => {
    const { ask, model } = await connect(respond(ANSWER));
    await ask(QUESTION);
    expect(model.requests[0]?.path).toBe("/v1/chat/completions");
    expect(model.requests[0]?.headers.authorization).toBe("Bearer sk-test");
    expect(model.requests[0]?.body).toEqual({
      model: "scripted-1",
      temperature: 0.2,
      max_tokens: 16_000,
      messages: QUESTION.messages,
      response_format: {
        type: "json_schema",
        json_schema: {
          name: "vote",
          strict: true,
          schema: {
            type: "object",
            properties: {
              note: { type: "string" },
              met: { type: "string", enum: ["yes", "no"] },
            },
            required: ["note", "met"],
            additionalProperties: false,
          },
        },
      },
    });
  });

  test.each([
    ["inside a fence and words", `Here:\n\`\`\`json\n${JSON.stringify(ANSWER)}\n\`\`\`\nDone.`],
    ["after marked thoughts", `<think>maybe {"met":"no"}</think>\n${JSON.stringify(ANSWER)}`],
    [
      "in parts",
      [
        { type: "thinking", thinking: [] },
        { type: "text", text: '{"note":"fine",' },
        { type: "text", text: '"met":"yes"}' },
      ],
    ],
  ])("is read %s", async (_, content) => {
    const message = { role: "assistant", content };
    const body = JSON.stringify({ choices: [{ finish_reason: null, message }] });
    const { ask } = await connect({ status: 200, body });
    expect(await ask(QUESTION)).toMatchObject({
      outcome: "answer",
      value: ANSWER,
      call: { tokens: null, costUsd: null, returnedModel: null, finishReason: null },
    });
  });

  test("omits characters that cannot be stored", async () => {
    const { ask } = await connect(respond('{"note":"a\\u0000b\\ud800","met":"yes"}\0'));
    const answered = await ask(QUESTION);
    expect(answered).toMatchObject({ value: { note: "ab\uFFFD" } });
    expect(answered.call.raw).not.toContain("\0");
    expect(answered.call.raw.isWellFormed()).toBe(true);
  });

  test.each([
    ["is the endpoint's figure", { cost: 0.25 }, {}, 0.25],
    [
      "follows from the configured prices, which take precedence",
      { cost: 0.25 },
      { JUDGE_PRICE_INPUT: 1, JUDGE_PRICE_OUTPUT: 2 },
      0.0002,
    ],
    ["is unknown if only one price is configured", {}, { JUDGE_PRICE_INPUT: 1 }, null],
    ["is unknown if the endpoint's figure is invalid", { cost: "free" }, {}, null],
  ])("has a cost that %s", async (_, usage, env, costUsd) => {
    const { ask } = await connect(
      respond(ANSWER, { usage: { prompt_tokens: 100, completion_tokens: 50, ...usage } }),
      { env },
    );
    expect((await ask(QUESTION)).call.costUsd).toBe(costUsd);
  });
});

describe("a missing answer that the text may have caused", () => {
  const completion = (choice: Record<string, unknown>): ModelReply => ({
    status: 200,
    body: JSON.stringify({ choices: [choice] }),
  });
  test.each<[string, ModelReply]>([
    ["a refusal message", respond("", { refusal: "I would rather not." })],
    ["a refusal message next to an answer", respond(ANSWER, { refusal: "No." })],
    ["the filter's finish reason", respond(ANSWER, { finishReason: "content_filter" })],
    ["a refusal part", completion({ message: { content: [{ type: "refusal", refusal: "No." }] } })],
    [
      "Azure's 400",
      respondWithError({
        code: "content_filter",
        innererror: { code: "ResponsibleAIPolicyViolation" },
      }),
    ],
    [
      "OpenRouter's 403",
      respondWithError(
        { code: 403, message: "Your input was flagged", metadata: { reasons: ["x"] } },
        403,
      ),
    ],
    [
      "an error with status 200",
      { status: 200, body: JSON.stringify({ error: { code: 403, message: "flagged" } }) },
    ],
  ])("is a refusal: %s", async (_, reply) => {
    const { ask, model } = await connect(reply);
    expect(await ask(QUESTION)).toMatchObject({ outcome: "refusal", call: { tries: 1 } });
    expect(model.requests).toHaveLength(1);
  });

  test.each<[string, ModelReply]>([
    ["garbage", respond("I think it is fine.")],
    ["broken JSON", respond('{"note":"fine"')],
    ["another schema", respond({ verdict: "SUCCESS" })],
    ["an unknown key", respond({ ...ANSWER, extra: 1 })],
    ["a truncated answer", respond(ANSWER, { finishReason: "length" })],
    ["a limit exceeded that only the client checks", respond({ ...ANSWER, note: "x".repeat(21) })],
    [
      "two objects",
      respond(`${JSON.stringify(ANSWER)}\n${JSON.stringify({ ...ANSWER, met: "no" })}`),
    ],
    [
      "no content",
      completion({ finish_reason: "tool_calls", message: { content: null, tool_calls: [] } }),
    ],
    [
      "an answer only within the reasoning",
      completion({
        finish_reason: "stop",
        message: { content: null, reasoning_content: JSON.stringify(ANSWER) },
      }),
    ],
    ["no message", completion({ finish_reason: "stop" })],
    ["no choice", { status: 200, body: '{"choices":[]}' }],
    [
      "a text that is too long",
      respondWithError({ code: "context_length_exceeded", message: "maximum context length" }),
    ],
    ["a 400 without a body", { status: 400, body: "" }],
    ["a 413", { status: 413 }],
    ["more than 1 MiB", respond({ ...ANSWER, note: "x".repeat(1024 * 1024) })],
    [
      "Groq's schema check",
      respondWithError({ code: "json_validate_failed", failed_generation: "x" }),
    ],
  ])("is unusable: %s", async (_, reply) => {
    const { ask } = await connect(reply);
    expect(await ask(QUESTION)).toMatchObject({ outcome: "unusable" });
  });

  test("includes the model's text", async () => {
    const { ask } = await connect(respond("I think it is fine.", { finishReason: "length" }));
    expect((await ask(QUESTION)).call).toMatchObject({
      raw: "I think it is fine.",
      finishReason: "length",
      tokens: { input: 100, cachedInput: 0, output: 50 },
    });
  });
});

describe("the structured output form", () => {
  const acceptOnly =
    (...forms: string[]): Script =>
    (request) =>
      forms.includes(getForm(request))
        ? respond(ANSWER)
        : respondWithError({ message: "This response_format type is unavailable now" });

  test("is downgraded to one that the endpoint accepts, and cached for the model", async () => {
    const { ask, model } = await connect(acceptOnly("json_object", "prompt"));
    expect((await ask(QUESTION)).call).toMatchObject({ structuredOutput: "json_object", tries: 2 });
    expect((await ask(QUESTION)).call).toMatchObject({ structuredOutput: "json_object", tries: 1 });
    expect(listForms(model.requests)).toEqual(["json_schema", "json_object", "json_object"]);
    await ask({ ...QUESTION, model: "scripted-2" });
    expect(getForm(model.requests[3] as ModelRequest)).toBe("json_schema");
  });

  test("falls back to the prompt, which then has the schema after its static text", async () => {
    const { ask, model } = await connect(acceptOnly("prompt"));
    expect((await ask(QUESTION)).call).toMatchObject({ structuredOutput: "prompt", tries: 3 });
    const [system, user] = model.requests[2]?.body.messages ?? [];
    expect(system?.content).toMatch(/^Judge it\.\n\n[\s\S]*JSON Schema:\n\{"type":"object"/);
    expect(user).toEqual(QUESTION.messages[1]);
  });

  test("starts at the strictest form again after an hour", async () => {
    let accepted = "prompt";
    const { ask, model, pass } = await connect((...given) => acceptOnly(accepted)(...given));
    await ask(QUESTION);
    accepted = "json_schema";
    pass(3_599_999);
    await expect(ask(QUESTION)).resolves.toMatchObject({ outcome: "unusable" });
    pass(1);
    expect((await ask(QUESTION)).call.structuredOutput).toBe("json_schema");
    expect(listForms(model.requests).at(-1)).toBe("json_schema");
  });

  test("is downgraded one step if the schema is ignored, and cached if that helps", async () => {
    const { ask, model } = await connect((request) =>
      respond(getForm(request) === "json_schema" ? "It is fine." : ANSWER),
    );
    const answered = await ask(QUESTION);
    expect(answered).toMatchObject({
      outcome: "answer",
      call: { tries: 2, tokens: { input: 200, cachedInput: 0, output: 100 } },
    });
    await ask(QUESTION);
    expect(listForms(model.requests)).toEqual(["json_schema", "json_object", "json_object"]);
  });

  test("is not downgraded for other texts after one text spoils its answers", async () => {
    const { ask, model } = await connect((_, count) => respond(count <= 2 ? "Nonsense." : ANSWER));
    expect(await ask(QUESTION)).toMatchObject({ outcome: "unusable", call: { tries: 2 } });
    expect((await ask(QUESTION)).call.structuredOutput).toBe("json_schema");
    expect(listForms(model.requests)).toEqual(["json_schema", "json_object", "json_schema"]);
  });

  test("is not downgraded if an answer only exceeds a limit that the endpoint never sees", async () => {
    const { ask, model } = await connect(respond({ ...ANSWER, note: "x".repeat(21) }));
    await ask(QUESTION);
    expect(model.requests).toHaveLength(1);
  });
});

describe("a parameter that a model rejects", () => {
  const refused = (message: string, param: string) =>
    respondWithError({
      message,
      type: "invalid_request_error",
      param,
      code: "unsupported_parameter",
    });
  const reasoning: Script = ({ body }) => {
    if ("max_tokens" in body) {
      return refused("Unsupported parameter: Use 'max_completion_tokens' instead.", "max_tokens");
    }
    if ("temperature" in body) return refused("'temperature' does not support 0.2", "temperature");
    return respond(ANSWER);
  };

  test("is omitted or renamed, which is cached for the model", async () => {
    const { ask, model } = await connect(reasoning);
    const call = {
      parameters: { max_completion_tokens: 16_000 },
      structuredOutput: "json_schema",
    };
    expect((await ask(QUESTION)).call).toMatchObject({ ...call, tries: 3 });
    const again = await ask(QUESTION);
    expect(again.call).toMatchObject({ ...call, tries: 1 });
    expect(again.call.parameters).not.toHaveProperty("temperature");
    expect(model.requests).toHaveLength(4);
  });

  test("is omitted if its value is too large", async () => {
    const { ask } = await connect(({ body }) =>
      "max_tokens" in body
        ? refused("max_tokens is too large: 16000. This model supports 4096.", "max_tokens")
        : respond(ANSWER),
    );
    expect((await ask(QUESTION)).call.parameters).toEqual({ temperature: 0.2 });
  });

  test("is identified even if the endpoint does not name it", async () => {
    const { ask } = await connect(({ body }) =>
      "temperature" in body ? { status: 422, body: '{"detail":"no"}' } : respond(ANSWER),
    );
    expect(await ask(QUESTION)).toMatchObject({ outcome: "answer", call: { parameters: {} } });
  });
});

describe("a transient failure", () => {
  test.each<[string, ModelReply]>([
    ["408", { status: 408 }],
    ["409", { status: 409 }],
    ["500", { status: 500 }],
    ["a broken connection", "hang-up"],
    ["truncated JSON", { status: 200, body: '{"choices":[' }],
    ["an error with status 200", { status: 200, body: '{"error":{"code":502,"message":"x"}}' }],
    ["an error in the choice", { status: 200, body: '{"choices":[{"finish_reason":"error"}]}' }],
  ])("is retried twice: %s", async (_, reply) => {
    const { ask, slept } = await connect(respondInTurn(reply, reply, respond(ANSWER)));
    expect(await ask(QUESTION)).toMatchObject({ outcome: "answer", call: { tries: 3 } });
    expect(slept).toEqual([1_000, 2_000]);
    const failing = await connect(reply);
    await expectUnavailable(failing.ask(QUESTION));
    expect(failing.model.requests).toHaveLength(3);
  });

  test("waits at least half the backoff", async () => {
    const { ask, slept } = await connect(respondInTurn({ status: 500 }, respond(ANSWER)), {
      random: () => 0,
    });
    await ask(QUESTION);
    expect(slept).toEqual([500]);
  });

  test("is not retried after the time limit", async () => {
    const { ask, model, pass } = await connect(() => {
      pass(59_500);
      return { status: 503 };
    });
    await expectUnavailable(ask(QUESTION));
    expect(model.requests).toHaveLength(1);
  });

  test("can be silence until the timeout", async () => {
    const { ask } = await connect("silence", {
      env: { JUDGE_TIMEOUT_SECONDS: 0.1 },
      now: () => performance.now(),
    });
    expect((await expectUnavailable(ask(QUESTION))).message).toBe(
      "The judge's model did not answer in time.",
    );
  });

  test("can be a closed port", async () => {
    const { ask, model } = await connect("silence");
    await model.close();
    await expectUnavailable(ask(QUESTION));
  });
});

describe("429", () => {
  const limited = (after?: string, name = "retry-after"): ModelReply => ({
    status: 429,
    headers: after === undefined ? {} : { [name]: after },
  });

  test.each([
    ["seconds", "20", "retry-after", 21_000],
    ["milliseconds", "1500", "retry-after-ms", 3_000],
    ["a past date", "Wed, 21 Oct 2015 07:28:00 GMT", "retry-after", 1_000],
  ])("with a short wait, in %s, is retried after it", async (_, after, name, ms) => {
    const { ask, slept } = await connect(respondInTurn(limited(after, name), respond(ANSWER)));
    expect(await ask(QUESTION)).toMatchObject({ outcome: "answer" });
    expect(slept).toEqual([ms]);
  });

  test("with a date is passed to the caller in seconds", async () => {
    const date = new Date(Date.now() + 2 * MINUTE_MS).toUTCString();
    const { ask } = await connect(limited(date));
    const { retryAfterSeconds } = await expectUnavailable(ask(QUESTION));
    expect(retryAfterSeconds).toBeGreaterThan(60);
    expect(retryAfterSeconds).toBeLessThanOrEqual(120);
  });

  test.each<
    [wait: string | undefined, seconds: number | undefined, header?: string, timeout?: number]
  >([
    ["21", 21],
    ["19", 19, "retry-after", 10],
    ["301", 300],
    ["9".repeat(400), 300],
    ["9".repeat(400), 300, "retry-after-ms"],
    ["Fri, 31 Dec 9999 23:59:59 GMT", 300],
  ])(
    "with a wait of %s is passed to the caller as %s s",
    async (after, seconds, name, timeout = 60) => {
      const env = { JUDGE_TIMEOUT_SECONDS: timeout };
      const { ask, slept } = await connect(limited(after, name), { env });
      const { retryAfterSeconds } = await expectUnavailable(ask(QUESTION));
      expect({ retryAfterSeconds, slept }).toEqual({ retryAfterSeconds: seconds, slept: [] });
    },
  );

  test.each([undefined, "soon"])("with Retry-After %s is retried twice", async (after) => {
    const { ask, model } = await connect(limited(after));
    expect(await expectUnavailable(ask(QUESTION))).toMatchObject({ retryAfterSeconds: undefined });
    expect(model.requests).toHaveLength(3);
  });

  test("for lack of credit is not retried", async () => {
    const { ask, model } = await connect(respondWithError({ code: "insufficient_quota" }, 429));
    expect((await expectUnavailable(ask(QUESTION))).message).toContain("credit");
    expect(model.requests).toHaveLength(1);
  });
});

const withType = (body: string, type: string): ModelReply => ({
  status: 200,
  body,
  headers: { "content-type": type },
});

test.each<[reply: ModelReply, words: string]>([
  [{ status: 401 }, "rejects the service's key with 401"],
  [{ status: 402 }, "says that the service's credit is used up with 402"],
  [{ status: 403 }, "does not let the service's key use this model with 403"],
  [{ status: 404 }, "does not know the configured model or address with 404"],
  [
    respondWithError({ message: "x is not a valid model ID" }),
    "does not know the configured model or address with 400",
  ],
  [{ status: 405 }, "fails unexpectedly with 405"],
  [{ status: 406 }, "fails unexpectedly with 406"],
  [
    withType("data: {}\n\ndata: [DONE]\n\n", "text/event-stream"),
    "does not return chat completions",
  ],
  [withType("<html>", "text/html"), "does not return chat completions"],
  [{ status: 200, body: "{}" }, "does not return chat completions"],
])(
  "a permanent failure is reported without a retry, as perhaps the text's doing: %j",
  async (reply, words) => {
    const { ask, model } = await connect(reply);
    const error = await expectUnavailable(ask(QUESTION));
    expect(error).toBeInstanceOf(NoAnswer);
    expect(error.message).toBe(`The judge's endpoint ${words}.`);
    expect(model.requests).toHaveLength(1);
  },
);

describe("an endpoint's words", () => {
  /** Asks about a harmless text, or a party's; returns what is reported and logged. */
  async function report(reply: ModelReply, isHarmless: boolean) {
    const lines: unknown[] = [];
    const log = { warn: (...line: unknown[]) => void lines.push(line) };
    const { ask } = await connect(reply, { log });
    const reported = await ask({ ...QUESTION, isHarmless }).then(
      (answered) => ("message" in answered ? answered.message : ""),
      ({ message }) => message as string,
    );
    return { reported, logged: JSON.stringify(lines) };
  }

  test("about a party's text appear neither in a message nor in the log", async () => {
    for (const status of [200, 400, 401, 403, 404, 418, 429, 500]) {
      const { reported, logged } = await report(
        respondWithError({ message: "leak sk-test", code: "leak" }, status),
        false,
      );
      expect(reported).toMatch(/^The judge's endpoint .+ with \d{3}\.$/);
      expect(logged).toContain(reported);
      expect(reported + logged).not.toMatch(/leak|sk-test/);
    }
  });

  const message = "Only streaming is supported.";
  test.each<[string, string]>([
    ["as OpenAI does", JSON.stringify({ error: { message, type: "x" } })],
    ["as Ollama does", JSON.stringify({ error: message })],
    ["as vLLM does", JSON.stringify({ object: "error", message })],
    ["as FastAPI does", JSON.stringify({ detail: message })],
    ["as plain text", `\n${message}\n`],
  ])("about a harmless text are reported and logged: %s", async (_, body) => {
    const { reported, logged } = await report({ status: 400, body }, true);
    expect(reported).toBe(
      "The judge's endpoint rejects every request with 400: Only streaming is supported.",
    );
    expect(logged).toContain(reported);
  });

  test.each([401, 404, 500, 418])("are reported with status %i", async (status) => {
    const { reported } = await report(
      respondWithError({ message: "Try pulling it." }, status),
      true,
    );
    expect(reported).toMatch(
      new RegExp(`^The judge's endpoint .* with ${status}: Try pulling it\\.$`),
    );
  });

  test("are one short line of printable characters, without the key", async () => {
    const words = `no\nkey sk-test or sk-********est\u001b[31m\u202e ${"x".repeat(300)}`;
    const { reported, logged } = await report(respondWithError({ message: words }), true);
    expect(reported).toContain(": no key (key) or (key) [31m xxx");
    expect(reported.length).toBeLessThan(270);
    expect(reported + logged).not.toMatch(/sk-|\p{Cc}|\p{Cf}/u);
  });

  test("of another service than an endpoint are reported", async () => {
    const { reported } = await report(
      { status: 200, body: "<html>Sign in", headers: { "content-type": "text/html" } },
      true,
    );
    expect(reported).toBe("The judge's endpoint does not return chat completions: <html>Sign in.");
  });

  test("are the system's if nothing listens", async () => {
    const { ask, model } = await connect(respond(ANSWER));
    await model.close();
    const { message } = await expectUnavailable(ask({ ...QUESTION, isHarmless: true }));
    expect(message).toMatch(/ECONNREFUSED\.$/);
  });
});

test("an endpoint that rejects every form of a harmless question is asked again in one", async () => {
  let isFixed = false;
  const { ask, model } = await connect(() => (isFixed ? respond(ANSWER) : { status: 400 }));
  const harmless = { ...QUESTION, isHarmless: true };
  await ask(harmless);
  expect(model.requests).toHaveLength(4);
  await ask(harmless);
  expect(model.requests).toHaveLength(5);
  isFixed = true;
  expect(await ask(harmless)).toMatchObject({ outcome: "answer", call: { tries: 1 } });
  // What the endpoint takes is found out anew.
  expect((await ask(QUESTION)).call).toMatchObject({ structuredOutput: "json_schema", tries: 1 });
});

describe("cancelling", () => {
  test("ends a request in progress", async () => {
    const controller = new AbortController();
    const { ask } = await connect(() => {
      controller.abort();
      return "silence";
    });
    await expectUnavailable(ask({ ...QUESTION, signal: controller.signal }));
  });

  test("ends the wait for a retry", async () => {
    const controller = new AbortController();
    const { ask, model } = await connect(
      { status: 500 },
      {
        sleep: async (_, signal) => {
          controller.abort();
          signal?.throwIfAborted();
        },
      },
    );
    await expectUnavailable(ask({ ...QUESTION, signal: controller.signal }));
    expect(model.requests).toHaveLength(1);
  });

  test("prevents a queued question from being sent", async () => {
    const controller = new AbortController();
    const { ask, model } = await connect(
      () => {
        controller.abort();
        return respond(ANSWER);
      },
      { env: { JUDGE_CONCURRENCY: 1 } },
    );
    const first = ask(QUESTION);
    await expectUnavailable(ask({ ...QUESTION, signal: controller.signal }));
    expect(await first).toMatchObject({ outcome: "answer" });
    expect(model.requests).toHaveLength(1);
  });

  test("before the start sends no request", async () => {
    const { ask, model } = await connect(respond(ANSWER));
    await expectUnavailable(ask({ ...QUESTION, signal: AbortSignal.abort() }));
    expect(model.requests).toEqual([]);
  });
});

test("an overdue call is ended once others wait: a review is repeated, any other fails", async () => {
  for (const purpose of ["review", "examination"] as const) {
    let release: (reply: ModelReply) => void = () => {};
    const held = new Promise<ModelReply>((resolve) => {
      release = resolve;
    });
    let isFirst = true;
    const script: Script = ({ body: { model } }) => {
      if (model === "held") return held;
      if (model !== "silent" || !isFirst) return respond(ANSWER);
      isFirst = false;
      return "silence";
    };
    const { ask } = await connect(script, {
      env: { JUDGE_CONCURRENCY: 2, JUDGE_TIMEOUT_SECONDS: 2 },
    });
    const slow = ask({ ...QUESTION, model: "held", queue: "slow" });
    const overdue = ask({ ...QUESTION, model: "silent", purpose }).catch((error) => error);
    expect(await ask(QUESTION)).toMatchObject({ outcome: "answer" });
    release(respond(ANSWER));
    expect(await slow).toMatchObject({ outcome: "answer" });
    expect(await overdue).toMatchObject(
      purpose === "review"
        ? { outcome: "answer", call: { tries: 2 } }
        : { name: "NoAnswer", isOverdue: true, call: { finishReason: "overdue" } },
    );
  }
});
