import { z } from "zod";
import type { Context } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { parseInput } from "@/server/lib/input/parse-input";
import {
  categorySchema,
  idSchema,
  pageInputShape,
  textSchema,
  usdcSchema,
} from "@/server/lib/schema";
import {
  createParser,
  middleware,
  publicProcedure,
  type RestMeta,
  router,
} from "@/server/lib/trpc";
import { walletOutputSchema, walletSchema } from "@/server/lib/wallet";
import { createRateLimitHeaders } from "@/server/rate-limit/headers";

/** The key that most tests of the test router use. */
export const TEST_KEY = "rep_trial";
/** Another key of the same wallet. */
export const SECOND_TEST_KEY = "rep_trial_2";
/** A key of another wallet. */
export const OTHER_TEST_KEY = "rep_trial_other";

const WALLETS: Record<string, string> = {
  [TEST_KEY]: "a wallet",
  [SECOND_TEST_KEY]: "a wallet",
  [OTHER_TEST_KEY]: "another wallet",
};

/** Counts the request for the wallet of its key, as keyed procedures do. */
function authenticate({ request, guard }: Context): void {
  const wallet = WALLETS[request.apiKey ?? ""];
  if (wallet === undefined) {
    throw new AppError("unauthenticated", `There is no key ${request.apiKey}.`);
  }
  guard?.take(wallet);
}

function rest(
  meta: Omit<RestMeta, "summary" | "description" | "tag" | "status"> & Partial<RestMeta>,
) {
  const texts = {
    summary: "Tests a feature",
    description: "Tests a feature of the REST transport.",
    tag: "Agents",
  };
  return { rest: { status: 200, ...texts, ...meta } as RestMeta };
}

const requireKey = middleware(({ ctx, next }) => {
  authenticate(ctx);
  return next();
});

const checkGivenKey = middleware(({ ctx, next }) => {
  if (ctx.request.apiKey !== null) authenticate(ctx);
  return next();
});

const setRateLimitHeaders = middleware(({ ctx, next }) => {
  const state = { policy: "trial", limit: 3, remaining: 2, resetSeconds: 60 };
  for (const [name, value] of Object.entries(createRateLimitHeaders(state)))
    ctx.reply.header(name, value);
  return next();
});

const reputation = z
  .strictObject({ walletAddress: walletOutputSchema, score: z.number(), page: z.int() })
  .meta({ id: "TrialReputation" });

/** Every parameter needs both, as linters of the document want it. */
const DESCRIBED = { description: "A parameter", example: "kept" };

const keptInput = z.strictObject({ name: z.string().max(20).meta(DESCRIBED) });

/** The plain handler of `readNote`. */
export const TEST_READS = {
  async readNote(params: Record<string, string | undefined>): Promise<object> {
    const { name } = parseInput(keptInput, params);
    if (name === "broken") throw new Error("no database");
    return { name, from: "handler" };
  },
};

const note = z.strictObject({ noteId: idSchema, note: z.string() }).meta({ id: "TrialNote" });

