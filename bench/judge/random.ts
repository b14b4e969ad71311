import { createHash } from "node:crypto";

/** Returns a number of at least 0 and below 1. */
export type Random = () => number;

/**
 * Returns a generator of random bytes, deterministic per seed on every machine: SHA-256 over seed
 * and a counter. Predictable by design, so only for measurements, never for real judgements.
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

/**
 * Returns a deterministic generator with 32 random bits per number: xorshift128 (Marsaglia, 2003).
 */
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
