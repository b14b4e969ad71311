import { z } from "zod";
import type { Context } from "@/server/lib/context";
import { publicProcedure } from "@/server/lib/trpc";
import { getClientKey } from "@/server/rate-limit/client";
import { RATE_LIMITS } from "@/server/rate-limit/limits";
import { rateLimit } from "@/server/rate-limit/middleware";
import { confirmWatch } from "./confirm-watch";
import { createWatch } from "./create-watch";
import { createdWatch, watch, watchInput, watchTokenInput } from "./schema";
import { cancelWatch } from "./watches";

const EXAMPLE_WATCH = {
  watchId: "0197a3f2-6d1c-7d90-8b21-5e6f7a8b9c0d",
  walletAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
  url: "https://monitor.example/hooks/standing",
  events: ["outcome.resolved" as const, "score.updated" as const],
};
const EXAMPLE_TOKEN = "p3Jq0W1c8nYtR5vXbK7mZ2sLdF6hGaE9uToQiCxVyBw";

const watchProcedure = publicProcedure
  .use(
    rateLimit<Context>({
      name: "watch",
      limit: RATE_LIMITS.watch,
      bucket: ({ request }) => getClientKey(request.ip),
    }),
  )
  .meta({ perMinute: RATE_LIMITS.watch });

const createProcedure = watchProcedure
  .meta({
    rest: {
      operationId: "watchAgent",
      method: "POST",
      path: "/agents/{walletAddress}/watch",
      status: 201,
      summary: "Watch an agent",
      description:
        "Creates a webhook for the events of any agent, without an account. Nothing is sent to `url` until you confirm it: configure the endpoint with `secret`, then send `token` to `POST /watches/{watchId}/confirm`. An unconfirmed watch expires after an hour. Deliveries and signatures are those of `POST /webhooks`, with the standard retries. All watches together send an address 60 requests per minute at most; further deliveries wait. A watch ends when a delivery has used up its attempts.",
      errors: ["not-found", "too-many-watches"],
      example: {
        request: { url: EXAMPLE_WATCH.url, events: EXAMPLE_WATCH.events },
        response: {
          ...EXAMPLE_WATCH,
          status: "unconfirmed" as const,
          secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
          token: EXAMPLE_TOKEN,
          expiresAt: "2026-11-21T13:00:00.000Z",
        },
      },
    },
  })
  .input(watchInput)
  .output(createdWatch)
  .mutation(({ ctx, input }) => createWatch(ctx, input));

const confirmProcedure = watchProcedure
  .meta({
    rest: {
      operationId: "confirmWatch",
      method: "POST",
      path: "/watches/{watchId}/confirm",
      summary: "Confirm a watch",
      description:
        'Sends the endpoint one signed `watch.confirm` request. It must respond within five seconds, with a 2xx status and the JSON body `{ "challenge": "…" }`, whose only field repeats `data.challenge`. A watch has three attempts, and a host gets five requests per minute at most. Confirming an active watch changes nothing. When the address of the host changes, the next delivery is preceded by the same request to the new address, so keep responding to it.',
      errors: ["not-found", "conflict", "watch-not-confirmed", "too-many-watches"],
      example: {
        request: { token: EXAMPLE_TOKEN },
        response: { ...EXAMPLE_WATCH, status: "active" as const },
      },
    },
  })
  .input(watchTokenInput)
  .output(watch)
  .mutation(({ ctx, input }) => confirmWatch(ctx, input));

const cancelProcedure = publicProcedure
  .meta({
    rest: {
      operationId: "cancelWatch",
      method: "POST",
      path: "/watches/{watchId}/cancel",
      status: 204,
      summary: "Cancel a watch",
      description:
        "Ends the watch at once, with its pending deliveries. An endpoint can also end it itself: a delivery that gets a 410 disables it.",
      errors: ["not-found"],
      example: { request: { token: EXAMPLE_TOKEN } },
    },
  })
  .input(watchTokenInput)
  .output(z.void())
  .mutation(({ ctx, input }) => cancelWatch(ctx.db, input));

/** Watching an agent without an account. */
export const watchProcedures = {
  watch: createProcedure,
  confirmWatch: confirmProcedure,
  cancelWatch: cancelProcedure,
};
