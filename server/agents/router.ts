import { z } from "zod";
import { EXAMPLE_IDENTITY } from "@/server/identities/schema";
import type { Context } from "@/server/lib/context";
import { timestampSchema } from "@/server/lib/schema";
import { createSessionCookie } from "@/server/lib/session-cookie";
import { createParser, publicProcedure, router } from "@/server/lib/trpc";
import { getClientKey } from "@/server/rate-limit/client";
import { RATE_LIMITS } from "@/server/rate-limit/limits";
import { rateLimit } from "@/server/rate-limit/middleware";
import { getAccount, linkIdentity, readOwnAgent, updateProfile } from "./account";
import { createKey, listKeys, revokeKey, rotateKey } from "./keys";
import { createNonce } from "./nonce";
import {
  createIdempotentProcedure,
  createLimitedProcedure,
  identifyAgent,
  keyedProcedure,
  parseClaimedWallet,
  perRegistrant,
  sessionProcedure,
} from "./procedures";
import { STATEMENTS } from "./proof-message";
import { registerAgent, registerOwnWallet } from "./register";
import {
  accountSchema,
  apiKeyEntrySchema,
  createKeyInput,
  identityLinkSchema,
  linkIdentityInput,
  newApiKeySchema,
  nonceSchema,
  ownAgentSchema,
  profileInput,
  registerInput,
  registrationSchema,
  revokeKeyInput,
  signInInput,
  walletVerificationSchema,
} from "./schema";
import { endSession, type Session, signIn } from "./session";

const EXAMPLE_WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
const EXAMPLE_KEY = "rep_0wXmKq5oYhT3vRr8Zs1CgUjN6dLbPfAeI7t9BnVkWxQ2MyS4c";
const EXAMPLE_KEY_ID = "0197a3f2-6d1c-7b44-9d0e-5a8f3c2b1e70";

/** Limits registrations by `bucket`, and by the client address alone, since a wallet may be any. */
const limitRegistrations = <C extends Context>(bucket: (ctx: C) => string) =>
  rateLimit<C>({
    name: "register",
    limit: RATE_LIMITS.register,
    bucket,
    ceiling: {
      name: "register-ip",
      limit: RATE_LIMITS["register-ip"],
      bucket: ({ request }) => getClientKey(request.ip),
    },
  });

const register = publicProcedure
  .use(limitRegistrations<Context>(({ request }) => perRegistrant(request)))
  .use(identifyAgent)
  .meta({
    rest: {
      operationId: "registerAgent",
      method: "POST",
      path: "/agents/register",
      status: 201,
      summary: "Register an agent",
      description: `Registers a wallet and returns its API key, which is shown only once. Without a \`walletProof\` (ERC-4361; see \`POST /auth/nonce\`) the wallet is unverified: the agent can do everything except read the private texts of outcomes. If the wallet is already registered, a proof decides. With the agent's current key in \`X-API-Key\`, the wallet becomes verified and the key stays (\`apiKey\` is null). The owner of a verified wallet who lost the key gets a new one; the old keys and all signed-in sessions end, and the profile stays. An unverified registration is taken over: its keys and webhooks end, and the profile is replaced. Limited by client address and \`X-Wallet-Address\` together, and to ${RATE_LIMITS["register-ip"]} requests per minute by client address alone.`,
      perMinute: RATE_LIMITS.register,
      key: "optional",
      errors: ["wallet-already-registered", "invalid-party", "wallet-proof-invalid", "unavailable"],
      example: {
        request: {
          agentAddress: EXAMPLE_WALLET,
          name: "Ledger Reader",
          description: "Reads balance sheets and reports anomalies.",
          categories: ["finance", "data-analysis"],
          ownerEmail: "owner@example.com",
        },
        response: {
          agentId: "0197a3f2-6d1c-7a10-8c55-1f0e9d8b7a60",
          apiKey: EXAMPLE_KEY,
          walletAddress: EXAMPLE_WALLET,
          walletVerified: false,
          takeover: false,
        },
      },
    },
  })
  .input(createParser(registerInput))
  .output(z.union([registrationSchema, walletVerificationSchema]))
  .mutation(({ ctx, input }) => {
    parseClaimedWallet(ctx.request);
    return registerAgent(ctx, ctx.agent, input);
  });

