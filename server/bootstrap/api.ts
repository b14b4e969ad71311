import { agentsRouter } from "@/server/agents/router";
import { createAgreementsRouter, createRequirementsRouter } from "@/server/agreements/router";
import { alertsRouter } from "@/server/alerts/router";
import { networkRouter } from "@/server/chain/router";
import { disputesRouter } from "@/server/disputes/router";
import { escrowsRouter } from "@/server/escrows/router";
import { readClientRecord } from "@/server/explorer/client-record";
import { explorerRouter } from "@/server/explorer/router";
import { feedbackRouter } from "@/server/feedback/router";
import type { Judge } from "@/server/judging/judge";
import type { RequirementDecider } from "@/server/judging/requirements/requirement-decider";
import { createJudgeRouter } from "@/server/judging/router";
import { createCallerFactory, router } from "@/server/lib/trpc";
import { createOutcomesRouter } from "@/server/outcomes/router";
import type { Reputations } from "@/server/reputation/cache";
import { addCountsFrom } from "@/server/reputation/queries";
import { anchorsRouter, createReputationRouter, ledgerRouter } from "@/server/reputation/router";
import type { Statements } from "@/server/reputation/statement/issue-statement";
import { createStatementRouter } from "@/server/reputation/statement/router";
import { webhooksRouter } from "@/server/webhooks/router";

/** Creates the router of the whole API: every procedure that any transport offers. */
export function createApi(parts: {
  reputations: Reputations;
  statements: Statements;
  judge: Judge;
  decideRequirements: RequirementDecider;
}) {
  return router({
    agents: agentsRouter,
    agreements: createAgreementsRouter(parts.decideRequirements, readClientRecord),
    requirements: createRequirementsRouter(parts.decideRequirements),
    outcomes: createOutcomesRouter(addCountsFrom),
    disputes: disputesRouter,
    escrows: escrowsRouter,
    reputation: createReputationRouter(parts.reputations),
    statement: createStatementRouter(parts.statements),
    explorer: explorerRouter,
    feedback: feedbackRouter,
    webhooks: webhooksRouter,
    alerts: alertsRouter,
    judge: createJudgeRouter(parts.judge),
    network: networkRouter,
    anchors: anchorsRouter,
    ledger: ledgerRouter,
  });
}

export type Api = ReturnType<typeof createApi>;

export const createCaller = (api: Api) => createCallerFactory(api);
