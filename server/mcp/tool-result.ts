import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Problem } from "@/server/lib/errors";
import { removeInvisible } from "@/server/lib/invisible";
import { jsonPointer } from "@/server/lib/to-app-error";
import type { CallResult } from "@/server/rest/rest";

/** Fields that others wrote, or a judge after reading what others wrote; in the results of all tools. */
const OTHERS_TEXTS = new Set([
  "name",
  "description",
  "text",
  "evidenceUrl",
  "reason",
  "llmJudgeReasoning",
  "taskDescription",
  "deliverableContent",
  "deliverableUrl",
]);

/**
 * Moves the texts of others from a result into its field `untrusted`, by their JSON Pointer and
 * without invisible characters, so that a model cannot take them for words of the service.
 */
export function separateUntrusted(data: unknown): Record<string, unknown> {
  const untrusted: Record<string, string> = {};
  const separate = (value: unknown, path: string[]): unknown => {
    if (Array.isArray(value)) return value.map((item, at) => separate(item, [...path, String(at)]));
    if (typeof value !== "object" || value === null) return value;
    const kept = Object.entries(value).filter(([name, text]) => {
      if (!OTHERS_TEXTS.has(name) || typeof text !== "string") return true;
      untrusted[jsonPointer([...path, name])] = removeInvisible(text);
      return false;
    });
    return Object.fromEntries(kept.map(([name, item]) => [name, separate(item, [...path, name])]));
  };
  const rest = separate(data, []) as Record<string, unknown>;
  return Object.keys(untrusted).length > 0 ? { ...rest, untrusted } : rest;
}

/** Converts the result of a procedure to that of a tool; a problem is an error the model can read. */
export function toToolResult(result: CallResult): CallToolResult {
  if (result.problem) {
    return {
      isError: true,
      content: [createText(describeProblem(result.problem, result.headers))],
    };
  }
  const data = separateUntrusted(result.data);
  return { content: [createText(data)], structuredContent: data };
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
