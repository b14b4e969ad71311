/** A body's part of the room. */
export interface BodyShare {
  /** Whether a body that has come to `bytes` may be kept on. */
  grow(bytes: number): boolean;
  /** Gives back what it has, however often. */
  close(): void;
}

/** Fits nearly every honest request. */
const FREE_BYTES = 16_384;

/**
 * Room in memory for the bodies of requests that are not answered yet. What goes past the first
 * 16 KiB of each is taken from `limit` bytes that all share: however many clients send large
 * bodies, and however slowly, memory stays bounded, and who sends a small one is served meanwhile.
 */
export function createBodyRoom(limit: number): { open(): BodyShare } {
  let taken = 0;
  return {
    open() {
      let own = 0;
      return {
        grow(bytes) {
          const more = Math.max(bytes - FREE_BYTES, 0) - own;
          if (more > 0 && taken + more > limit) return false;
          own += more;
          taken += more;
          return true;
        },
        close() {
          taken -= own;
          own = 0;
        },
      };
    },
  };
}

/** Of this process: 64 bodies of the largest size at once. */
export const bodyRoom = createBodyRoom(64 * 1_048_576);
