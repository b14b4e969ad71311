import { describe, expect, test } from "vitest";
import { RATE_LIMITS } from "@/server/rate-limit/limits";
import { createOperation } from "@/server/rest/openapi/operation";
import { compileRoutes } from "@/server/rest/routes";
import { expectValidDocument } from "@/server/testing/http/openapi-document";
import { builtinJudge } from "@/server/testing/model/offline-checks";
import { webhookPayloads } from "@/server/webhooks/schema";
import { createApi } from "./api";

const unread = () => Promise.reject(new Error("no reputation is read here"));
const api = createApi({
  reputations: { get: unread, getMany: unread },
  judge: builtinJudge,
});

describe("the document of the whole API", () => {
  expectValidDocument(api, webhookPayloads);

  test("lists every endpoint of this version", () => {
    const routes = compileRoutes(api).map(({ meta }) => `${meta.method} ${meta.path}`);
    expect(routes.sort()).toEqual([
      "DELETE /agents/me/keys/{keyId}",
      "DELETE /webhooks/{webhookId}",
      "GET /agents/me/keys",
      "GET /agents/{walletAddress}",
      "GET /agents/{walletAddress}/outcomes",
      "GET /anchors",
      "GET /disputes/{disputeId}",
      "GET /explore/disputes",
      "GET /explore/leaderboard",
      "GET /explore/outcomes",
      "GET /explore/search",
      "GET /explore/stats",
      "GET /judge",
      "GET /ledger",
      "GET /network",
      "GET /outcome/{outcomeId}",
      "GET /outcome/{outcomeId}/judgement",
      "GET /reputation/{walletAddress}",
      "GET /reputation/{walletAddress}/history",
      "GET /webhooks",
      "GET /webhooks/{webhookId}/deliveries",
      "POST /agents/me/keys",
      "POST /agents/register",
      "POST /agents/{walletAddress}/watch",
      "POST /auth/nonce",
      "POST /disputes",
      "POST /disputes/{disputeId}/stake",
      "POST /outcome",
      "POST /outcome/{outcomeId}/refund",
      "POST /reputation/bulk",
      "POST /watches/{watchId}/cancel",
      "POST /watches/{watchId}/confirm",
      "POST /webhooks",
      "POST /webhooks/{webhookId}/deliveries/{deliveryId}/redeliver",
      "POST /webhooks/{webhookId}/ping",
    ]);
  });

  test("documents the rate limits that are enforced", () => {
    const limited = compileRoutes(api).filter(({ meta }) => meta.perMinute !== undefined);
    expect(limited.map(({ meta }) => [meta.path, meta.perMinute])).toEqual([
      ["/agents/register", RATE_LIMITS.register],
      ["/outcome", RATE_LIMITS.outcome],
      ["/outcome/{outcomeId}/refund", RATE_LIMITS.refund],
      ["/disputes", RATE_LIMITS.dispute],
      ["/disputes/{disputeId}/stake", RATE_LIMITS.stake],
      ["/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver", RATE_LIMITS["webhook-calls"]],
      ["/webhooks/{webhookId}/ping", RATE_LIMITS["webhook-calls"]],
      ["/agents/{walletAddress}/watch", RATE_LIMITS.watch],
      ["/watches/{watchId}/confirm", RATE_LIMITS.watch],
    ]);
    for (const route of limited) {
      expect(createOperation(route).description).toContain(
        `Limited to ${route.meta.perMinute} requests per minute.`,
      );
    }
  });
});
