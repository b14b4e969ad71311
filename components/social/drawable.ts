/** What a picture shows of a text of unknown letters. */
export interface Drawable {
  text: string;
  /** Letters or digits are missing from it; signs such as emoji may be gone without a word. */
  isPart: boolean;
}

/**
 * As much of a text as a picture has glyphs for, at most `most` characters. Sequences that combine
 * are taken or left as one, so that no half of them is shown.
 */
export function drawable(text: string, most: number, draws: (letter: number) => boolean): Drawable {
  const clusters = [...new Intl.Segmenter("en").segment(text.normalize("NFC"))].map(
    ({ segment }) => segment,
  );
  const isDrawn = (cluster: string) =>
    [...cluster].every((letter) => draws(letter.codePointAt(0) ?? 0) && !/\p{C}/u.test(letter));
  const drawn = clusters.map((cluster) =>
    /^\s+$/u.test(cluster) ? " " : isDrawn(cluster) ? cluster : "",
  );
  const isPart = clusters.some(
    (cluster, index) => drawn[index] === "" && /[\p{L}\p{N}]/u.test(cluster),
  );
  const shown = drawn.join("").replace(/\s+/g, " ").trim();
  const cut = [...shown];
  return {
    text:
      cut.length > most
        ? `${cut
            .slice(0, most - 1)
            .join("")
            .trim()}…`
        : shown,
    isPart,
  };
}
