import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  /** The body, byte for byte. */
  body: Buffer;
}

/**
 * A status, or a callback for the response; a callback that does nothing keeps the caller waiting.
 */
export type ReceiverAnswer = number | ((response: ServerResponse) => void);

export interface Receiver {
  url: string;
  requests: ReceivedRequest[];
  /** Resolves to the requests once there are at least `count`. */
  waitFor(count: number): Promise<ReceivedRequest[]>;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** The response to each request, counted from 0; 204 by default. */
  answer?: (request: ReceivedRequest, index: number) => ReceiverAnswer;
  /** Loopback address to listen on. */
  host?: string;
}

/** Starts a real HTTP server on loopback that stores what it receives. */
export async function startReceiver({
  answer = () => 204,
  host = "127.0.0.1",
}: ReceiverOptions = {}): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const waiting = new Set<{ count: number; resolve: (requests: ReceivedRequest[]) => void }>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      // The caller died before sending the whole request.
      return;
    }
    const { method = "", url = "", headers } = request;
    const received = { method, url, headers, body: Buffer.concat(chunks) };
    requests.push(received);
    for (const waiter of waiting) {
      if (requests.length < waiter.count) continue;
      waiting.delete(waiter);
      waiter.resolve(requests);
    }
    reply(response, answer(received, requests.length - 1));
  });

  server.listen(0, host);
  await once(server, "listening");
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/hook`,
    requests,
    waitFor: (count) =>
      requests.length >= count
        ? Promise.resolve(requests)
        : new Promise((resolve) => waiting.add({ count, resolve })),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function reply(response: ServerResponse, answer: ReceiverAnswer): void {
  if (typeof answer === "function") answer(response);
  else response.writeHead(answer).end();
}
