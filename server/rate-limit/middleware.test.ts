import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Context } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { createCallerFactory, createParser, publicProcedure, router } from "@/server/lib/trpc";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { rateLimit } from "./middleware";
import { createRequestGuard } from "./request-guard";

const database = await createTestDatabase();
afterAll(database.close);
const core = createTestCore(database);

let subject = "";
let subjects = 0;
beforeEach(() => {
  subject = `subject-${subjects++}`;
});

/** Responses stored under idempotency keys, like those that a domain stores in its table. */
const stored = new Map<string, string>();

const bucket = () => subject;

const replays = {
  key: (ctx: Context) => ctx.request.idempotencyKey,
  find: async (_ctx: Context, key: string) => stored.get(`${subject} ${key}`) ?? null,
};

const api = router({
  plain: publicProcedure
    .use(rateLimit<Context>({ name: "plain", limit: 3, bucket }))
    .input(createParser(z.strictObject({ ok: z.boolean() })))
    .mutation(({ input }) => {
      if (!input.ok) throw new AppError("conflict", "Not now.");
    }),
  free: publicProcedure
    .use(rateLimit<Context>({ name: "plain", limit: 3, bucket }))
    .mutation(({ ctx }) => ctx.limit.release()),
  double: publicProcedure
    .use(
      rateLimit<Context>({
        name: "narrow",
        limit: 2,
        bucket: (ctx) => `${subject} ${ctx.request.claimedWallet}`,
        ceiling: { name: "wide", limit: 3, bucket },
      }),
    )
    .mutation(() => {}),
  once: publicProcedure
    .use(rateLimit<Context, string>({ name: "once", limit: 3, bucket, replays }))
    .input(createParser(z.strictObject({ text: z.string() })))
    .mutation(({ ctx, input }) => {
      const key = `${subject} ${ctx.request.idempotencyKey}`;
      const earlier = stored.get(key);
      if (earlier !== undefined && earlier !== input.text) {
        throw new AppError("idempotency-key-reused", "Another text.");
      }
      if (input.text === "bad") throw new AppError("same-party", "Bad.");
      stored.set(key, input.text);
      return earlier !== undefined;
    }),
});

function createCaller(request: Parameters<typeof createTestContext>[1] = {}) {
  const { context, headers } = createTestContext(core, request);
  return { call: createCallerFactory(api)(context), headers };
}

const withKey = (idempotencyKey: string) => createCaller({ idempotencyKey }).call;

const RATE_LIMITED = { cause: { code: "rate-limited" } };

describe("a limited procedure", () => {
  it("allows the limit and reports the remaining requests", async () => {
    for (const remaining of [2, 1, 0]) {
      const { call, headers } = createCaller();
      await call.plain({ ok: true });
      expect(headers["ratelimit-policy"]).toBe('"plain";q=3;w=60');
      expect(headers.ratelimit).toMatch(new RegExp(`^"plain";r=${remaining};t=(60|59)$`));
    }
    const { call, headers } = createCaller();
    await expect(call.plain({ ok: true })).rejects.toMatchObject({
      cause: {
        code: "rate-limited",
        headers: { "Retry-After": expect.stringMatching(/^(60|5\d)$/) },
      },
    });
    expect(headers.ratelimit).toMatch(/^"plain";r=0;t=\d+$/);
  });

  it("counts refused bodies and errors of the procedure", async () => {
    await expect(createCaller().call.plain({ ok: "yes" } as never)).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
    await expect(createCaller().call.plain({ ok: false })).rejects.toMatchObject({
      cause: { code: "conflict" },
    });
    const { call, headers } = createCaller();
    await call.plain({ ok: true });
    expect(headers.ratelimit).toContain("r=0");
    await expect(createCaller().call.plain({ ok: true })).rejects.toMatchObject(RATE_LIMITED);
  });

  it("counts each bucket separately", async () => {
    for (let i = 0; i < 3; i++) await createCaller().call.plain({ ok: true });
    await expect(createCaller().call.plain({ ok: true })).rejects.toMatchObject(RATE_LIMITED);
    subject += "-other";
    await createCaller().call.plain({ ok: true });
  });

  it("does not count a released request", async () => {
    for (let i = 0; i < 5; i++) {
      const { call, headers } = createCaller();
      await call.free();
      expect(headers.ratelimit).toBe('"plain";r=3;t=0');
    }
  });
});

