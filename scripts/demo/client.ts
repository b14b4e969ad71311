import { setTimeout as pause } from "node:timers/promises";
import { CommandError } from "@/scripts/lib/say.mjs";

/** The public API as an agent calls it: plain HTTP. */
export interface Api {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown, headers?: Record<string, string>): Promise<T>;
}

/** No window of a rate limit is longer than a minute. */
const LONGEST_WAIT_MS = 65_000;

/** Waits as long as a rate limit says; every other refusal is thrown as `CommandError`. */
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
    // A payment that is not deep enough yet is answered the same way: 409 with Retry-After.
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
