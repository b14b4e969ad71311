import type { Sections } from "./build-question";

/** A source of random bytes: cryptographic in the service, seeded in repeatable runs. */
export type RandomBytes = (size: number) => Uint8Array;

/** Random values drawn for one question, so that no text written earlier can contain them. */
export interface Nonces {
  /**
   * Marks the lines around the texts: 128 bits as 32 hexadecimal characters. All votes of one
   * judgement share it.
   */
  mark: string;
  /** The model must repeat it, which proves that it read the text after the material. */
  canary: string;
  /** Suffix of every criterion id in this question. */
  code: string;
}

const CONSONANTS = "bdfgklmnprstvz";
const VOWELS = "aeiou";

export function drawNonces(bytes: RandomBytes): Nonces {
  return {
    mark: toMark(bytes),
    canary: toSyllables(bytes(10)),
    code: toSyllables(bytes(6)),
  };
}

const MAX_DRAWS = 8;

/** Draws a mark that occurs in none of the texts. */
export function drawMark(bytes: RandomBytes, sections: Sections): string {
  for (let draw = 0; draw < MAX_DRAWS; draw++) {
    const mark = toMark(bytes);
    if (!sections.some(([, text]) => text.includes(mark))) return mark;
  }
  throw new Error("every drawn mark occurs in the texts: the source of randomness is broken");
}

const toMark = (bytes: RandomBytes) => Buffer.from(bytes(16)).toString("hex");

/** Returns `items` in an unpredictable order (Fisher and Yates). */
export function shuffle<T>(items: readonly T[], bytes: RandomBytes): T[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const pick = Buffer.from(bytes(4)).readUInt32BE() % (last + 1);
    [result[last], result[pick]] = [result[pick] as T, result[last] as T];
  }
  return result;
}

/**
 * Returns a word that models copy without errors: one letter per byte, alternating consonants and
 * vowels.
 */
function toSyllables(bytes: Uint8Array): string {
  return Array.from(bytes, (byte, at) => {
    const letters = at % 2 === 0 ? CONSONANTS : VOWELS;
    return letters[byte % letters.length];
  }).join("");
}
