import { z } from "zod";
import type { TextCheck } from "@/server/judging/checks/check";
import { type CodeDemand, DEMAND_KINDS, findDemands } from "./demands/find-demands";
import { isDemandMet } from "./demands/is-demand-met";
import { readCode } from "./demands/read-code";

const parameters = z.object({
  kind: z.enum(DEMAND_KINDS),
  name: z.string().max(100).default(""),
});

const DESCRIPTIONS: Record<CodeDemand["kind"], string> = {
  defines: "The code defines the required name",
  "avoids-call": "The code avoids a forbidden call",
  "avoids-module": "The code avoids a forbidden module",
  "avoids-imports": "The code imports nothing",
  "avoids-packages": "The code needs only the standard library",
  "avoids-loops": "The code has no loops",
  "avoids-recursion": "The code is not recursive",
  "is-recursive": "The code is recursive",
  "has-type-hints": "The code has type hints",
  "has-docstring": "The code has a docstring",
  "has-tests": "The code has tests",
};

/** Checks what a task says about the form of the code: names, imports, loops, recursion, hints. */
export const codeFactsCheck: TextCheck<CodeDemand> = {
  name: "code-facts",
  parameters,
  extract: (task) =>
    findDemands(task).map(({ statement, ...demand }) => ({
      check: "code-facts",
      parameters: demand,
      statement,
    })),
  describe: ({ kind }) => DESCRIPTIONS[kind],
  forRubric: `reads Python, JavaScript or TypeScript code: {"kind": ${DEMAND_KINDS.map((kind) => `"${kind}"`).join(" | ")}, "name": "name that it is about, or empty"}`,
  run({ task, text }, demand) {
    const code = readCode(task, text);
    if (!code) {
      return { outcome: "not-applicable", observed: "no code that could be read" };
    }
    const isMet = isDemandMet(demand, code);
    if (isMet === null)
      return { outcome: "not-applicable", observed: "cannot be read from the code" };
    return isMet
      ? { outcome: "pass", observed: "it does" }
      : {
          outcome: "fail",
          observed: "it does not",
          detail: `${demand.kind} ${demand.name}`.trim(),
        };
  },
};
