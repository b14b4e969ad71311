import { setTimeout as pause } from "node:timers/promises";
import { CommandError } from "@/scripts/lib/say.mjs";

/** Calls the public API as an agent does, over plain HTTP. */
export interface Api {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown, headers?: Record<string, string>): Promise<T>;
}

/** The longest rate limit window is one minute. */
const LONGEST_WAIT_MS = 65_000;

/** Returns a client that waits out rate limits. Throws every other refusal as `CommandError`. */
export function connect(base: string): Api {
  async function call<T>(path: string, init: RequestInit): Promise<T> {
    const answer = await fetch(`${base}/api/v1${path}`, init).catch(() => {
      throw new CommandError(
        `No service answers at ${base}: start it with npm start, or name it with --url.`,
      );
    });
    const body = (await answer.json().catch(() => {
      throw new CommandError(
        `What answers at ${base} is no Standing: name the service with --url.`,
      );
    })) as T & { title?: string; detail?: string };
    const waitMs = Number(answer.headers.get("retry-after")) * 1_000;
    // A payment without enough confirmations also gets a 409 with Retry-After.
    if ([409, 429].includes(answer.status) && waitMs > 0 && waitMs <= LONGEST_WAIT_MS) {
      if (answer.status === 429) console.log(`  Over the rate limit: waiting ${waitMs / 1_000} s`);
      await pause(waitMs);
      return call(path, init);
    }
    if (!answer.ok)
      throw new CommandError(`${path}: ${answer.status} ${body.title}: ${body.detail}`);
    return body;
  }
  return {
    get: (path) => call(path, {}),
    post: (path, body, headers = {}) =>
      call(path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
  };
}
