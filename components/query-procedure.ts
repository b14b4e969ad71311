import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import type { Api } from "@/server/bootstrap/api";

type Inputs = inferRouterInputs<Api>;
type Outputs = inferRouterOutputs<Api>;

/**
 * Calls a query procedure over tRPC's HTTP protocol and returns its output. Public pages use it
 * instead of tRPC's client, which would be a tenth of their JavaScript budget. Throws if the
 * response is not 2xx.
 */
export async function queryProcedure<
  D extends keyof Outputs & string,
  P extends keyof Outputs[D] & string,
>(
  procedure: `${D}.${P}`,
  input: D extends keyof Inputs ? (P extends keyof Inputs[D] ? Inputs[D][P] : never) : never,
  signal: AbortSignal,
): Promise<Outputs[D][P]> {
  const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  const response = await fetch(`/api/trpc/${procedure}${query}`, { signal });
  if (!response.ok) throw new Error(`${procedure}: ${response.status}`);
  return (await response.json()).result.data;
}
