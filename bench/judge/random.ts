import { createHash } from "node:crypto";

/** A number of at least 0 and below 1, at each call. */
export type Random = () => number;

/**
 * Random bytes that are the same for the same seed, on every machine: SHA-256 over seed and a
 * counter. Predictable by design, so only for what is measured, never for what is judged in earnest.
 */
export function seededBytes(seed: string): (count: number) => Buffer {
  let block = Buffer.alloc(0);
  let counter = 0;
  return (count) => {
    while (block.length < count) {
      const next = createHash("sha256").update(`${seed}\n${counter++}`).digest();
      block = Buffer.concat([block, next]);
    }
    const taken = Buffer.from(block.subarray(0, count));
    block = block.subarray(count);
    return taken;
  };
}

/** Numbers with 32 random bits, the same for the same seed: xorshift128 (Marsaglia, 2003). */
export function seededRandom(seed: string): Random {
  const start = seededBytes(seed)(16);
  let [x, y, z, w] = [0, 4, 8, 12].map((at) => start.readInt32BE(at)) as Four;
  return () => {
    const t = x ^ (x << 11);
    [x, y, z] = [y, z, w];
    w = w ^ (w >>> 19) ^ t ^ (t >>> 8);
    return (w >>> 0) / 2 ** 32;
  };
}

type Four = [number, number, number, number];
