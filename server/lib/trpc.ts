import { initTRPC } from "@trpc/server";
import type { ZodType } from "zod";
import type { Context } from "./context";
import { ERRORS, type ErrorCode, toProblem } from "./errors";
import { explain } from "./explain";

/** How the REST door shows a procedure. The OpenAPI document is generated from the same. */
export interface RestMeta {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below `/api/v1`, parameters in braces: `/outcome/{outcomeId}`. Each names an input field. */
  path: `/${string}`;
  /** Success status. */
  status: 200 | 201 | 202 | 204;
  summary: string;
  description: string;
  tag:
    | "Agents"
    | "Outcomes"
    | "Reputation"
    | "Explorer"
    | "Webhooks"
    | "Network"
    | "Ledger"
    | "Disputes";
  /** Whether `X-API-Key` is unused, read if present, or needed. */
  key: "none" | "optional" | "required";
  /** The input field that is the whole body, where the body is no object of the input's fields. */
  bodyField?: string;
  /** Accepts `Idempotency-Key`. */
  idempotent?: boolean;
  /** Rate limit a minute, for the document; the procedure enforces it. */
  perMinute?: number;
  /** Refusals of its own, beside the ones every operation can answer. */
  errors?: ErrorCode[];
  /** Headers of the success answer, beside the ones of every answer: name to description. */
  answerHeaders?: Record<string, string>;
  /**
   * Schema of the answer, instead of `.output()`, for a hot procedure: the compiler checks that the
   * answer fits, and no time is spent on taking it apart. A test shows that it does fit.
   */
  answer?: ZodType;
  /**
   * The procedure yields batches of `answer`s, and they are streamed as JSON Lines, each on a line.
   * Such an answer has no length and no entity tag.
   */
  lines?: true;
  /** A worked request body and answer for the document. */
  example?: { request?: unknown; answer?: unknown };
}

export interface Meta {
  rest?: RestMeta;
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    errorFormatter({ error, shape, ctx }) {
      const refusal = explain(error);
      return {
        code: shape.code,
        message: refusal.detail,
        data: {
          ...toProblem(refusal, {
            instance: shape.data.path ?? "",
            requestId: ctx?.request.id ?? "",
          }),
          // tRPC takes the HTTP status from here; to it our errors are internal ones.
          httpStatus: ERRORS[refusal.code].status,
        },
      };
    },
  });

export const router = t.router;
export const middleware = t.middleware;
export const createCallerFactory = t.createCallerFactory;

/** Open to everybody. Keyed procedures are in `agents/procedures.ts`. */
export const publicProcedure = t.procedure;

/**
 * Has tRPC parse by `schema.parse`. Of itself it takes `parseAsync`, which goes without the parsers
 * that zod compiles for objects. For hot procedures whose schemas wait for nothing.
 */
export function parsedAtOnce<T extends ZodType>(schema: T): T {
  schema.parseAsync = async (value, params) => schema.parse(value, params);
  return schema;
}
