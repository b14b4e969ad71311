import type { Facts } from "./facts";

/** A case in which an invariant does not hold. */
export interface Violation {
  /** Id of the outcome, dispute, delivery or payment whose history is printed. */
  id: string;
  /** The violation, in one line. */
  what: string;
}

/** A promise that can be checked from the facts alone. */
export interface Invariant {
  name: string;
  /** The promise, for people. */
  promise: string;
  /** Returns the violations, and how many items were checked. */
  check(facts: Facts): { checked: number; violations: Violation[] };
}

/** Returns an invariant that checks each item and describes its violation, if any. */
export function ofEach<T>(
  name: string,
  promise: string,
  things: (facts: Facts) => T[],
  wrong: (thing: T, facts: Facts) => Violation | Violation[] | null | false | undefined,
): Invariant {
  return {
    name,
    promise,
    check(facts) {
      const all = things(facts);
      const violations = all.flatMap((thing) => wrong(thing, facts) || []);
      return { checked: all.length, violations };
    },
  };
}

export function groupBy<T>(things: T[], keyOf: (thing: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const thing of things) {
    const key = keyOf(thing);
    const group = groups.get(key);
    if (group) group.push(thing);
    else groups.set(key, [thing]);
  }
  return groups;
}

const indexes = new WeakMap<object, Map<string, Map<string, unknown[]>>>();

/** Groups like `groupBy`, cached per array and name: facts do not change during the check. */
export function indexed<T extends object>(
  things: T[],
  name: string,
  keyOf: (thing: T) => string,
): (key: string) => T[] {
  const known = indexes.get(things) ?? new Map<string, Map<string, unknown[]>>();
  indexes.set(things, known);
  const groups = (known.get(name) as Map<string, T[]> | undefined) ?? groupBy(things, keyOf);
  known.set(name, groups);
  return (key) => groups.get(key) ?? [];
}
