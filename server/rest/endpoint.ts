import { type AnyTRPCRouter, callTRPCProcedure } from "@trpc/server";
import type { Context } from "@/server/lib/context";
import { jsonPointer } from "@/server/lib/explain";
import type { RestAnswer, RestRequest } from "./exchange";
import { assemble, placing } from "./input";
import { jsonLines } from "./json-lines";
import type { Route } from "./routes";

/** One method of one path, with everything that can be known before a request. */
export interface Endpoint {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  status: number;
  key: "none" | "optional" | "required";
  /** Any site's scripts may use it: it takes no key, or is a read that everybody gets an answer to. */
  open: boolean;
  /** Counted by the guard on public reads, having no key and no limit of its own. */
  guarded: boolean;
  /** Where in the request a path into the input lies. */
  place(path: readonly PropertyKey[]): string;
  /** Does it. The body to answer, whole or as JSON Lines that come one after the other; null for none. */
  answer(call: EndpointCall): Promise<RestAnswer["body"]>;
}

interface EndpointCall {
  context: Context;
  params: Record<string, string | undefined>;
  query: string;
  request: RestRequest;
}

/**
 * The endpoint of a procedure. The input is gathered when tRPC asks for it, that is after the key
 * was checked and the request was counted: a stranger cannot make the service read a body, and a
 * body that is refused has used up its place in the rate limit.
 */
export function procedureEndpoint(router: AnyTRPCRouter, route: Route): Endpoint {
  const { meta, input, procedure, type } = route;
  return {
    method: meta.method,
    path: meta.path,
    status: meta.status,
    key: meta.key,
    open: meta.key === "none" || (meta.key === "optional" && meta.method === "GET"),
    guarded: meta.key !== "required" && meta.perMinute === undefined,
    place: placing(input),
    async answer({ context, params, query, request }) {
      const data: unknown = await callTRPCProcedure({
        router,
        path: procedure,
        type,
        ctx: context,
        getRawInput: () => assemble(input, params, query, request),
        signal: undefined,
        batchIndex: 0,
      });
      if (meta.lines) {
        return jsonLines(data as AsyncIterable<unknown[]>, (error) =>
          context.log.error({ err: error, procedure }, "A stream broke off"),
        );
      }
      return route.output === null ? null : JSON.stringify(data);
    },
  };
}

/** A public document of the service itself. */
export function documentEndpoint(path: string, document: (context: Context) => string): Endpoint {
  return {
    method: "GET",
    path,
    status: 200,
    key: "none",
    open: true,
    guarded: true,
    place: jsonPointer,
    answer: async ({ context }) => document(context),
  };
}
