import { storable } from "@/server/judging/storable";

const THOUGHTS_END = "</think>";

/**
 * The one JSON object of a model's answer, with a fence or words around it; null if there is none
 * or more than one. It reaches from the first brace to the last, so no other object can stand
 * beside it: an answer that repeats an object of the material before or after its own is never
 * read, because only a guess could tell which of them is the answer. Thoughts before the answer
 * are left out where they are marked. Strings come without what Postgres cannot keep.
 */
export function loneObject(answer: string): Record<string, unknown> | null {
  const thoughts = answer.indexOf(THOUGHTS_END);
  const said = thoughts < 0 ? "" : answer.slice(thoughts + THOUGHTS_END.length);
  return between(answer) ?? between(said);
}

function between(text: string): Record<string, unknown> | null {
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start < 0 || end < start) return null;
  try {
    return JSON.parse(text.slice(start, end + 1), (_, value) =>
      typeof value === "string" ? storable(value) : value,
    );
  } catch {
    return null;
  }
}
