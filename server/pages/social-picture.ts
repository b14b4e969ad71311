import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { ImageResponse } from "next/og";
import type { ReactElement } from "react";
import { cacheLoads } from "@/server/lib/process/cache-loads";
import { acquireMutex } from "@/server/lib/process/mutex";

/** The first two are the regular fonts; the others supply characters that those lack. */
const FONTS = [
  ["Instrument Sans", "instrument-sans/files/instrument-sans-latin-500-normal.woff"],
  ["Newsreader", "newsreader/files/newsreader-latin-600-normal.woff"],
  ["Newsreader Extended", "newsreader/files/newsreader-latin-ext-600-normal.woff"],
  ["Newsreader Vietnamese", "newsreader/files/newsreader-vietnamese-600-normal.woff"],
  ["Source Serif Cyrillic", "source-serif-4/files/source-serif-4-cyrillic-600-normal.woff"],
  ["Source Serif Cyrillic Ext", "source-serif-4/files/source-serif-4-cyrillic-ext-600-normal.woff"],
  ["Source Serif Greek", "source-serif-4/files/source-serif-4-greek-600-normal.woff"],
] as const;

/** Whether the picture has a glyph for a code point. */
export type HasGlyph = (letter: number) => boolean;

/** Each picture takes some 50 kB. Drawing one takes this process longer than most pages. */
const cachedPictures = cacheLoads<ArrayBuffer>({ ttlMs: 300_000, max: 200 });

export interface SocialPicture {
  /** What identifies the picture: it is drawn once for equal keys. */
  key: unknown;
  /**
   * Must contain only characters for which `hasGlyph` is true: for any other, the renderer would
   * download a font.
   */
  draw: (hasGlyph: HasGlyph) => ReactElement;
  size: { width: number; height: number };
}

/**
 * Returns a social picture, drawn without network access and cached for five minutes. One is drawn at
 * a time, so that a list of links does not hold up all other requests.
 */
export async function renderSocialPicture({ key, draw, size }: SocialPicture): Promise<Response> {
  const png = await cachedPictures(JSON.stringify(key), async () => {
    const release = await acquireMutex("social picture");
    try {
      const { fonts, hasGlyph } = await loadFontsOnce();
      return await new ImageResponse(draw(hasGlyph), { ...size, fonts }).arrayBuffer();
    } finally {
      release();
    }
  });
  return new Response(png, {
    headers: { "Content-Type": "image/png", "Cache-Control": "public, max-age=300" },
  });
}

let fontsPromise: ReturnType<typeof loadFonts> | undefined;

/** Loads the fonts for all pictures, again if it failed. */
function loadFontsOnce() {
  fontsPromise ??= loadFonts().catch((error) => {
    fontsPromise = undefined;
    throw error;
  });
  return fontsPromise;
}

async function loadFonts() {
  const fonts = await Promise.all(
    FONTS.map(async ([name, file]) => ({
      name,
      data: await readFile(join(process.cwd(), "node_modules/@fontsource", file)),
    })),
  );
  const letters = fonts.map(({ data }) => readCodePoints(data));
  return { fonts, hasGlyph: (letter: number) => letters.some((known) => known.has(letter)) };
}

/**
 * Returns the code points that a font has a glyph for, by its `cmap` table (OpenType 1.9, format 4,
 * which the pictures' fonts use), from a WOFF file (WOFF 1.0). Throws if the file is not one.
 */
export function readCodePoints(woff: Buffer): Set<number> {
  const cmap = readFontTable(woff, "cmap");
  const letters = new Set<number>();
  const count = cmap.readUInt16BE(2);
  for (let n = 0; n < count; n++) {
    const subtable = cmap.subarray(cmap.readUInt32BE(4 + n * 8 + 4));
    if (subtable.readUInt16BE(0) === 4) addSegments(subtable, letters);
  }
  return letters;
}

function readFontTable(woff: Buffer, tag: string): Buffer {
  if (woff.toString("latin1", 0, 4) !== "wOFF") throw new Error("not a WOFF file");
  const count = woff.readUInt16BE(12);
  for (let n = 0; n < count; n++) {
    const entry = woff.subarray(44 + n * 20);
    if (entry.toString("latin1", 0, 4) !== tag) continue;
    const [offset, packed, whole] = [4, 8, 12].map((at) => entry.readUInt32BE(at)) as [
      number,
      number,
      number,
    ];
    const data = woff.subarray(offset, offset + packed);
    return packed < whole ? inflateSync(data) : data;
  }
  throw new Error(`the font has no table ${tag}`);
}

/** Adds the code points of format 4, in segments; a glyph of 0 means none. */
function addSegments(subtable: Buffer, letters: Set<number>): void {
  const twice = subtable.readUInt16BE(6);
  const [ends, starts] = [14, 16 + twice];
  const [deltas, offsets] = [16 + 2 * twice, 16 + 3 * twice];
  for (let at = 0; at < twice; at += 2) {
    const [start, end] = [subtable.readUInt16BE(starts + at), subtable.readUInt16BE(ends + at)];
    const delta = subtable.readUInt16BE(deltas + at);
    const offset = subtable.readUInt16BE(offsets + at);
    for (let letter = start; letter <= end && letter < 0xffff; letter++) {
      const stored =
        offset === 0 ? letter : subtable.readUInt16BE(offsets + at + offset + 2 * (letter - start));
      const isNone = offset !== 0 && stored === 0;
      if (!isNone && (stored + delta) % 65_536 !== 0) letters.add(letter);
    }
  }
}
