import { agentsRouter } from "./agents/router";
import { networkRouter } from "./chain/router";
import { disputesRouter } from "./disputes/router";
import { explorerRouter } from "./explorer/router";
import type { Judge } from "./judging/judge";
import { createJudgeRouter } from "./judging/router";
import { createCallerFactory, router } from "./lib/trpc";
import { createOutcomesRouter } from "./outcomes/router";
import type { Reputations } from "./reputation/cache";
import { withCountsFrom } from "./reputation/counts-from";
import { anchorsRouter, createReputationRouter, ledgerRouter } from "./reputation/router";
import { webhooksRouter } from "./webhooks/router";

/** Creates the router of the whole API: every procedure that any transport offers. */
export function createApi(parts: { reputations: Reputations; judge: Judge }) {
  return router({
    agents: agentsRouter,
    outcomes: createOutcomesRouter(withCountsFrom),
    disputes: disputesRouter,
    reputation: createReputationRouter(parts.reputations),
    explorer: explorerRouter,
    webhooks: webhooksRouter,
    judge: createJudgeRouter(parts.judge),
    network: networkRouter,
    anchors: anchorsRouter,
    ledger: ledgerRouter,
  });
}

export type Api = ReturnType<typeof createApi>;

export const createCaller = (api: Api) => createCallerFactory(api);
