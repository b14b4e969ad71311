import type { Address } from "viem";
import type { Context, RequestInfo } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { parseInput } from "@/server/lib/input/parse-input";
import { toAppError } from "@/server/lib/to-app-error";
import { middleware, publicProcedure } from "@/server/lib/trpc";
import { walletSchema } from "@/server/lib/wallet";
import { getClientKey } from "@/server/rate-limit/client";
import { RATE_LIMITS } from "@/server/rate-limit/limits";
import {
  type RateLimitMiddleware,
  rateLimit,
  type TakenLimit,
} from "@/server/rate-limit/middleware";
import { type AuthenticatedAgent, authenticate, createUnauthenticatedError } from "./authenticate";
import {
  createOnce,
  findResponse,
  isIdempotencyKey,
  type KeepResponse,
  keepNothing,
  readIdempotencyKey,
} from "./idempotency";
import { findAgentByWallet, findSession } from "./session";

/** The context of a keyed procedure. */
export interface KeyedContext extends Context {
  agent: AuthenticatedAgent;
}

/** Returns the rate limit bucket of keyed procedures: the wallet that the key belongs to. */
const perWallet = (ctx: KeyedContext): string => ctx.agent.wallet;

/**
 * Sets `ctx.agent` to the agent whose key the request carries or whose owner's browser sent it, or
 * to null without either. An invalid key is rejected rather than treated as anonymous.
 */
export const identifyAgent = middleware(async ({ ctx, next }) => {
  const { apiKey, session } = ctx.request;
  const agent =
    apiKey === null ? await findSignedInAgent(ctx, session) : await authenticate(ctx.db, apiKey);
  if (apiKey !== null && !agent) throw createUnauthenticatedError();
  return next({ ctx: { agent } });
});

/**
 * Returns the session's agent. Null for an unverified registration, which may not be the owner's.
 */
async function findSignedInAgent(
  { db }: Context,
  token: string | null,
): Promise<AuthenticatedAgent | null> {
  const session = await findSession(db, token);
  if (!session) return null;
  const agent = await findAgentByWallet(db, session.wallet);
  if (!agent?.walletVerifiedAt) return null;
  const { id, wallet, name } = agent;
  return { id, wallet, name, walletVerified: true, keyId: null, sessionId: session.id };
}

/** Requires a signed-in browser, with or without an agent: `ctx.session`. */
export const sessionProcedure = publicProcedure.use(async ({ ctx, next }) => {
  const session = await findSession(ctx.db, ctx.request.session);
  if (!session) {
    throw new AppError("unauthenticated", "Sign in with your wallet, and try again.");
  }
  return next({ ctx: { session } });
});

/** Public, but shows more to an agent with a key: `ctx.agent` or null. */
export const optionalKeyProcedure = publicProcedure
  .meta({ key: "optional" })
  .use(identifyAgent)
  .use(({ ctx, next }) => {
    if (ctx.agent) {
      ctx.guard?.take(ctx.agent.wallet);
      checkClaimedWallet(ctx.request, ctx.agent);
    }
    return next();
  });

/**
 * Requires a valid API key or a signed-in owner: `ctx.agent`. A missing, malformed, unknown,
 * revoked or expired key gets the same 401. Does not count the request.
 */
const uncountedKeyedProcedure = publicProcedure
  .meta({ key: "required" })
  .use(identifyAgent)
  .use(({ ctx, next }) => {
    const { agent } = ctx;
    if (!agent) throw createUnauthenticatedError();
    return next({ ctx: { agent } });
  });

/**
 * Requires a valid API key or a signed-in owner, and counts the request for the wallet;
 * `X-Wallet-Address`, if sent, must be that wallet.
 */
export const keyedProcedure = uncountedKeyedProcedure.use(({ ctx, next }) => {
  ctx.guard?.take(ctx.agent.wallet);
  checkClaimedWallet(ctx.request, ctx.agent);
  return next();
});

/** As `keyedProcedure`, with a limit on the wallet's requests that all procedures of it share. */
export const createLimitedProcedure = (name: keyof typeof RATE_LIMITS) =>
  keyedProcedure
    .use(rateLimit<KeyedContext>({ name, limit: RATE_LIMITS[name], bucket: perWallet }))
    .meta({ perMinute: RATE_LIMITS[name] });

