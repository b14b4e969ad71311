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

/** A status, or what to do with the response; doing nothing keeps the caller waiting. */
export type ReceiverAnswer = number | ((response: ServerResponse) => void);

export interface Receiver {
  url: string;
  requests: ReceivedRequest[];
  /** The requests, once there are at least `count`. */
  waitFor(count: number): Promise<ReceivedRequest[]>;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** What each request is answered, counted from 0; 204 without. */
  answer?: (request: ReceivedRequest, index: number) => ReceiverAnswer;
}

/** A real HTTP server on loopback that keeps what it is sent. */
export async function startReceiver({
  answer = () => 204,
}: ReceiverOptions = {}): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const waiting = new Set<{ count: number; resolve: (requests: ReceivedRequest[]) => void }>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      // The caller died before it had said everything.
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

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
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