const nonce = publicProcedure
  .meta({
    rest: {
      operationId: "createNonce",
      method: "POST",
      path: "/auth/nonce",
      summary: "Start a wallet proof",
      description:
        "Returns a nonce, valid for one proof within ten minutes, and the other fields of the ERC-4361 message to sign: domain, URI, chain id, and the statement for each purpose. Sign the message with the wallet and send it as `walletProof`. Plain accounts and contract wallets (ERC-1271, ERC-6492) are accepted.",
      example: {
        response: {
          nonce: "6b018a185f0c2f6be3a94d1d8a7c40b1f2e6d93508d21c9a4b7e60f35da1c872",
          domain: "localhost:3000",
          uri: "http://localhost:3000",
          chainId: 31_337,
          expiresAt: "2026-11-21T12:10:00.000Z",
          statements: STATEMENTS,
        },
      },
    },
  })
  .output(nonceSchema)
  .mutation(({ ctx }) => createNonce(ctx));

const list = keyedProcedure
  .meta({
    rest: {
      operationId: "listApiKeys",
      method: "GET",
      path: "/agents/me/keys",
      summary: "List your API keys",
      description:
        "Returns the agent's live keys and the most recent ended ones, newest first. Only the last four characters of each key are shown.",
      example: {
        response: [
          {
            keyId: EXAMPLE_KEY_ID,
            name: "Production",
            lastFour: EXAMPLE_KEY.slice(-4),
            createdAt: "2026-11-21T12:00:00.000Z",
            lastUsedAt: "2026-11-21T12:05:00.000Z",
            expiresAt: null,
            revokedAt: null,
            current: true,
          },
        ],
      },
    },
  })
  .output(z.array(apiKeyEntrySchema))
  .query(({ ctx }) => listKeys(ctx, ctx.agent));

const rotate = createIdempotentProcedure("agents.keys.rotate")
  .meta({
    rest: {
      operationId: "rotateApiKey",
      method: "POST",
      path: "/agents/me/keys",
      summary: "Rotate the API key",
      description:
        "Creates a key, shown only once. The agent's other keys stay valid for 24 hours, so that you can deploy the new one. An agent has at most ten live keys. Revoke a leaked key.",
      errors: ["conflict"],
      example: {
        response: {
          keyId: EXAMPLE_KEY_ID,
          apiKey: EXAMPLE_KEY,
          createdAt: "2026-11-21T12:00:00.000Z",
          previousKeysExpireAt: "2026-11-22T12:00:00.000Z",
        },
      },
    },
  })
  .output(newApiKeySchema)
  .mutation(({ ctx }) =>
    // Another key of the agent must not read this one.
    ctx.createOnce({ keyId: ctx.agent.keyId }, (keep) => rotateKey(ctx, ctx.agent, keep)),
  );

const revoke = keyedProcedure
  .meta({
    rest: {
      operationId: "revokeApiKey",
      method: "DELETE",
      path: "/agents/me/keys/{keyId}",
      status: 204,
      summary: "Revoke an API key",
      description:
        "Revokes one of the agent's keys at once, including the one that makes the request. After the last key is revoked, a new one requires registering with a `walletProof`.",
      errors: ["not-found"],
    },
  })
  .input(createParser(revokeKeyInput))
  .output(z.void())
  .mutation(({ ctx, input }) => revokeKey(ctx, ctx.agent, input.keyId));

/** For the owner's pages only: agents use keys instead, so there is no REST transport. */
const signInLimit = rateLimit<Context>({
  name: "sign-in",
  limit: RATE_LIMITS["sign-in"],
  bucket: ({ request }) => getClientKey(request.ip),
});

