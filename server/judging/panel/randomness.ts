/** Cryptographic randomness in the service; a seeded source where a run has to be repeatable. */
export type RandomBytes = (size: number) => Uint8Array;

/** What one question draws afresh, so that no text written before can know it. */
export interface Fresh {
  /** Of the lines around the material: 128 bits as 32 hexadecimal characters. */
  mark: string;
  /** Asked back from the model, which proves that it read what stands after the material. */
  canary: string;
  /** Ends every id of a criterion in this question. */
  code: string;
}

const CONSONANTS = "bdfgklmnprstvz";
const VOWELS = "aeiou";

export function drawFresh(bytes: RandomBytes): Fresh {
  return {
    mark: Buffer.from(bytes(16)).toString("hex"),
    canary: syllables(bytes(10)),
    code: syllables(bytes(6)),
  };
}

/** `items` in an order that nobody can foresee (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], bytes: RandomBytes): T[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const pick = Buffer.from(bytes(4)).readUInt32BE() % (last + 1);
    [result[last], result[pick]] = [result[pick] as T, result[last] as T];
  }
  return result;
}

/** A word that a model copies without error: one letter a byte, consonant and vowel in turn. */
function syllables(bytes: Uint8Array): string {
  return Array.from(bytes, (byte, at) => {
    const letters = at % 2 === 0 ? CONSONANTS : VOWELS;
    return letters[byte % letters.length];
  }).join("");
}