/** Creates a router with one procedure for each feature of the REST transport. */
export function createTestRouter(seen: { calls: unknown[] }) {
  return router({
    reputation: router({
      get: publicProcedure
        .meta(
          rest({
            operationId: "getReputation",
            method: "GET",
            path: "/reputation/{walletAddress}",
            key: "none",
          }),
        )
        .input(createParser(z.strictObject({ walletAddress: walletSchema, ...pageInputShape })))
        .output(reputation)
        .query(({ input }) => ({
          walletAddress: input.walletAddress,
          score: 91.5,
          page: input.page,
        })),
      bulk: publicProcedure
        .meta(
          rest({
            operationId: "getReputations",
            method: "POST",
            path: "/reputation/bulk",
            key: "none",
            bodyField: "addresses",
          }),
        )
        .input(createParser(z.strictObject({ addresses: z.array(walletSchema).min(1).max(3) })))
        .output(z.array(z.string()))
        .query(({ input }) => input.addresses),
    }),
    explorer: router({
      search: publicProcedure
        .meta(
          rest({
            operationId: "searchAgents",
            method: "GET",
            path: "/explore/search",
            key: "none",
          }),
        )
        .input(
          createParser(
            z.strictObject({
              q: textSchema(0, 200).optional().meta(DESCRIBED),
              category: categorySchema.optional().meta({ description: "A parameter" }),
              minScore: z
                .number()
                .min(0)
                .optional()
                .meta({ ...DESCRIBED, example: 1 }),
              proven: z
                .boolean()
                .optional()
                .meta({ ...DESCRIBED, example: true }),
              tags: z
                .array(z.string())
                .optional()
                .meta({ ...DESCRIBED, example: ["kept"] }),
              ...pageInputShape,
            }),
          ),
        )
        .output(z.looseObject({}))
        .query(({ input }) => input),
    }),
    notes: router({
      create: publicProcedure
        .meta(
          rest({
            operationId: "createNote",
            method: "POST",
            path: "/notes",
            status: 201,
            key: "required",
            perMinute: 3,
            idempotent: true,
            errors: ["not-found"],
            responseHeaders: { Location: "Path of the note" },
            example: { request: { note: "hello", valueUsdc: 1.5 } },
          }),
        )
        .use(requireKey)
        .use(setRateLimitHeaders)
        .input(
          createParser(
            z.strictObject({ note: textSchema(1, 1_100_000), valueUsdc: usdcSchema.optional() }),
          ),
        )
        .output(note)
        .mutation(({ ctx, input }) => {
          seen.calls.push({ ...input, idempotencyKey: ctx.request.idempotencyKey });
          ctx.reply.header("Location", "/api/v1/notes/1");
          if (input.note === "gone") throw new AppError("not-found", "It is gone.");
          return { noteId: "0f5c6f1e-6f3c-4a52-9d4e-2d8a4c8f1b7a", note: input.note };
        }),
      list: publicProcedure
        .meta(rest({ operationId: "listNotes", method: "GET", path: "/notes", key: "required" }))
        .use(requireKey)
        .output(z.array(note))
        .query(() => []),
      get: publicProcedure
        .meta(
          rest({ operationId: "getNote", method: "GET", path: "/notes/{noteId}", key: "optional" }),
        )
        .use(checkGivenKey)
        .input(createParser(z.strictObject({ noteId: idSchema })))
        .output(note)
        .query(({ ctx, input }) => {
          if (ctx.request.apiKey !== null) ctx.reply.header("Cache-Control", "private, no-store");
          return { noteId: input.noteId, note: ctx.request.apiKey === null ? "public" : "private" };
        }),
      read: publicProcedure
        .meta(
          rest({
            operationId: "readNote",
            method: "GET",
            path: "/kept/{name}",
            key: "none",
          }),
        )
        .input(createParser(keptInput))
        .output(z.strictObject({ name: z.string(), from: z.string() }))
        .query(({ input }) => ({ ...input, from: "procedure" })),
      edit: publicProcedure
        .meta(
          rest({ operationId: "editNote", method: "PATCH", path: "/notes/{noteId}", key: "none" }),
        )
        .input(createParser(z.strictObject({ noteId: idSchema, note: z.string().optional() })))
        .output(note)
        .mutation(({ input }) => ({ noteId: input.noteId, note: input.note ?? "unchanged" })),
      remove: publicProcedure
        .meta(
          rest({
            operationId: "deleteNote",
            method: "DELETE",
            path: "/notes/{noteId}",
            status: 204,
            key: "required",
          }),
        )
        .use(requireKey)
        .input(createParser(z.strictObject({ noteId: idSchema })))
        .mutation(() => undefined),
    }),
    faults: router({
      get: publicProcedure
        .meta(rest({ operationId: "getFault", method: "GET", path: "/faults/{kind}", key: "none" }))
        .input(createParser(z.strictObject({ kind: z.string().meta(DESCRIBED) })))
        .output(z.string())
        .query(({ input }): string => {
          if (input.kind === "output") return 1 as unknown as string;
          throw new Error(`connect to postgres://user:hunter2@db failed: ${input.kind}`);
        }),
    }),
    stream: router({
      get: publicProcedure
        .meta(
          rest({
            operationId: "getStream",
            method: "GET",
            path: "/stream",
            key: "none",
            response: z.strictObject({ n: z.int(), text: z.string() }).meta({ id: "TrialLine" }),
            lines: true,
          }),
        )
        .input(
          createParser(
            z.strictObject({
              from: z
                .int()
                .min(1)
                .default(1)
                .meta({ ...DESCRIBED, example: 1 }),
              to: z
                .int()
                .default(3)
                .meta({ ...DESCRIBED, example: 3 }),
              failAt: z
                .int()
                .optional()
                .meta({ ...DESCRIBED, example: 2 }),
            }),
          ),
        )
        .query(async function* ({ input: { from, to, failAt } }) {
          try {
            for (let n = from; n <= to; n++) {
              if (n === failAt) throw new Error("the database has gone");
              seen.calls.push(n);
              yield [{ n, text: "x".repeat(100_000) }];
            }
          } finally {
            seen.calls.push("ended");
          }
        }),
    }),
    hidden: publicProcedure.query(() => "not shown by REST"),
    whoAmI: publicProcedure.query(({ ctx }) => ctx.request.session ?? "anonymous"),
    signedIn: publicProcedure.mutation(({ ctx }) => ctx.request.session ?? "anonymous"),
  });
}
