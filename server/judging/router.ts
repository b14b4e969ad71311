import { publicProcedure, router } from "@/server/lib/trpc";
import { describeJudge, readJudgeState } from "./availability";
import type { Judge } from "./judge";
import { type JudgeInService, judgeInServiceSchema } from "./schema";

const EXAMPLE: JudgeInService = {
  ...describeJudge({ kind: "llm", id: "a-1", setup: "two-models", models: ["a-1", "b-1"] }),
  version: "examination/v1",
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
      const { status, outage } = await readJudgeState(ctx, judge);
      return {
        ...describeJudge(judge),
        version: judge.version,
        calibration: judge.calibration ?? null,
        status,
        since: outage?.since.toISOString() ?? null,
        reason: outage?.reason ?? null,
      };
    });
  return router({ get });
}
