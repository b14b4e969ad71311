import { createServer, type IncomingMessage } from "node:http";
import type { Answer, Question } from "@/server/judging/model-client/ask";
import type { CallRecord } from "@/server/judging/schema";
import { listen } from "@/server/testing/http/listen";

/** A chat completions request as received over HTTP. */
export interface ModelRequest {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: {
    model: string;
    messages: { role: string; content: string }[];
    response_format?: { type: string; json_schema?: { schema: Record<string, unknown> } };
    [key: string]: unknown;
  };
}

/** A reply of the scripted model: `content`, a status, no response, or a broken connection. */
export type ModelReply =
  | {
      content: unknown;
      finishReason?: string;
      refusal?: string;
      model?: string;
      /** Null omits it. */
      usage?: Record<string, unknown> | null;
    }
  | { status: number; headers?: Record<string, string>; body?: string }
  | "silence"
  | "hang-up";

/**
 * Starts an OpenAI-compatible server on loopback, over real HTTP, with scripted replies. `content`
 * that is not a string is sent as JSON text. `url` is for `OPENAI_BASE_URL`.
 */
export async function startScriptedModel(script: {
  answer: (request: ModelRequest) => ModelReply | Promise<ModelReply>;
}) {
  const requests: ModelRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const text = await readBody(incoming);
    if (text === null) return;
    const request = {
      path: incoming.url ?? "",
      headers: incoming.headers,
      body: JSON.parse(text) as ModelRequest["body"],
    };
    requests.push(request);
    const reply = await script.answer(request);
    if (reply === "silence") return;
    if (reply === "hang-up") {
      incoming.socket.destroy();
      return;
    }
    if ("status" in reply) {
      response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
      response.end(reply.body ?? JSON.stringify({ error: { message: "scripted" } }));
      return;
    }
    const content =
      typeof reply.content === "string" ? reply.content : JSON.stringify(reply.content);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        id: `chatcmpl-${requests.length}`,
        object: "chat.completion",
        created: 0,
        model: reply.model ?? request.body.model,
        choices: [
          {
            index: 0,
            finish_reason: reply.finishReason ?? "stop",
            message: { role: "assistant", content, refusal: reply.refusal ?? null },
          },
        ],
        ...(reply.usage === null
          ? {}
          : {
              usage: reply.usage ?? {
                prompt_tokens: 100,
                completion_tokens: 50,
                total_tokens: 150,
              },
            }),
      }),
    );
  });
  const { url, close } = await listen(server);
  return { url: `${url}/v1`, requests, close };
}

/** Returns the request's text, or null if the caller died before sending all of it. */
async function readBody(incoming: IncomingMessage): Promise<string | null> {
  let text = "";
  try {
    for await (const chunk of incoming) text += chunk;
    return text;
  } catch {
    return null;
  }
}

/** The input of an examination, parsed from the user message as a model reads it. */
export interface ScriptedMaterial {
  task: string;
  deliverable: string;
  /** The lines of what a program established. */
  facts: string[];
  /** Only under an agreement. */
  criteria: { id: string; criterion: string }[];
  looksForFaults: boolean;
  /** Only in a dispute. */
  sides: { party: string; statement: string | null; document: string | null }[];
}

const SECTION = /^<<<([0-9a-f]{32}) ([^\n]*)\n([\s\S]*?)\n\1>>>$/gm;

/** Returns the user message without the marked texts. */
export const removeSections = (user: string) => user.replace(SECTION, "");

/** Reads the material of an examination. */
export function parseMaterial(user: string): ScriptedMaterial {
  const sections = new Map(
    [...user.matchAll(SECTION)].map(([, , name = "", text = ""]) => [name, text]),
  );
  const after = removeSections(user);
  const sides = [...sections].flatMap(([name, statement]) => {
    const party = /^statement of the (.*)$/.exec(name)?.[1];
    if (party === undefined) return [];
    const document = sections.get(`document of the ${party}`) ?? null;
    return [{ party, statement: statement === "(none)" ? null : statement, document }];
  });
  return {
    task: sections.get("task") ?? "",
    deliverable: sections.get("deliverable") ?? "",
    facts: (sections.get("facts") ?? "").split("\n").filter(Boolean),
    criteria: [...after.matchAll(/^\{"id":.*\}$/gm)].map(([line]) => JSON.parse(line)),
    looksForFaults: after.includes("Look for the reason to refuse"),
    sides,
  };
}

/** Returns whether the request is the harmless question that shows whether a model responds. */
export const isProbe = ({ deliverable }: ScriptedMaterial) =>
  deliverable.startsWith("The capital of France is Paris, on the river Seine.");

/**
 * Builds an answer: a demand of the task, or each signed criterion, is met as `met` says, by words of
 * the demand or for all. `rest` replaces members of the answer.
 */
export function createAnswer(
  { criteria }: Pick<ScriptedMaterial, "criteria">,
  met: "yes" | "no" | "unclear" | Record<string, "yes" | "no" | "unclear"> = "yes",
  rest: Record<string, unknown> = {},
): { content: unknown } {
  const findMet = (text: string) =>
    typeof met === "string"
      ? met
      : (Object.entries(met).find(([words]) => text.includes(words))?.[1] ?? "yes");
  const entry = { why: "It was read.", quote: "" };
  const demands =
    criteria.length > 0
      ? criteria.map(({ id, criterion }) => ({ id, met: findMet(criterion), ...entry }))
      : typeof met === "string"
        ? [{ demand: "Does what was ordered", met, ...entry }]
        : Object.entries(met).map(([demand, each]) => ({ demand, met: each, ...entry }));
  const isAccepted = demands.every((demand) => demand.met === "yes");
  return {
    content: {
      demands,
      manipulation: false,
      reasoning: "It was read as a whole.",
      ...(criteria.length > 0 ? {} : { verdict: isAccepted ? "SUCCESS" : "FAILURE" }),
      confidence: 0.95,
      ...rest,
    },
  };
}

/** Returns the answer of a model that replied `content` to a question, without HTTP. */
export function toScriptedAnswer<T>(
  { purpose, model, schema, promptHash }: Question<T>,
  content: unknown,
): Answer<T> {
  const call: CallRecord = {
    purpose,
    requestedModel: model,
    returnedModel: model,
    host: "scripted",
    structuredOutput: "json_schema",
    parameters: {},
    promptHash,
    finishReason: "stop",
    tokens: null,
    latencyMs: 0,
    costUsd: null,
    tries: 1,
    raw: JSON.stringify(content),
  };
  const parsed = schema.safeParse(content);
  return parsed.success
    ? { outcome: "answer", value: parsed.data, call }
    : { outcome: "unusable", call, message: "The model's answer has not the required form." };
}
