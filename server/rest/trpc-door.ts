import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AnyTRPCRouter, TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http";
import { clientKey } from "@/server/lib/client-key";
import type { Context, Core } from "@/server/lib/context";
import { explain } from "@/server/lib/explain";
import { sessionToken } from "@/server/lib/session-cookie";
import { dataHeaders } from "./answer";
import { bodyRoom } from "./body-room";
import { clientIp } from "./client";
import type { BodyFault } from "./exchange";
import { createGuard } from "./guard";
import { isTooDeep } from "./nesting";
import { readBody as readNodeBody } from "./node";
import { originOf } from "./origin";
import { readBody as readWebBody } from "./web";

/** The door of the service's own pages: the same procedures, by the tRPC protocol. */
export interface TrpcDoor {
  serve(req: IncomingMessage, res: ServerResponse): Promise<void>;
  respond(request: Request): Promise<Response>;
}

const ENDPOINT = "/api/trpc";
/** A page asks for a handful of things at once; more in one request is no page of ours. */
const MOST_CALLS_A_REQUEST = 10;

type Header = (name: string) => string | undefined;

export function isTrpcPath(url: string | undefined): boolean {
  return url?.startsWith(`${ENDPOINT}/`) ?? false;
}

/**
 * A request of several calls counts as several, so that the limit on reads is one on reads. An
 * escaped comma counts as well: tRPC reads the path before it splits it.
 */
function callsIn(pathname: string): number {
  return Math.min(unescaped(pathname).split(",").length, MOST_CALLS_A_REQUEST);
}

/** The path itself where nobody can read it: no procedure is found by it. */
function unescaped(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** How the request ends whose body could not be had. */
const OF_FAULTS = { "too-large": 413, "no-room": 503, "cut-off": 400 } satisfies Record<
  BodyFault,
  number
>;

function isRead(method: string | undefined): boolean {
  return method === "GET" || method === "HEAD";
}

/** Whether a browser says that another site's page asks; `none` is its user, by the address bar. */
function isForeign(site: string | undefined): boolean {
  return site !== undefined && site !== "same-origin" && site !== "none";
}

export function createTrpcDoor({ router, core }: { router: AnyTRPCRouter; core: Core }): TrpcDoor {
  const { env, log } = core;
  const always = { ...dataHeaders(env), "Cache-Control": "no-store" };
  const guard = createGuard({
    policy: "default",
    limit: env.PUBLIC_READS_PER_MINUTE,
    windowSeconds: 60,
    capacity: 100_000,
  });

  /** Why the request is turned away before any procedure, as an HTTP status; null where it is let in. */
  function turnedAway(header: Header, peer: string | null, calls: number): 403 | 429 | null {
    if (isForeign(header("sec-fetch-site"))) return 403;
    // Browsers send Origin with every request of another site's page that could change something.
    const origin = header("origin");
    // They write it without a path and a usual port, and its host in lower case.
    const own = new URL(originOf(env, header("host"))).origin;
    if (origin !== undefined && origin !== own) return 403;
    const client = clientKey(clientIp(peer, header("x-forwarded-for"), env.TRUSTED_PROXIES));
    let left = 0;
    for (let call = 0; call < calls; call++) left = guard.take(client, Date.now()).remaining;
    return left < 0 ? 429 : null;
  }

  /**
   * Not every browser says with a request where it comes from; one that could change something
   * without saying so is nobody's.
   */
  function sessionOf(header: Header, changes: boolean): string | null {
    if (changes && header("origin") === undefined) return null;
    const own = originOf(env, header("host"));
    return sessionToken(own.startsWith("https:"), header("cookie"));
  }

  function contextOf(
    header: Header,
    peer: string | null,
    { changes, setHeader }: { changes: boolean; setHeader: (n: string, v: string) => void },
  ) {
    return {
      ...core,
      request: {
        id: randomUUID(),
        ip: clientIp(peer, header("x-forwarded-for"), env.TRUSTED_PROXIES),
        origin: originOf(env, header("host")),
        apiKey: header("x-api-key") ?? null,
        session: sessionOf(header, changes),
        claimedWallet: header("x-wallet-address") ?? null,
        idempotencyKey: header("idempotency-key") ?? null,
        door: "trpc",
      },
      reply: { header: setHeader },
    } satisfies Context;
  }

  const options = {
    router,
    maxBatchSize: MOST_CALLS_A_REQUEST,
    onError: ({ error, path }: { error: TRPCError; path?: string }) => {
      // tRPC's own refusals, of a method or a body, have codes of their own and are nobody's fault here.
      if (error.code === "INTERNAL_SERVER_ERROR" && explain(error).code === "internal-error") {
        log.error({ err: error.cause ?? error, path }, "A page's request failed");
      }
    },
  };

  return {
    async serve(req, res) {
      const header: Header = (name) => [req.headers[name]].flat().join(", ") || undefined;
      const peer = req.socket.remoteAddress ?? null;
      const { pathname } = new URL(req.url ?? "/", "http://localhost");
      for (const [name, value] of Object.entries(always)) res.setHeader(name, value);
      const refused = turnedAway(header, peer, callsIn(pathname));
      if (refused) {
        res.writeHead(refused).end();
        return;
      }
      // Not by tRPC, which waits for ever where the connection ends before the body does.
      const share = bodyRoom.open();
      res.once("close", () => share.close());
      const body = isRead(req.method) ? null : await readNodeBody(req, share);
      if (body === "cut-off") return;
      if (typeof body === "string") {
        res.writeHead(OF_FAULTS[body], { Connection: "close" }).end();
        return;
      }
      if (body !== null && isTooDeep(body)) {
        res.writeHead(400).end();
        return;
      }
      await nodeHTTPRequestHandler({
        ...options,
        req: body === null ? req : Object.assign(req, { body: body.toString("utf8") }),
        res,
        path: pathname.slice(ENDPOINT.length + 1),
        createContext: () =>
          contextOf(header, peer, {
            changes: !isRead(req.method),
            setHeader: (name, value) => {
              // An answer that is streamed began before its procedures did.
              if (!res.headersSent) res.setHeader(name, value);
            },
          }),
      });
    },
    async respond(request) {
      const header: Header = (name) => request.headers.get(name) ?? undefined;
      const refused = turnedAway(header, null, callsIn(new URL(request.url).pathname));
      if (refused) return new Response(null, { status: refused, headers: always });
      const { method, headers } = request;
      const share = bodyRoom.open();
      const body = isRead(method)
        ? null
        : await readWebBody(request, share).finally(() => share.close());
      if (typeof body === "string") {
        return new Response(null, { status: OF_FAULTS[body], headers: always });
      }
      if (body !== null && isTooDeep(body)) {
        return new Response(null, { status: 400, headers: always });
      }
      const answer = await fetchRequestHandler({
        ...options,
        req: body === null ? request : new Request(request.url, { method, headers, body }),
        endpoint: ENDPOINT,
        createContext: ({ resHeaders }) =>
          contextOf(header, null, {
            changes: !isRead(method),
            setHeader: (name, value) => resHeaders.set(name, value),
          }),
      });
      for (const [name, value] of Object.entries(always)) answer.headers.set(name, value);
      return answer;
    },
  };
}
