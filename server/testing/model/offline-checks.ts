import { createBuiltinJudge } from "@/server/judging/checks/builtin-judge";
import type { CheckIo } from "@/server/judging/checks/check";
import { createCheckRunner } from "@/server/judging/checks/run-checks";
import { createRequirementDecider } from "@/server/judging/requirements/decide-requirements";
import { ALL_CHECKS_DECIDE } from "@/server/testing/fixtures/check-confidence";

/** Neither the network nor a sandbox. */
const OFFLINE: CheckIo = {
  fetchCitedPage: async () => ({ kind: "unreachable", reason: "offline" }),
  runCode: async () => ({ kind: "unavailable", reason: "offline" }),
};

export const runChecksOffline = createCheckRunner(OFFLINE);

export const builtinJudge = createBuiltinJudge(runChecksOffline, ALL_CHECKS_DECIDE);

export const decideOffline = createRequirementDecider(OFFLINE);
