import { type Judge, JudgeUnavailable } from "@/server/judging/judge";
import { defineFunction } from "@/server/lib/background-function";

/**
 * Asks a harmless question of each failing model whose next probe is due, so that a recovery is noticed
 * even if no outcome arrives. Outcomes that wait ask nothing meanwhile.
 */
export const probeFailingJudge = (judge: Judge) =>
  defineFunction(
    { id: "probe-failing-judge", triggers: [{ cron: "* * * * *" }], retries: 0 },
    ({ step }) =>
      step.run("probe", async () => {
        for (const model of judge.models) {
          await judge.probe(model, { onlyIfDue: true }).catch((error) => {
            if (!(error instanceof JudgeUnavailable)) throw error;
          });
        }
      }),
  );
