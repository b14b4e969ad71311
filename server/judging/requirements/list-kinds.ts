import type { RequirementKind } from "./schema";

/** Returns every check that a requirement can name. */
export function listRequirementKinds(): RequirementKind[] {
  return [];
}