const signInProcedure = publicProcedure
  .use(signInLimit)
  .input(createParser(signInInput))
  .output(z.strictObject({ expiresAt: timestampSchema }))
  .mutation(async ({ ctx, input }) => {
    const session = await signIn(ctx, { wallet: input.walletAddress, proof: input.walletProof });
    ctx.reply.header("Set-Cookie", createSessionCookie(ctx, session));
    return { expiresAt: session.expiresAt.toISOString() };
  });

const signOut = sessionProcedure.output(z.void()).mutation(async ({ ctx }) => {
  await endSession(ctx.db, ctx.session.id);
  ctx.reply.header("Set-Cookie", createSessionCookie(ctx, null));
});

const me = sessionProcedure.output(accountSchema).query(({ ctx }) => getAccount(ctx, ctx.session));

const registerOwn = sessionProcedure
  // By wallet, which the session has verified: many owners may share an IP address.
  .use(
    limitRegistrations<Context & { session: Session }>(({ session }) => `owner ${session.wallet}`),
  )
  .input(createParser(profileInput))
  .output(registrationSchema)
  .mutation(({ ctx, input }) => registerOwnWallet(ctx, ctx.session, input));

const update = keyedProcedure
  .input(createParser(profileInput))
  .output(z.void())
  .mutation(({ ctx, input }) => updateProfile(ctx, ctx.agent, input));

const create = keyedProcedure
  .input(createParser(createKeyInput))
  .output(newApiKeySchema.omit({ previousKeysExpireAt: true }))
  .mutation(({ ctx, input }) => createKey(ctx, ctx.agent, input?.name));

const own = keyedProcedure
  .meta({
    rest: {
      operationId: "getOwnAgent",
      method: "GET",
      path: "/agents/me",
      summary: "Read your agent",
      description:
        "The agent of the API key: its wallet, its profile, and the owner's address, which others don't see.",
      example: {
        response: {
          agentId: "0197a3f2-6d1c-7a10-8c55-1f0e9d8b7a60",
          walletAddress: EXAMPLE_WALLET,
          walletVerified: true,
          name: "Ledger Reader",
          description: "Reads balance sheets and reports anomalies.",
          categories: ["finance", "data-analysis"],
          links: {},
          ownerEmail: "owner@example.com",
          registeredAt: "2026-11-21T12:00:00.000Z",
          erc8004: EXAMPLE_IDENTITY,
        },
      },
    },
  })
  .output(ownAgentSchema)
  .query(({ ctx }) => readOwnAgent(ctx, ctx.agent));

/** Each call asks the chain's node. */
const link = createLimitedProcedure("identity-link")
  .meta({
    rest: {
      operationId: "linkIdentity",
      method: "PATCH",
      path: "/agents/me",
      summary: "Link your ERC-8004 identity",
      description:
        "Links the agent to an identity of the ERC-8004 registry, or removes the link. Accepted if, at the latest block, the agent's verified wallet owns the identity, is its agent wallet, or is an operator that its owner approved. An identity has at most one agent: another agent's link is checked again, and gives way if it no longer holds. The link is checked again when the identity changes, and daily; one that no longer holds ends.",
      errors: [
        "forbidden",
        "identity-not-held",
        "conflict",
        "identities-unavailable",
        "unavailable",
      ],
      example: {
        request: { erc8004AgentId: "4711" },
        response: { erc8004: EXAMPLE_IDENTITY },
      },
    },
  })
  .input(createParser(linkIdentityInput))
  .output(identityLinkSchema)
  .mutation(async ({ ctx, input }) => ({
    erc8004: await linkIdentity(ctx, ctx.agent, input.erc8004AgentId),
  }));

export const agentsRouter = router({
  register,
  own,
  link,
  nonce,
  keys: router({ list, create, rotate, revoke }),
  account: router({ signIn: signInProcedure, signOut, me, register: registerOwn, update }),
});
