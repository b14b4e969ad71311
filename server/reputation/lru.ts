/** The place of a value that is about to be read. */
export interface Reservation<V> {
  readonly key: string;
  value?: V;
  until: number;
}

export interface Lru<V> {
  /** The value kept for `key`, if it is young enough; undefined otherwise. */
  get(key: string): V | undefined;
  /**
   * Announces that the value of `key` is about to be read. `keep` then takes what was read, unless
   * the key was dropped meanwhile or another read of it began: then it may be stale.
   */
  reserve(key: string): Reservation<V>;
  keep(reservation: Reservation<V>, value: V): void;
  drop(key: string): void;
  clear(): void;
}

/** Keeps at most `max` values for `ttlMs` each; who was asked for longest ago goes first. */
export function createLru<V>({
  max,
  ttlMs,
  clock,
}: {
  max: number;
  ttlMs: number;
  clock: () => number;
}): Lru<V> {
  // A Map remembers the order in which keys were put in.
  const slots = new Map<string, Reservation<V>>();
  // Kept for good: a new iterator walks over the holes of all that was deleted at the head.
  const oldestFirst = slots.keys();

  function put(slot: Reservation<V>): void {
    slots.delete(slot.key);
    slots.set(slot.key, slot);
    if (slots.size <= max) return;
    const oldest = oldestFirst.next();
    if (!oldest.done) slots.delete(oldest.value);
  }

  return {
    get(key) {
      const slot = slots.get(key);
      if (!slot || slot.until <= clock()) return undefined;
      put(slot);
      return slot.value;
    },
    reserve(key) {
      const slot: Reservation<V> = { key, value: undefined as V, until: 0 };
      put(slot);
      return slot;
    },
    keep(slot, value) {
      if (slots.get(slot.key) !== slot) return;
      slot.value = value;
      slot.until = clock() + ttlMs;
    },
    drop: (key) => void slots.delete(key),
    clear: () => slots.clear(),
  };
}
