/** Maximum characters of a deliverable shown to a model; a longer one is shortened. */
export const MAX_SHOWN_CHARACTERS = 60_000;

const HEAD_SHARE = 0.4;
const TAIL_SHARE = 0.25;
const MIDDLE_PARTS = 8;
/** Maximum distance that a cut moves to a line or word boundary, as a share of its part. */
const LEEWAY = 0.1;

const formatOmission = (characters: number) => `\n[… ${characters} characters left out …]\n`;

type Span = { start: number; end: number };

/**
 * Shortens `text` to at most `limit` characters (UTF-16 units, at least 3,000), omission marks included. Keeps its
 * beginning (40%), its end (25%) and evenly spaced parts of the middle, cut at a line or word
 * boundary if one is near, never within a character. A mark between two parts gives the number of
 * characters omitted there. `shown` and `of` count characters of the text itself. Deterministic.
 */
export function shortenText(
  text: string,
  limit: number,
): { text: string; shown: number; of: number } {
  const { length } = text;
  if (length <= limit) return { text, shown: length, of: length };
  const parts = selectSpans(length, limit).map((span) => shrinkToBoundaries(text, span));
  let short = "";
  let shown = 0;
  let at = 0;
  for (const { start, end } of parts) {
    if (start > at) short += formatOmission(start - at);
    short += text.slice(start, end);
    shown += end - start;
    at = end;
  }
  return { text: short, shown, of: length };
}

function selectSpans(length: number, limit: number): Span[] {
  const room = limit - (MIDDLE_PARTS + 1) * formatOmission(length).length;
  const head = Math.ceil(room * HEAD_SHARE);
  const tail = Math.floor(room * TAIL_SHARE);
  const middle = Math.floor((room - head - tail) / MIDDLE_PARTS);
  const gap = (length - head - tail - MIDDLE_PARTS * middle) / (MIDDLE_PARTS + 1);
  const between = Array.from({ length: MIDDLE_PARTS }, (_, index) => {
    const start = Math.floor(head + gap * (index + 1) + middle * index);
    return { start, end: start + middle };
  });
  return [{ start: 0, end: head }, ...between, { start: length - tail, end: length }];
}

/** Shrinks the span to line or word boundaries, or else to whole characters. */
function shrinkToBoundaries(text: string, { start, end }: Span): Span {
  const leeway = Math.floor((end - start) * LEEWAY);
  const from = start === 0 ? 0 : start + findCut(text.slice(start - 1, start + leeway), false);
  const to = end === text.length ? end : end - findCut(text.slice(end - leeway, end + 1), true);
  return {
    start: splitsSurrogatePair(text, from) ? from + 1 : from,
    end: splitsSurrogatePair(text, to) ? to - 1 : to,
  };
}

/**
 * Returns how many characters to shrink by so that the cut follows (or, if `backwards`, precedes) a
 * line break or else white space; 0 if there is neither. `near` extends one character beyond the
 * cut.
 */
function findCut(near: string, backwards: boolean): number {
  const units = backwards ? near.split("").reverse().join("") : near;
  return Math.max(0, units.search(/\n/)) || Math.max(0, units.search(/\s/));
}

function splitsSurrogatePair(text: string, at: number): boolean {
  return (
    at > 0 && /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(at))
  );
}
