import { RE2JS, RE2JSException } from "re2js";

/** Instructions of a compiled pattern; matching takes this times the length of the text. */
const MAX_PROGRAM_SIZE = 2_000;

/** Thrown for a pattern that can't be used. The message is for the author of the pattern. */
export class PatternError extends Error {
  override name = "PatternError";
}

/**
 * Compiles a pattern in RE2's syntax, which is matched in linear time. Throws `PatternError` if it is
 * not valid or too large.
 */
export function compilePattern(pattern: string): RE2JS {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new PatternError(`is not a pattern in RE2's syntax: ${error.message}`);
  }
  if (compiled.programSize() > MAX_PROGRAM_SIZE) {
    throw new PatternError("is too large: use fewer or smaller repetitions");
  }
  return compiled;
}
