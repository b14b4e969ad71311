import type { Defence } from "./defences";

/** Characters that could end a line or open markup. Escaping them keeps their meaning in JSON. */
const ESCAPED = /[<>\u0085\u2028\u2029]/g;

/**
 * Builds the user message of a question: the texts of this case as JSON between two lines that
 * carry `mark`, then the reminder and our `request`. A JSON string holds no line break, so no text
 * can form a line, let alone the one that ends the material.
 */
export function userMessage(
  material: Record<string, unknown>,
  { mark, reminder, request }: { mark: string; reminder: string; request?: string },
  defences: ReadonlySet<Defence>,
): string {
  const body = defences.has("delimit") ? enclosed(material, mark) : plain(material);
  const lines = defences.has("remind") ? [body, reminder, request] : [request, body];
  return lines.filter((line) => line !== undefined).join("\n");
}

function enclosed(material: Record<string, unknown>, mark: string): string {
  const json = JSON.stringify(material, null, 1).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `<<<${mark}\n${json}\n${mark}>>>`;
}

function plain(material: Record<string, unknown>): string {
  return Object.entries(material)
    .map(
      ([name, value]) => `${name}:\n${typeof value === "string" ? value : JSON.stringify(value)}`,
    )
    .join("\n\n");
}
