import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Problem } from "@/server/lib/errors";
import type { CallResult } from "@/server/rest/rest";

/** Converts the result of a procedure to that of a tool; a problem is an error the model can read. */
export function toToolResult(result: CallResult): CallToolResult {
  if (result.problem) {
    return {
      isError: true,
      content: [createText(describeProblem(result.problem, result.headers))],
    };
  }
  const { data } = result;
  return { content: [createText(data)], structuredContent: data as Record<string, unknown> };
}

/** Returns the problem document, and the value of `Retry-After`: tool results have no headers. */
export function describeProblem(problem: Problem, headers: Record<string, string>) {
  const wait = headers["Retry-After"];
  return {
    ...problem,
    ...(wait === undefined ? {} : { retryAfterSeconds: Number(wait) }),
  };
}

const createText = (value: unknown) => ({ type: "text" as const, text: JSON.stringify(value) });
