import type { CheckIo, ObserveOptions } from "@/server/judging/checks/check";
import type { RequirementOf } from "@/server/judging/requirements/schema";
import type { Decision } from "./reading";

export type CodeRequirement = RequirementOf<"parses" | "examples" | "tests">;

/** Decides requirements about the program of a text, in their order. Throws if the sandbox is not available. */
export async function decideCode(
  _text: string,
  requirements: readonly CodeRequirement[],
  _io: CheckIo,
  _options: ObserveOptions,
): Promise<Decision[]> {
  return requirements.map(() => ({ passed: false, observed: "not supported yet" }));
}
