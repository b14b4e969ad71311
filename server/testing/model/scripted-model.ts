import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Answer, Question } from "@/server/judging/model-client/ask";
import { CONTROL_CRITERIA } from "@/server/judging/panel/rubric/criterion-words";
import type { CallRecord } from "@/server/judging/schema";

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
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise<void>((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
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

/** The input of a vote, parsed from the user message as a model reads it. */
export interface VoteMaterial {
  task: string;
  deliverable: string;
  reference: string | null;
  facts: string | null;
  role: "examiner" | "refuter" | null;
  criteria: { id: string; text: string; proof: string }[];
  canary: string;
  /** Only in a review. */
  documents?: string[];
  briefs?: { party: string; statement: string | null; document: string | null }[];
  earlierFindings?: { criterion: string; met: string; finding: string }[];
}

export type QuestionKind = "rubric" | "reference" | "vote" | "entailment";

/** Returns what the request asks for, from the words of its system message. */
export function getQuestionKind({ body }: ModelRequest): QuestionKind {
  const system = body.messages[0]?.content ?? "";
  if (/\bmodelVerdict\b/.test(system)) return "vote";
  if (/\bkeyPoints\b/.test(system)) return "reference";
  return /\bsupports: /.test(system) ? "entailment" : "rubric";
}

/** Returns whether the request asks for a vote. */
export const isVote = (request: ModelRequest) => getQuestionKind(request) === "vote";

/**
 * Answers any question but a vote: with `criteria`, with the same as a second draft and no key
 * points, or that every passage supports its criterion.
 */
export function answerOtherQuestion(
  request: ModelRequest,
  criteria: readonly { text: string; kind: string; proof: string }[],
): ModelReply {
  const kind = getQuestionKind(request);
  if (kind === "entailment") {
    // Only criteria of the rubric are supported, not one on another subject.
    return answerClaims(request, ({ criterion }) => !isControlCriterion(criterion));
  }
  if (kind === "rubric") return { content: { criteria } };
  const drafts = criteria.map(({ text, kind }) => ({ text, kind }));
  return { content: { criteria: drafts, keyPoints: [], examples: [] } };
}

/** A passage that is said to prove a criterion. */
export interface ScriptedClaim {
  criterion: string;
  passage: string;
}

/** Answers the question which passages support their criteria. */
export function answerClaims(
  { body }: ModelRequest,
  supports: (claim: ScriptedClaim) => boolean,
): { content: unknown } {
  const user = body.messages.at(-1)?.content ?? "";
  const marked = listSections(user);
  const sections = marked.length > 0 ? marked : listPlainPassages(user);
  const lines = [...removeSections(user).matchAll(/^\{"id":.*\}$/gm)].map(([line]) =>
    JSON.parse(line),
  );
  const claims = lines.map(({ id, passage, criterion }) => {
    const { text = "" } = sections.find(({ name }) => name === passage) ?? {};
    return { id, reason: "It was compared.", supports: supports({ criterion, passage: text }) };
  });
  return { content: { claims } };
}

/** Returns the passages of a message without marks. */
function listPlainPassages(user: string): { name: string; text: string }[] {
  const parts = user.split(/^(passage \d+):\n/m).slice(1);
  return parts.flatMap((name, at) =>
    at % 2 === 0 ? [{ name, text: (parts[at + 1] ?? "").split("\n\n")[0] ?? "" }] : [],
  );
}

/** Returns whether a criterion is on another subject than any work. */
export const isControlCriterion = (text: string) =>
  (CONTROL_CRITERIA as readonly string[]).includes(text);

const SECTION = /^<<<([0-9a-f]{32}) ([^\n]*)\n([\s\S]*?)\n\1>>>$/gm;

/** Returns the marked texts of a user message, by name and in order. */
export function listSections(user: string): { name: string; text: string }[] {
  return [...user.matchAll(SECTION)].map(([, , name = "", text = ""]) => ({ name, text }));
}

/** Returns the user message without the marked texts. */
export const removeSections = (user: string) => user.replace(SECTION, "");

/** Reads the material of a vote, either between marked lines or as plain text. */
export function parseVoteMaterial(user: string): VoteMaterial {
  const sections = listSections(user);
  const getText = (name: string) => sections.find((each) => each.name === name)?.text ?? null;
  const getPlain = (from: string, to: string) =>
    user.slice(user.indexOf(`${from}:\n`) + from.length + 2, user.lastIndexOf(to)).trim();
  const after = removeSections(user);
  const documents = sections.filter(({ name }) => /^document \d+$/.test(name));
  const statements = sections.filter(({ name }) => name.startsWith("statement of the "));
  const earlier = getText("findings of an earlier examination");
  const toNullable = (text: string | null) => (text === "(none)" ? null : text);
  return {
    task: getText("task") ?? getPlain("task", "\n\ndeliverable:\n"),
    deliverable:
      getText("deliverable") ?? getPlain("deliverable", "\nThe material ends here").trim(),
    reference: getText("reference"),
    facts: getText("checked facts"),
    role: (/^Your role: (examiner|refuter)/m.exec(after)?.[1] ?? null) as VoteMaterial["role"],
    criteria: [...after.matchAll(/^\{"id":.*\}$/gm)].map(([line]) => JSON.parse(line)),
    canary: /^The word for canary: (\w+)$/m.exec(after)?.[1] ?? "",
    ...(documents.length > 0 ? { documents: documents.map(({ text }) => text) } : {}),
    ...(statements.length > 0
      ? {
          briefs: statements.map(({ name, text }) => {
            const party = name.replace("statement of the ", "");
            const document = getText(`document of the ${party}`);
            return { party, statement: toNullable(text), document };
          }),
        }
      : {}),
    ...(earlier === null
      ? {}
      : { earlierFindings: earlier.split("\n").map((line) => JSON.parse(line)) }),
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
    : { outcome: "unusable", call };
}
