import { RESULTS } from "@/components/outcomes/result";
import { shortenHex } from "@/components/ui/format";
import { TIERS, type Tier, type Verdict } from "@/server/lib/schema";
import { TIER_LABELS } from "@/server/reputation/policy";

/** Copies of the light theme's tokens: pictures are drawn without a stylesheet. */
const INK = "#1a1c1f";
const MUTED = "#5b5f66";
const ACCENT = "#2f45c5";
const BAD = "#a3331f";
const GOOD = "#12694a";
const PAPER = "#fbfaf8";
const LINE = "#e2dfd8";

export const PICTURE_SIZE = { width: 1200, height: 630 };

export interface PictureContent {
  headline: string;
  /** Shown before the headline as a shape. */
  verdict?: Verdict | undefined;
  text?: string;
  /** A score with its tier. */
  figure?: { value: string; tier: Tier };
  /** Shows text and figure in red. */
  isBad?: boolean;
  /** Agents with a note and their score; four at most. */
  rows?: { wallet: string; name: string; note: string; value: string; isBad: boolean }[];
  /** Parts of the line below; those that don't apply are left out. */
  footer: (string | false | undefined)[];
}

const SERIF = { fontFamily: "Newsreader" };

/** Draws the picture that a link is shared with: wordmark, headline, figures and a line below. */
export function Picture({ headline, verdict, text, figure, isBad, rows, footer }: PictureContent) {
  return (
    <div
      tw="flex flex-col h-full w-full justify-between px-[72px] py-16"
      style={{ background: PAPER, color: INK, fontFamily: "Instrument Sans" }}
    >
      <div tw="flex items-center" style={{ gap: 18 }}>
        <Bars level={4} size={44} />
        <span style={{ ...SERIF, fontSize: 40 }}>Standing</span>
      </div>
      <div tw="flex items-end justify-between">
        <div tw={`flex flex-col ${figure ? "max-w-[620px]" : "w-full"}`} style={{ gap: 22 }}>
          <div tw="flex items-center" style={{ gap: 28 }}>
            {verdict && <VerdictShape verdict={verdict} />}
            <span style={{ ...SERIF, fontSize: rows ? 60 : 84, lineHeight: 1.1 }}>{headline}</span>
          </div>
          {/* One string: separate elements would wrap if a fallback font is used. */}
          {text && <span style={{ ...SERIF, fontSize: 42, color: isBad ? BAD : INK }}>{text}</span>}
          {rows?.map((row) => (
            <AgentRow key={row.wallet} {...row} />
          ))}
        </div>
        {figure && (
          <div tw="flex flex-col items-end" style={{ gap: 16 }}>
            <span style={{ ...SERIF, fontSize: 150, lineHeight: 1, color: isBad ? BAD : ACCENT }}>
              {figure.value}
            </span>
            <div tw="flex items-center text-[40px]" style={{ gap: 16 }}>
              {!isBad && <Bars level={TIERS.indexOf(figure.tier)} size={40} />}
              <span style={{ color: MUTED }}>{TIER_LABELS[figure.tier]}</span>
            </div>
          </div>
        )}
      </div>
      <div tw={`flex border-t-2 border-[${LINE}] pt-6 text-[26px] text-[${MUTED}]`}>
        {footer.filter(Boolean).join(" · ")}
      </div>
    </div>
  );
}

const AgentRow = ({ name, note, value, isBad }: NonNullable<PictureContent["rows"]>[number]) => (
  <div tw="flex items-baseline">
    <span style={{ ...SERIF, fontSize: 38, width: 540 }}>{name}</span>
    <span style={{ fontSize: 28, color: isBad ? BAD : MUTED }}>{note}</span>
    <div tw="flex ml-auto" style={{ ...SERIF, fontSize: 42, color: isBad ? BAD : ACCENT }}>
      {value}
    </div>
  </div>
);

const VerdictShape = ({ verdict }: { verdict: Verdict }) => (
  <svg width="96" height="96" viewBox="0 0 20 20" aria-hidden="true" fill="none">
    <path
      d={RESULTS[verdict][2]}
      stroke={verdict === "SUCCESS" ? GOOD : BAD}
      strokeWidth="2.4"
      strokeLinecap="round"
    />
  </svg>
);

/** Returns whether the fonts of pictures have a glyph for a code point. */
export type HasGlyph = (letter: number) => boolean;

/** Returns an agent's name of at most 30 characters, or its address if the fonts can't draw it. */
export function nameAgent(wallet: string, name: string | undefined, hasGlyph: HasGlyph): string {
  const { text, isIncomplete } = toDrawableText(name ?? "", 30, hasGlyph);
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
export function toDrawableText(text: string, maxLength: number, hasGlyph: HasGlyph): DrawableText {
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