describe("a limit with a ceiling", () => {
  it("enforces the narrow and the wide limit", async () => {
    await createCaller({ claimedWallet: "a" }).call.double();
    const { call, headers } = createCaller({ claimedWallet: "a" });
    await call.double();
    expect(headers["ratelimit-policy"]).toBe('"narrow";q=2;w=60, "wide";q=3;w=60');
    expect(headers.ratelimit).toMatch(/^"narrow";r=0;t=\d+, "wide";r=1;t=\d+$/);
    await expect(createCaller({ claimedWallet: "a" }).call.double()).rejects.toMatchObject(
      RATE_LIMITED,
    );
    await createCaller({ claimedWallet: "b" }).call.double();
    const last = createCaller({ claimedWallet: "b" });
    await expect(last.call.double()).rejects.toMatchObject(RATE_LIMITED);
    expect(last.headers["ratelimit-policy"]).toBe('"wide";q=3;w=60');
  });

  it("does not count a refused request against either", async () => {
    const requests = Array.from({ length: 8 }, () =>
      createCaller({ claimedWallet: "a" }).call.double(),
    );
    await Promise.allSettled(requests);
    const { call, headers } = createCaller({ claimedWallet: "b" });
    await call.double();
    expect(headers.ratelimit).toMatch(/^"narrow";r=1;t=\d+, "wide";r=0;/);
    for (let i = 0; i < 4; i++) {
      await expect(createCaller({ claimedWallet: "c" }).call.double()).rejects.toMatchObject(
        RATE_LIMITED,
      );
    }
    const rows = await database.db.sql`
      select cardinality(hits) as hits from rate_limit_windows where bucket = ${`narrow:${subject} c`}`;
    expect(rows).toEqual([{ hits: 0 }]);
  });
});

describe("a limit with replays", () => {
  it("does not count replays, and reports the remaining requests", async () => {
    await withKey("a").once({ text: "hello" });
    for (let i = 0; i < 6; i++) {
      const { call, headers } = createCaller({ idempotencyKey: "a" });
      expect(await call.once({ text: "hello" })).toBe(true);
      expect(headers.ratelimit).toMatch(/^"once";r=2;t=\d+$/);
    }
  });

  it("serves a replay when no request remains", async () => {
    for (const key of ["a", "b", "c"]) await withKey(key).once({ text: "hello" });
    await expect(withKey("d").once({ text: "hello" })).rejects.toMatchObject(RATE_LIMITED);
    expect(await withKey("a").once({ text: "hello" })).toBe(true);
  });

  it("counts a stored key with a refused or different body", async () => {
    await withKey("a").once({ text: "hello" });
    await expect(withKey("a").once({ text: "other" })).rejects.toMatchObject({
      cause: { code: "idempotency-key-reused" },
    });
    await expect(withKey("a").once({} as never)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(withKey("a").once({ text: "other" })).rejects.toMatchObject(RATE_LIMITED);
    await expect(withKey("a").once({} as never)).rejects.toMatchObject(RATE_LIMITED);
  });

  it("counts twenty simultaneous requests of one key as one", async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, () => withKey("a").once({ text: "hello" })),
    );
    expect(all.filter((replayed) => !replayed)).toHaveLength(1);
    const { call, headers } = createCaller({ idempotencyKey: "b" });
    await call.once({ text: "hello" });
    expect(headers.ratelimit).toContain("r=1");
  });

  it("counts each of several simultaneous failures of one key", async () => {
    const all = await Promise.allSettled(
      Array.from({ length: 5 }, () => withKey("a").once({ text: "bad" })),
    );
    const codes = all.map((one) => one.status === "rejected" && one.reason.cause.code);
    expect(codes.toSorted()).toEqual([
      "rate-limited",
      "rate-limited",
      "same-party",
      "same-party",
      "same-party",
    ]);
  });

  it("counts every request without a key", async () => {
    for (let i = 0; i < 3; i++)
      await createCaller()
        .call.once({ text: "hello" })
        .catch(() => {});
    await expect(createCaller().call.once({ text: "hello" })).rejects.toMatchObject(RATE_LIMITED);
  });
});

describe("the guard of a wallet", () => {
  /** Returns a function that sends a request under a guard of two requests a minute. */
  function openGuard() {
    const admit = createRequestGuard(2);
    return async (idempotencyKey: string | null, text: string) => {
      const { context } = createTestContext(core, { idempotencyKey });
      const { guard, end } = admit({
        client: "192.0.2.1",
        requiresKey: true,
        key: "a key",
        isPublicRead: false,
        setHeader: context.reply.header,
      });
      const call = createCallerFactory(api)({ ...context, guard });
      return call.once({ text }).finally(() => end(null));
    };
  }

  it("does not count replays, and lets them pass when it refuses all else", async () => {
    const send = openGuard();
    expect(await send("a", "hello")).toBe(false);
    for (let i = 0; i < 5; i++) expect(await send("a", "hello")).toBe(true);
    expect(await send("b", "hello")).toBe(false);
    for (const key of ["c", null]) {
      await expect(send(key, "hello")).rejects.toMatchObject({
        cause: { code: "rate-limited", detail: expect.stringContaining("limit is 2 ") },
      });
    }
    expect(await send("a", "hello")).toBe(true);
    await expect(send("a", "other")).rejects.toMatchObject(RATE_LIMITED);
  });
});
