import { z } from "zod";
import { KINDS } from "./kinds";
import { type RequirementKind, requirementSchema } from "./schema";

let kinds: RequirementKind[] | undefined;

/** Returns every check that a requirement can name. */
export function listRequirementKinds(): RequirementKind[] {
  kinds ??= requirementSchema.options.map((option) => {
    const check = option.shape.check.value;
    return { check, ...KINDS[check], schema: z.toJSONSchema(option, { io: "input" }) };
  });
  return kinds;
}
