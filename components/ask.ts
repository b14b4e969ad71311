import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import type { Api } from "@/server/api";

type Inputs = inferRouterInputs<Api>;
type Outputs = inferRouterOutputs<Api>;

/**
 * What a procedure that reads answers, by tRPC's HTTP protocol. For what public pages ask by
 * themselves: tRPC's own client is a tenth of all the JavaScript that such a page may load. Throws
 * where there is no answer.
 */
export async function ask<D extends keyof Outputs & string, P extends keyof Outputs[D] & string>(
  procedure: `${D}.${P}`,
  input: D extends keyof Inputs ? (P extends keyof Inputs[D] ? Inputs[D][P] : never) : never,
  signal: AbortSignal,
): Promise<Outputs[D][P]> {
  const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  const answer = await fetch(`/api/trpc/${procedure}${query}`, { signal });
  if (!answer.ok) throw new Error(`${procedure}: ${answer.status}`);
  return (await answer.json()).result.data;
}
