import type { Requirement } from "@/server/judging/requirements/schema";
import { DETECTABLE_LANGUAGES } from "./decide-language";
import { compileSchema, SchemaError } from "./json-schema";
import { compilePattern, PatternError } from "./linear-pattern";
import { parsePointer } from "./reading";

/** What is wrong with a requirement that its schema accepts. */
export interface InvalidRequirement {
  /** Steps from the list of requirements to the place. */
  path: (string | number)[];
  /** To be read after the name of the place. */
  detail: string;
}

/**
 * Returns the first requirement whose pattern, JSON Schema or language can't be used, null if there is
 * none. Runs in a worker thread.
 */
export function findInvalid(requirements: readonly Requirement[]): InvalidRequirement | null {
  for (const [index, requirement] of requirements.entries()) {
    const problem = inspect(requirement);
    if (problem) return { ...problem, path: [index, ...problem.path] };
  }
  return null;
}

function inspect(requirement: Requirement): InvalidRequirement | null {
  try {
    if (requirement.check === "matches") compilePattern(requirement.pattern);
    if (requirement.check === "json" && requirement.schema) compileSchema(requirement.schema);
  } catch (error) {
    if (error instanceof PatternError) return { path: ["pattern"], detail: error.message };
    if (!(error instanceof SchemaError)) throw error;
    return { path: ["schema", ...parsePointer(error.pointer)], detail: error.message };
  }
  if (requirement.check !== "language") return null;
  const [language = ""] = requirement.tag.split("-", 1);
  return DETECTABLE_LANGUAGES.includes(language)
    ? null
    : { path: ["tag"], detail: `must be one of ${DETECTABLE_LANGUAGES.join(", ")}` };
}
