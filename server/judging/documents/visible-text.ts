import { Parser } from "htmlparser2";

const INVISIBLE_TAG =
  /^(head|script|style|noscript|template|svg|math|iframe|object|canvas|audio|video|select|datalist|dialog)$/;
const BLOCK_TAG =
  /^(address|article|aside|blockquote|body|br|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|tr|ul)$/;
/** Deeper elements are omitted: parsing time is quadratic in depth. No honest page is so deep. */
const MAX_DEPTH = 2_000;
const CHUNK_LENGTH = 16_384;

/**
 * Returns the text that a reader of a fetched page sees. Omits scripts, styles, comments and
 * elements hidden inline (invisible, unreadably small, or in the color of their background). List
 * items keep a marker, table cells a tab, headings a `#`, images their description. Style sheets
 * are not evaluated, so text hidden only by them is included.
 */
export function extractVisibleText(html: string): string {
  const parts: string[] = [];
  const lists: (number | null)[] = [];
  let depth = 0;
  let hiddenDepth = 0;
  let preformatted = 0;
  /** Colors of the open elements, own or inherited; the background is null if it is unknown. */
  const colors: Colors[] = [];
  let hasStyleSheets = false;
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        depth += 1;
        if (tag === "style" || /stylesheet/i.test(attributes.rel ?? "")) hasStyleSheets = true;
        colors.push(getColors(attributes, colors.at(-1) ?? NO_COLORS));
        if (hiddenDepth > 0 || isHidden(tag, attributes)) {
          hiddenDepth += 1;
          return;
        }
        if (BLOCK_TAG.test(tag)) parts.push("\n");
        if (tag === "pre") preformatted += 1;
        if (tag === "ul" || tag === "ol") lists.push(tag === "ol" ? 0 : null);
        if (tag === "li") parts.push(nextItemMarker(lists));
        if (tag === "td" || tag === "th") parts.push("\t");
        if (/^h[1-6]$/.test(tag)) parts.push(`${"#".repeat(Number(tag[1]))} `);
        if (tag === "img" && attributes.alt) parts.push(`[Picture: ${attributes.alt}]`);
      },
      ontext(text) {
        if (hiddenDepth > 0 || isInvisible(colors.at(-1) ?? NO_COLORS, hasStyleSheets)) return;
        if (preformatted > 0) parts.push(text);
        else parts.push(collapseSpaces(text, parts.at(-1)));
      },
      onclosetag(tag) {
        depth -= 1;
        colors.pop();
        if (hiddenDepth > 0) {
          hiddenDepth -= 1;
          return;
        }
        if (tag === "pre") preformatted = Math.max(0, preformatted - 1);
        if (tag === "ul" || tag === "ol") lists.pop();
        if (BLOCK_TAG.test(tag) && tag !== "br" && tag !== "hr") parts.push("\n");
      },
    },
    { decodeEntities: true },
  );
  for (let at = 0; at < html.length && depth <= MAX_DEPTH; at += CHUNK_LENGTH) {
    parser.write(html.slice(at, at + CHUNK_LENGTH));
  }
  parser.end();
  return (
    parts
      .join("")
      // Matches only from the start of each run: trying every space of a long run takes minutes.
      .replace(/(?<![ \t])[ \t]+\n/g, "\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim()
  );
}

/** Collapses white space as a browser does, given the text before it. */
function collapseSpaces(text: string, before = "\n"): string {
  const collapsed = text.replace(/\s+/g, " ");
  return /\s$/.test(before) ? collapsed.trimStart() : collapsed;
}

function isHidden(tag: string, attributes: Record<string, string>): boolean {
  if (INVISIBLE_TAG.test(tag) || "hidden" in attributes || "popover" in attributes) return true;
  return attributes.style !== undefined && isHiddenStyle(parseStyle(attributes.style));
}

interface Colors {
  text: string | null;
  background: string | null;
}
const NO_COLORS: Colors = { text: null, background: null };

/** Returns the colors of an element, its own or else the `inherited` ones. */
function getColors(attributes: Record<string, string>, inherited: Colors): Colors {
  const style = attributes.style === undefined ? null : parseStyle(attributes.style);
  const painted = style?.get("background-color") ?? style?.get("background") ?? attributes.bgcolor;
  const transparent = painted === "transparent" || painted === "none" || painted === "inherit";
  return {
    text:
      normaliseColor(style?.get("color") ?? attributes.color ?? attributes.text) ?? inherited.text,
    background:
      painted && !transparent ? (normaliseColor(painted) ?? "painted") : inherited.background,
  };
}

/**
 * Returns whether text has the color of its background. A page without background color and style
 * sheets is white.
 */
function isInvisible({ text, background }: Colors, hasStyleSheets: boolean): boolean {
  if (text === null) return false;
  return text === (background ?? (hasStyleSheets ? null : "#ffffff"));
}

