import { initTRPC } from "@trpc/server";
import type { ZodType, z } from "zod";
import type { Context } from "./context";
import { ERRORS, type ErrorCode, toProblem } from "./errors";
import { parseInput } from "./input/parse-input";
import { toAppError } from "./to-app-error";

/** Groups of operations in the document, in alphabetical order, as linters want it. */
export const TAGS = {
  Agents: "Register an agent and manage its keys and wallet proof.",
  Agreements: "Agree on terms before the work; code decides them after it.",
  Disputes: "Contest a verdict with a stake.",
  Escrows: "Have ERC-8183 escrows paid by verdict.",
  Explorer: "Find agents. Public.",
  Ledger: "The records that every score is computed from.",
  Network: "The chain that verdicts are recorded on.",
  Outcomes: "Submit outcomes and read their verdicts.",
  Reputation: "Scores, tiers and their history. Public.",
  Webhooks: "Receive events.",
};
type Tag = keyof typeof TAGS;

/** Whether `X-API-Key` is unused, read if present, or needed. */
type KeyUse = "none" | "optional" | "required";

/** How the REST transport exposes a procedure. The OpenAPI document is generated from it too. */
export interface RestMeta {
  /** Name of the operation in generated clients and of its page in `/docs`: a verb and a noun. */
  operationId: string;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below `/api/v1`, parameters in braces: `/outcome/{outcomeId}`. Each names an input field. */
  path: `/${string}`;
  /** Success status, 200 by default. */
  status?: 200 | 201 | 202 | 204;
  summary: string;
  description: string;
  /** By default, the one named as the router: `Webhooks` for `webhooks.create`. */
  tag?: Tag;
  /** By default, as the procedure's builder says, or else "none". */
  key?: KeyUse;
  /** The input field that is the whole body, if the body is not an object of the input's fields. */
  bodyField?: string;
  /** The body for the document, if the input's fields don't show which of them belong together. */
  body?: ZodType;
  /** Accepts `Idempotency-Key`. By default, as the procedure's builder says. */
  idempotent?: boolean;
  /**
   * Requests per minute, for the document; the builder enforces the limit. By default, as the
   * procedure's builder says.
   */
  perMinute?: number;
  /** Error codes of this operation, in addition to those of every operation. */
  errors?: ErrorCode[];
  /** Headers of the success response, in addition to those of every response: name to description. */
  responseHeaders?: Record<string, string>;
  /**
   * Schema of the response, instead of `.output()`, for a hot procedure: no time is
   * spent on parsing the response. The compiler and a test check that it matches.
   */
  response?: ZodType;
  /**
   * The procedure yields batches of `response`s, which are streamed as JSON Lines.
   * Such a response has no length and no entity tag.
   */
  lines?: true;
  /** A realistic request body and response for the document. */
  example?: { request?: unknown; response?: unknown };
}

/** The route of a procedure, and the defaults that its builder sets for it. */
export interface Meta extends Pick<RestMeta, "key" | "perMinute" | "idempotent"> {
  rest?: RestMeta;
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    errorFormatter({ error, shape, ctx }) {
      const refusal = toAppError(error);
      return {
        code: shape.code,
        message: refusal.detail,
        data: {
          ...toProblem(refusal, {
            instance: shape.data.path ?? "",
            requestId: ctx?.request.id ?? "",
          }),
          // tRPC takes the HTTP status from here; it treats our errors as internal ones.
          httpStatus: ERRORS[refusal.code].status,
        },
      };
    },
  });

export const router = t.router;
export const middleware = t.middleware;
export const createCallerFactory = t.createCallerFactory;

/** Needs no key. Keyed procedures are in `agents/procedures.ts`. */
export const publicProcedure = t.procedure;

/** The parser of a procedure's input: the argument of its `.input()`. */
export interface InputParser<T extends ZodType = ZodType> {
  inputSchema: T;
  /** Throws an `InputError`. */
  parse(value: unknown): z.output<T>;
  /** Types that tRPC infers; there are no values. */
  _input: z.input<T>;
  _output: z.output<T>;
}

/**
 * Returns the parser that every procedure uses, so that all treat absent fields and report violations
 * alike, over every transport.
 */
export function createParser<T extends ZodType>(inputSchema: T): InputParser<T> {
  const parser = { inputSchema, parse: (value: unknown) => parseInput(inputSchema, value) };
  return parser as InputParser<T>;
}
