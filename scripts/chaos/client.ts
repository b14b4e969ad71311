import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "@/scripts/lib/random";
import type { History } from "./history";
import type { ServiceProcess } from "./service-process";

export interface Request {
  method: string;
  path: string;
  body?: unknown;
  apiKey?: string;
  idempotencyKey?: string;
}

export interface Response {
  /** Null if no response arrived, so that the result is unknown. */
  status: number | null;
  text: string;
  // The shape depends on the path.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
  retryAfterMs: number | null;
}

/** A client of the service that records every request and response. */
export interface Client {
  send(actor: string, request: Request): Promise<Response>;
  /**
   * Sends the request to random processes until its result is known: repeats it after a lost
   * response, a server error, or a request to retry later. Throws `RunIsOver` at the end.
   */
  retry(actor: string, request: Request, shouldGiveUp?: () => boolean): Promise<Response>;
}

const TIMEOUT_MS = 12_000;

export class RunIsOver extends Error {}

export function openClient(
  apps: ServiceProcess[],
  history: History,
  random: Random,
  isOver: () => boolean,
): Client {
  async function send(actor: string, request: Request): Promise<Response> {
    const { method, path, body, idempotencyKey } = request;
    const app = random.pick(apps);
    const at = Date.now();
    const record = (status: number | null, response: string) =>
      history.recordCall({
        at,
        ms: Date.now() - at,
        actor,
        app: app.name,
        method,
        path,
        idempotencyKey,
        request: body,
        status,
        response,
      });
    try {
      const response = await fetch(`${app.url}/api/v1${path}`, {
        method,
        headers: buildHeaders(actor, request),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      record(response.status, text);
      const seconds = Number(response.headers.get("retry-after"));
      const retryAfterMs = seconds > 0 ? seconds * 1_000 : null;
      return { status: response.status, text, body: parseJson(text), retryAfterMs };
    } catch (error) {
      record(null, describeCause(error));
      return { status: null, text: "", body: null, retryAfterMs: null };
    }
  }

  return {
    send,
    async retry(actor, request, shouldGiveUp = () => false) {
      for (;;) {
        const response = await send(actor, request);
        const { status, retryAfterMs } = response;
        const mustRetryLater =
          status === 429 || ((status === 409 || status === 422) && retryAfterMs !== null);
        if (status !== null && status < 500 && !mustRetryLater) return response;
        if (mustRetryLater && shouldGiveUp()) return response;
        if (isOver()) throw new RunIsOver(`${request.method} ${request.path}`);
        await pause(Math.min(retryAfterMs ?? random.between(100, 800), 5_000));
      }
    },
  };
}

const buildHeaders = (actor: string, { body, apiKey, idempotencyKey }: Request) => ({
  ...(body === undefined ? {} : { "Content-Type": "application/json" }),
  ...(apiKey === undefined ? {} : { "X-API-Key": apiKey }),
  ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
  ...(actor.startsWith("0x") ? { "X-Wallet-Address": actor.slice(0, 42) } : {}),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function describeCause(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
}
