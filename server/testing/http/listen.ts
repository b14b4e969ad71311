import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text as readText } from "node:stream/consumers";

export interface Listening {
  port: number;
  /** Without a trailing slash. */
  url: string;
  close(): Promise<void>;
}

/** Listens on a free port of loopback. */
export async function listen(server: Server): Promise<Listening> {
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Returns everything a server on loopback sends in reply to `text`, until it closes the connection. */
export function exchange(
  port: number,
  text: string | Buffer,
  onOpen?: (socket: Socket) => void,
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(text);
      onOpen?.(socket);
    });
    let received = "";
    socket.setEncoding("latin1").on("data", (data) => {
      received += data;
    });
    socket.on("error", () => {}).on("close", () => resolve(received));
  });
}

/**
 * Serves a handler of web requests with a real HTTP server on loopback, as a framework mounts one.
 */
export async function serveHandler(
  handle: (request: Request) => Promise<Response>,
): Promise<Listening> {
  return listen(createServer((req, res) => void handleRequest(handle, req, res)));
}

export async function handleRequest(
  handle: (request: Request) => Promise<Response>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  try {
    const { method = "GET", headers, url } = req;
    const body = await readText(req);
    const response = await handle(
      new Request(`http://${headers.host}${url}`, {
        method,
        headers: headers as Record<string, string>,
        ...(body === "" ? {} : { body }),
      }),
    );
    const text = await response.text();
    res.writeHead(response.status, Object.fromEntries(response.headers));
    res.end(text);
  } catch {
    res.destroy();
  }
}
