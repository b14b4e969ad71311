import type { ReactNode } from "react";
import { shortenHex } from "@/components/ui/format";
import type { Names } from "@/server/explorer/schema";

/** Copies of the light theme's tokens: pictures are drawn without a stylesheet. */
export const INK = "#1a1c1f";
export const MUTED = "#5b5f66";
export const ACCENT = "#2f45c5";
export const BAD = "#a3331f";
const PAPER = "#fbfaf8";
const LINE = "#e2dfd8";

export const PICTURE_SIZE = { width: 1200, height: 630 };

/** Lays out a social picture: wordmark on top, a footer line below. */
export function Picture({ footer, children }: { footer: string; children: ReactNode }) {
  return (
    <div
      style={{
        width: "100%",
        height: "100%",
        display: "flex",
        flexDirection: "column",
        justifyContent: "space-between",
        padding: "64px 72px",
        background: PAPER,
        color: INK,
        fontFamily: "Instrument Sans",
      }}
    >
      <div style={{ display: "flex", alignItems: "center", gap: 18 }}>
        <Bars level={4} size={44} />
        <span style={{ fontFamily: "Newsreader", fontSize: 40 }}>Standing</span>
      </div>
      {children}
      <div
        style={{
          display: "flex",
          borderTop: `2px solid ${LINE}`,
          paddingTop: 24,
          fontSize: 26,
          color: MUTED,
        }}
      >
        {footer}
      </div>
    </div>
  );
}

/** Returns a party's name, or its address if it has none that the fonts can draw. */
export const nameParty = (wallet: string, names: Names, hasGlyph: (letter: number) => boolean) =>
  nameAgent({ wallet, name: names[wallet] ?? "", maxLength: 30 }, hasGlyph);

interface NamedAgent {
  wallet: string;
  name: string;
  /** Characters. */
  maxLength: number;
}

/** Returns an agent's name, or its address if the fonts can't draw the name. */
export function nameAgent(
  { wallet, name, maxLength }: NamedAgent,
  hasGlyph: (letter: number) => boolean,
): string {
  const { text, isIncomplete } = toDrawableText(name, maxLength, hasGlyph);
  return text === "" || isIncomplete ? shortenHex(wallet) : text;
}

/** Draws four rising bars, the first `level` of them filled. */
export function Bars({ level, size }: { level: number; size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden="true">
      {[0, 1, 2, 3].map((bar) => (
        <rect
          key={bar}
          x={bar * 4.8 + 1}
          y={14 - bar * 4}
          width="3.6"
          height={5 + bar * 4}
          fill={bar < level ? ACCENT : PAPER}
          stroke={bar < level ? ACCENT : MUTED}
          strokeWidth="0.8"
        />
      ))}
    </svg>
  );
}

/** The part of a text that a picture's fonts can draw. */
interface DrawableText {
  text: string;
  /** Whether letters or digits were dropped; dropped symbols such as emoji don't count. */
  isIncomplete: boolean;
}

/**
 * Returns the part of `text` that has glyphs, at most `maxLength` characters. Grapheme
 * clusters are kept or dropped whole.
 */
export function toDrawableText(
  text: string,
  maxLength: number,
  hasGlyph: (letter: number) => boolean,
): DrawableText {
  const clusters = [...new Intl.Segmenter("en").segment(text.normalize("NFC"))].map(
    ({ segment }) => segment,
  );
  const isDrawn = (cluster: string) =>
    [...cluster].every((letter) => hasGlyph(letter.codePointAt(0) ?? 0) && !/\p{C}/u.test(letter));
  const drawn = clusters.map((cluster) =>
    /^\s+$/u.test(cluster) ? " " : isDrawn(cluster) ? cluster : "",
  );
  const isIncomplete = clusters.some(
    (cluster, index) => drawn[index] === "" && /[\p{L}\p{N}]/u.test(cluster),
  );
  const shown = drawn.join("").replace(/\s+/g, " ").trim();
  const letters = [...shown];
  const shortened =
    letters.length > maxLength
      ? `${letters
          .slice(0, maxLength - 1)
          .join("")
          .trim()}…`
      : shown;
  return { text: shortened, isIncomplete };
}
