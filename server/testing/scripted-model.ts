import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A request to chat completions as it came over the wire. */
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

/**
 * What the scripted model does: says `content`, or answers with a status, or never answers, or
 * breaks the connection.
 */
export type ModelReply =
  | {
      content: unknown;
      finishReason?: string;
      refusal?: string;
      model?: string;
      /** Null leaves it out. */
      usage?: Record<string, unknown> | null;
    }
  | { status: number; headers?: Record<string, string>; body?: string }
  | "silence"
  | "hang-up";

/**
 * An OpenAI-compatible server on loopback over real HTTP that answers as scripted. `content` that
 * is no string is sent as JSON text. `url` is for `OPENAI_BASE_URL`.
 */
export async function startScriptedModel(script: {
  answer: (request: ModelRequest) => ModelReply | Promise<ModelReply>;
}) {
  const requests: ModelRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const text = await textOf(incoming);
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

/** Null where the caller died before it had said everything. */
async function textOf(incoming: IncomingMessage): Promise<string | null> {
  let text = "";
  try {
    for await (const chunk of incoming) text += chunk;
    return text;
  } catch {
    return null;
  }
}
