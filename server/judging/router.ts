import { publicProcedure, router } from "@/server/lib/trpc";
import { describeJudge, findOutage } from "./availability";
import type { Judge } from "./judge";
import { type JudgeInService, judgeInServiceSchema } from "./schema";

const EXAMPLE: JudgeInService = {
  ...describeJudge({ kind: "llm", id: "a-model", setup: "two-models" }),
  version: "panel/v3",
  calibration: null,
  status: "ok",
  since: null,
  reason: null,
};

export function createJudgeRouter(judge: Judge) {
  const get = publicProcedure
    .meta({
      rest: {
        operationId: "getJudge",
        method: "GET",
        path: "/judge",
        summary: "Read which judge is in service",
        description:
          "The judge that decides new outcomes, the version of its method and prompts, and whether it responds. During an outage, outcomes stay EVALUATING and are retried automatically.",
        tag: "Outcomes",
        example: { response: EXAMPLE },
      },
    })
    .output(judgeInServiceSchema)
    .query(async ({ ctx }) => {
      const outage = await findOutage(ctx, judge.id);
      return {
        ...describeJudge(judge),
        version: judge.version,
        calibration: judge.calibration ?? null,
        status: outage ? ("unavailable" as const) : ("ok" as const),
        since: outage?.since.toISOString() ?? null,
        reason: outage?.reason ?? null,
      };
    });
  return router({ get });
}
