import type { Requirement } from "./schema";

/** Describes a requirement in public, such as "At most 200 words". Quotes no parameter that is text. */
export function describeRequirement(requirement: Requirement): string {
  return requirement.check;
}
