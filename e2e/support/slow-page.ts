import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** How much of a page arrives at once, in characters. */
const PART_LENGTH = 1_000;
/** Long enough for the browser to draw each part. */
const PAUSE_MS = 40;
/** Headers that describe the service's own connection or encoding. */
const CONNECTION_HEADERS = /^(connection|content-encoding|content-length|keep-alive)$/;

/** Serves a page, and what it loads, from another port; the HTML arrives in parts. */
export async function slowDown(url: string): Promise<{ url: string; close: () => void }> {
  const { origin, pathname } = new URL(url);
  const server = createServer(async ({ url: path, headers }, response) => {
    const { accept = "*/*" } = headers;
    const original = await fetch(origin + path, { headers: { accept } });
    const kept = [...original.headers].filter(([name]) => !CONNECTION_HEADERS.test(name));
    response.writeHead(original.status, Object.fromEntries(kept));
    const body = Buffer.from(await original.arrayBuffer());
    if (!original.headers.get("content-type")?.startsWith("text/html")) return response.end(body);
    const html = body.toString();
    for (let start = 0; start < html.length; start += PART_LENGTH) {
      response.write(html.slice(start, start + PART_LENGTH));
      await sleep(PAUSE_MS);
    }
    return response.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${pathname}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
