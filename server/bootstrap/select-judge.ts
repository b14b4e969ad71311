import { createModelStates } from "@/server/judging/availability";
import { createBuiltinJudge } from "@/server/judging/checks/builtin-judge";
import type { CheckIo } from "@/server/judging/checks/check";
import { createCheckIo, createCheckRunner } from "@/server/judging/checks/run-checks";
import { createFetchLimit } from "@/server/judging/documents/fetch-limit";
import type { ModelStates } from "@/server/judging/examination/examine";
import { createModelJudge } from "@/server/judging/examination/model-judge";
import type { Judge } from "@/server/judging/judge";
import { createModelClient } from "@/server/judging/model-client/model-client";
import { resolveEndpoint } from "@/server/judging/model-client/send-request";
import type { Core } from "@/server/lib/context";
import { hasModel } from "@/server/lib/env";
import { JUDGE_NOTES } from "@/server/lib/judge-setup";

/** Creates the IO of all checks of a process, which remembers the pages that it has fetched. */
export const createServiceIo = ({ db, env }: Pick<Core, "db" | "env">): CheckIo =>
  createCheckIo({
    allowLoopback: env.OUTBOUND_ALLOW_LOOPBACK ?? false,
    limit: createFetchLimit(db),
  });

/** Warns if one model alone decides on a chain that others rely on. */
export function warnAboutSingleModel(
  { chain, log }: { chain: Pick<Core["chain"], "isLocal">; log: Pick<Core["log"], "warn"> },
  { setup }: Pick<Judge, "setup">,
): void {
  if (chain.isLocal || setup !== "single-model") return;
  log.warn(`${JUDGE_NOTES[setup]} Set JUDGE_ESCALATION_MODEL to a model of another family.`);
}

/**
 * Returns the judge the environment configures: one that asks models if a model is set, else the
 * built-in one. Logs each check that fails by a fault of its own, and passes its name to `countFault`.
 */
export function selectJudge(
  core: Pick<Core, "env" | "db" | "log" | "publish">,
  {
    io = createServiceIo(core),
    states,
    countFault,
  }: { io?: CheckIo; states?: ModelStates; countFault?: (check: string) => void } = {},
): Judge {
  const { env, log } = core;
  const runChecks = createCheckRunner(io, (fault) => {
    log.error(fault, "a check failed and is not applicable");
    countFault?.(fault.check);
  });
  if (!hasModel(env)) return createBuiltinJudge(runChecks);
  const model = env.JUDGE_MODEL ?? "";
  const endpoint = resolveEndpoint(env).options.baseURL;
  return createModelJudge({
    ask: createModelClient(env, { log }),
    model,
    escalationModel: env.JUDGE_ESCALATION_MODEL ?? model,
    endpoint,
    // No retry starts later than the timeout of the first request.
    states: states ?? createModelStates(core, endpoint, 2 * env.JUDGE_TIMEOUT_SECONDS),
    runChecks,
  });
}