/**
 * Returns the request's idempotency key for rate limits; null without one, and for an invalid one, which
 * counts and is refused when it is read.
 */
const getIdempotencyKey = ({ request }: KeyedContext): string | null =>
  isIdempotencyKey(request.idempotencyKey) ? request.idempotencyKey : null;

type FindStored<R> = (ctx: KeyedContext, key: string) => Promise<R | null>;

/**
 * As `keyedProcedure`, or with a limit `createLimitedProcedure`, for an operation that takes an
 * `Idempotency-Key`: repetitions don't count. `ctx.limit.stored` is what `find` returns for the key.
 */
export function createRepeatableProcedure<R>(
  find: FindStored<R>,
  limit?: keyof typeof RATE_LIMITS,
) {
  const count = limit
    ? rateLimit<KeyedContext, R>({
        name: limit,
        limit: RATE_LIMITS[limit],
        bucket: perWallet,
        replays: { key: getIdempotencyKey, find },
      })
    : countByWallet(find);
  return uncountedKeyedProcedure
    .use(count)
    .meta({ idempotent: true, ...(limit && { perMinute: RATE_LIMITS[limit] }) })
    .use(({ ctx, next }) => {
      checkClaimedWallet(ctx.request, ctx.agent);
      return next();
    });
}

/**
 * As `createRepeatableProcedure`, for an operation that creates something: `ctx.createOnce` runs it once
 * per key and input (see `createOnce`).
 * @param operation Never changes, so that a new version knows the keys of an older one.
 */
export const createIdempotentProcedure = (operation: string, limit?: keyof typeof RATE_LIMITS) =>
  createRepeatableProcedure(
    (ctx, key) => findResponse(ctx, { agentId: ctx.agent.id, operation, key }),
    limit,
  ).use(({ ctx, next }) =>
    next({
      ctx: {
        async createOnce<T>(
          input: unknown,
          create: (keep: KeepResponse) => Promise<T>,
        ): Promise<T> {
          const key = readIdempotencyKey(ctx.request.idempotencyKey);
          if (key === null) return create(keepNothing);
          const request = { agentId: ctx.agent.id, operation, key, stored: ctx.limit.stored };
          const { response, replayed } = await createOnce(ctx, request, input, create);
          if (replayed) await reportReplay(ctx);
          return response;
        },
      },
    }),
  );

/** Says that the response is that of an earlier request, so that this one does not count. */
export async function reportReplay({
  limit,
  reply,
}: Pick<Context, "reply"> & { limit: Pick<TakenLimit, "release"> }): Promise<void> {
  await limit.release();
  reply.header("Idempotent-Replayed", "true");
}

/** Counts requests for the wallet only, until they turn out to be replays. */
const countByWallet =
  <R>(find: FindStored<R>): RateLimitMiddleware<KeyedContext, R> =>
  async ({ ctx, next }) => {
    ctx.guard?.take(ctx.agent.wallet);
    const key = getIdempotencyKey(ctx);
    const stored = key && (await find(ctx, key));
    return next({ ctx: { limit: { stored, release: async () => ctx.guard?.release() } } });
  };

/**
 * Returns the wallet in `X-Wallet-Address`, or null without the header. Throws `invalid-request`.
 */
export function parseClaimedWallet({ claimedWallet }: RequestInfo): Address | null {
  if (claimedWallet === null) return null;
  try {
    return parseInput(walletSchema, claimedWallet);
  } catch (error) {
    throw toAppError(error, () => "#/header/X-Wallet-Address");
  }
}

/** Throws `wallet-mismatch` if the header names a different wallet than the request's key has. */
function checkClaimedWallet(request: RequestInfo, agent: { wallet: string }): void {
  const claimed = parseClaimedWallet(request);
  if (claimed === null || claimed === agent.wallet) return;
  throw new AppError(
    "wallet-mismatch",
    "X-Wallet-Address is not the wallet of this API key. Omit the header or correct it.",
  );
}

/**
 * Returns the rate limit bucket of a registration: the client's IP and the wallet in
 * `X-Wallet-Address`, or only the IP without the header. The wallet alone would let any client use
 * up the registrations of another wallet.
 */
export function perRegistrant(request: RequestInfo): string {
  const client = getClientKey(request.ip);
  const parsed = walletSchema.safeParse(request.claimedWallet);
  return parsed.success ? `${client} ${parsed.data}` : client;
}
