import { toStorableText } from "@/server/judging/canonicalise";

const THINKING_END = "</think>";

/**
 * Returns the JSON objects in a model's answer, ignoring text around them: first those of the whole
 * answer, then those after marked thinking. A reading is empty if it ends inside an object, which may be
 * the answer, or if any object repeats a key, since parsers disagree about which value counts. Removes
 * characters that Postgres cannot store from strings.
 */
export function parseJsonObjects(answer: string): Record<string, unknown>[][] {
  const end = answer.indexOf(THINKING_END);
  const readings = end < 0 ? [answer] : [answer, answer.slice(end + THINKING_END.length)];
  return readings.map(listObjects);
}

/** Strings and braces. */
const PART = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}]/gs;

function listObjects(text: string): Record<string, unknown>[] {
  const objects: Record<string, unknown>[] = [];
  for (let start = text.indexOf("{"); start >= 0; ) {
    const end = findEnd(text, start);
    if (end < 0) return [];
    const json = text.slice(start, end);
    let members = 0;
    try {
      const parsed = JSON.parse(json, function (this: unknown, _, value) {
        if (!Array.isArray(this)) members += 1;
        return typeof value === "string" ? toStorableText(value) : value;
      });
      // Of a repeated key, one value was dropped. The object itself counts as a member.
      if (countKeys(json) > members - 1) return [];
      objects.push(parsed);
    } catch {
      // Braces in prose.
    }
    start = text.indexOf("{", end);
  }
  return objects;
}

/** Returns the position after the object that begins at `start`, or -1 if it does not end. */
function findEnd(text: string, start: number): number {
  let depth = 0;
  PART.lastIndex = start;
  for (let part = PART.exec(text); part; part = PART.exec(text)) {
    if (part[0] === "{") depth += 1;
    else if (part[0] === "}") depth -= 1;
    if (depth === 0) return PART.lastIndex;
  }
  return -1;
}

/** Returns how many strings of valid JSON text are keys, repeated ones included. */
const countKeys = (json: string): number =>
  (json.match(/"[^"\\]*(?:\\.[^"\\]*)*"\s*:?/g) ?? []).filter((part) => part.endsWith(":")).length;