/** Returns the marker of the next item of the innermost list, and advances its counter. */
function nextItemMarker(lists: (number | null)[]): string {
  const count = lists.at(-1);
  if (count === undefined || count === null) return "- ";
  lists[lists.length - 1] = count + 1;
  return `${count + 1}. `;
}

/** Declarations of a `style` attribute. Names and values are in lower case. */
export type Style = ReadonlyMap<string, string>;

/** Parses an inline style as a browser does, so comments and escapes cannot disguise it. */
export function parseStyle(style: string): Style {
  const plain = style
    .replace(/\/\*[\s\S]*?(\*\/|$)/g, " ")
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex) => {
      const code = Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
    })
    .toLowerCase();
  const declarations = plain.split(";").flatMap((declaration): [string, string][] => {
    const colon = declaration.indexOf(":");
    if (colon < 0) return [];
    const value = declaration.slice(colon + 1).replace(/!\s*important/, "");
    return [[declaration.slice(0, colon).trim(), value.trim()]];
  });
  return new Map(declarations);
}

/** Offsets beyond `OFF_SCREEN_PX` are off any screen; smaller text than `MIN_READABLE_PX` is hidden. */
const OFF_SCREEN_PX = 500;
const MIN_READABLE_PX = 3;

const PX_PER_UNIT: Record<string, number> = {
  px: 1,
  pt: 4 / 3,
  em: 16,
  rem: 16,
  vw: 10,
  vh: 10,
  "": 1,
};

/** Returns a CSS length in approximate pixels, or NaN for anything else. */
function toPixels(value = ""): number {
  const match = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))(px|pt|r?em|v[wh]|)$/.exec(value);
  return match ? Number(match[1]) * (PX_PER_UNIT[match[2] ?? ""] ?? 1) : Number.NaN;
}

/** Returns whether an element with this style is invisible, ignoring its background color. */
export function isHiddenStyle(style: Style): boolean {
  const is = (name: string, pattern: RegExp) => pattern.test(style.get(name) ?? "");
  const px = (name: string) => toPixels(style.get(name));
  const isClipped = is("overflow", /hidden|clip/) || is("overflow-y", /hidden|clip/);
  // A background that is clipped to the text shows through transparent letters.
  const isTextClip = is("background-clip", /text/) || is("-webkit-background-clip", /text/);
  const isPositioned = is("position", /^(absolute|fixed|relative)$/);
  return (
    is("display", /^none$/) ||
    (is("color", /^(transparent|rgba\(.*[,/]\s*0?\.?0+%?\s*\))$/) && !isTextClip) ||
    is("visibility", /^(hidden|collapse)$/) ||
    is("content-visibility", /^hidden$/) ||
    is("opacity", /^\+?(0*\.0\d*|0+|[0-4](\.\d+)?%)$/) ||
    is("filter", /opacity\(\s*(0*\.0\d*|0+)%?\s*\)/) ||
    is("font-size", /^\+?(0+(\.0*)?|\.0+)(%|[a-z]+)?$/) ||
    px("font-size") < MIN_READABLE_PX ||
    is("font", /(^|\s)0+(px|pt|em|rem|%)?(\/|\s)/) ||
    px("text-indent") < -OFF_SCREEN_PX ||
    (isPositioned &&
      ["left", "top", "right", "bottom"].some((side) => px(side) < -OFF_SCREEN_PX)) ||
    is(
      "transform",
      /translate[xy3d]*\([^()]*-\d{3,}(px|vw|vh|%|em)|scale[xy]?\(\s*(0+(\.0*)?|\.0+)\s*[,)]/,
    ) ||
    is("clip", /^rect\(\s*(0|1)(px)?[\s,]+(0|1)(px)?[\s,]+(0|1)(px)?[\s,]+(0|1)(px)?\s*\)$/) ||
    is("clip-path", /^(inset\(\s*(50|100)%|circle\(\s*0)/) ||
    (isClipped && ["width", "height", "max-width", "max-height"].some((side) => px(side) < 2))
  );
}

const NAMED_COLORS: Record<string, string> = {
  white: "#ffffff",
  black: "#000000",
  snow: "#fffafa",
};

/** Normalises a color so that colors can be compared. Returns null if `value` is not a color. */
export function normaliseColor(value: string | undefined): string | null {
  if (!value) return null;
  const text = value
    .trim()
    .toLowerCase()
    .replace(/^#([0-9a-f])([0-9a-f])([0-9a-f])$/, "#$1$1$2$2$3$3");
  if (/^(inherit|unset|currentcolor)$/.test(text)) return null;
  const rgb = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*([,/].*)?\)$/.exec(text);
  if (rgb) {
    const hex = rgb.slice(1, 4).map((part) => Number(part).toString(16).padStart(2, "0"));
    return `#${hex.join("")}`;
  }
  return NAMED_COLORS[text] ?? (/^(#[0-9a-f]{6}|[a-z]+)$/.test(text) ? text : null);
}
