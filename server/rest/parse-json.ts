import { visit } from "jsonc-parser";
import { shapeOf } from "./json-shape";

/** A value, or why a body has none. `path` leads to the key that an object has twice. */
export type ParsedJson =
  | { value: unknown }
  | { fault: "too-deep" | "too-many-values" | "not-utf8" | "not-json" }
  | { fault: "duplicate-key"; path: (string | number)[] };

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses JSON in UTF-8 strictly (RFC 8259). Of two members with one name, parsers take the first,
 * the last or both: such an object is refused, however the names are spelt. Pure.
 */
export function parseJson(bytes: Uint8Array): ParsedJson {
  const shape = shapeOf(bytes);
  if ("fault" in shape) return shape;
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { fault: "not-utf8" };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: "not-json" };
  }
  // Of two members with one name only one was kept.
  if (membersIn(value) === shape.members) return { value };
  return { fault: "duplicate-key", path: duplicateKey(text) };
}

function membersIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const values = Object.values(value);
  const own = Array.isArray(value) ? 0 : values.length;
  return values.reduce<number>((sum, member) => sum + membersIn(member), own);
}

/** The path of the first key that one object has twice, which is known to be there. */
function duplicateKey(json: string): (string | number)[] {
  const open: Set<string>[] = [];
  let found: (string | number)[] | null = null;
  visit(json, {
    onObjectBegin: () => {
      open.push(new Set());
      return found === null;
    },
    onObjectProperty: (name, _offset, _length, _line, _character, pathSupplier) => {
      const names = open.at(-1);
      if (names?.has(name)) found ??= [...pathSupplier(), name];
      names?.add(name);
    },
    onObjectEnd: () => void open.pop(),
    onArrayBegin: () => found === null,
  });
  if (!found) throw new Error("no key is there twice, and yet a member was lost");
  return found;
}
