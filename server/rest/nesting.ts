/** Our deepest request has four levels; parsing a megabyte of brackets takes a hundred times one of text. */
const MOST_LEVELS = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Whether a JSON text nests arrays and objects deeper than 64 levels. Ends at the first one too many. */
export function isTooDeep(json: Uint8Array): boolean {
  let level = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (OPENING.has(byte) && ++level > MOST_LEVELS) return true;
    else if (CLOSING.has(byte)) level -= 1;
  }
  return false;
}
