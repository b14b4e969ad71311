import { type ParseErrorCode, printParseErrorCode, visit } from "jsonc-parser";

/**
 * The deepest valid request has four levels. A megabyte of brackets takes a hundred times as long to
 * parse as a megabyte of text.
 */
const MAX_LEVELS = 64;
/**
 * The largest valid request has a few hundred values. A megabyte of them would be slow to copy and
 * to check.
 */
const MAX_VALUES = 10_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** The number of members in all objects of a JSON text, or the limit that it exceeds. */
export type JsonShape = { members: number } | { fault: "too-deep" | "too-many-values" };

/**
 * Counts the levels, values and members of a JSON text, outside of its strings. At most 64 levels
 * and 10,000 values are allowed. Stops as soon as a limit is exceeded.
 */
export function measureJson(json: Uint8Array): JsonShape {
  let level = 0;
  let values = 1;
  let members = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (inString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === COLON) members += 1;
    else if (byte === COMMA) {
      if (++values > MAX_VALUES) return { fault: "too-many-values" };
    } else if (OPENING.has(byte)) {
      if (++level > MAX_LEVELS) return { fault: "too-deep" };
    } else if (CLOSING.has(byte)) level -= 1;
  }
  return { members };
}

/** The parsed value, or why parsing failed. `path` leads to the duplicate key. */
export type ParsedJson =
  | { value: unknown }
  | { fault: "too-deep" | "too-many-values" | "not-utf8" }
  | SyntaxFault
  | { fault: "duplicate-key"; path: (string | number)[] };

/** Where a text stops being JSON, counted from 1, and why. A column is a UTF-16 code unit. */
export interface SyntaxFault {
  fault: "not-json";
  line: number;
  column: number;
  reason: string;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses JSON in UTF-8 strictly (RFC 8259). Refuses an object with two members of the same name,
 * however the names are escaped: parsers disagree on which one counts. Pure.
 */
export function parseJson(bytes: Uint8Array): ParsedJson {
  const shape = measureJson(bytes);
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
    return locateSyntaxError(text);
  }
  // If the counts differ, a later member replaced an earlier one of the same name.
  if (countMembers(value) === shape.members) return { value };
  return { fault: "duplicate-key", path: findDuplicateKey(text) };
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const values = Object.values(value);
  const ownMembers = Array.isArray(value) ? 0 : values.length;
  return values.reduce<number>((sum, member) => sum + countMembers(member), ownMembers);
}

/** Returns the path of the first duplicate key. Throws if there is none. */
function findDuplicateKey(json: string): (string | number)[] {
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
  if (!found) throw new Error("found no duplicate key although a member was lost");
  return found;
}

/** Descriptions of syntax errors by the parser's names; none of them quotes the text. */
const SYNTAX_ERRORS: Record<string, string> = {
  InvalidSymbol: "this is not a value; text needs double quotes",
  InvalidNumberFormat: "this is not a number in JSON",
  PropertyNameExpected:
    "a name in double quotes is expected, without a comma before the closing brace",
  ValueExpected: "a value is expected, without a comma before the closing bracket",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: "a closing brace is missing",
  CloseBracketExpected: "a closing bracket is missing",
  EndOfFileExpected: "the value has ended, but more text follows",
  InvalidCommentToken: "comments are not allowed",
  UnexpectedEndOfComment: "comments are not allowed",
  UnexpectedEndOfString: "the closing double quote is missing",
  UnexpectedEndOfNumber: "this number is not complete",
  InvalidUnicode: "this Unicode escape is not valid",
  InvalidEscapeCharacter: "this escape is not valid",
  InvalidCharacter: "this character must be escaped",
};

/** Returns the first syntax error of a text that is not JSON. */
function locateSyntaxError(text: string): SyntaxFault {
  let found: SyntaxFault | null = null;
  const onError = (code: ParseErrorCode, _: number, __: number, line: number, column: number) => {
    const reason = SYNTAX_ERRORS[printParseErrorCode(code)] ?? "this is not allowed here";
    found ??= { fault: "not-json", line: line + 1, column: column + 1, reason };
  };
  visit(text, { onError }, { disallowComments: true, allowTrailingComma: false });
  // In case the two parsers disagree about what is JSON.
  return found ?? { fault: "not-json", line: 1, column: 1, reason: "this is not allowed here" };
}
