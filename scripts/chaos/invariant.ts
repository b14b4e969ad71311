import type { Facts, RecordFact } from "./facts";
import type { Call } from "./history";

/** A case in which an invariant does not hold. */
export interface Violation {
  /** Id of the outcome, dispute, delivery or payment; related requests are printed with it. */
  id: string;
  /** In one line. */
  description: string;
}

/** A promise that can be checked from the facts alone. */
export interface Invariant {
  name: string;
  /** The promise in words. */
  promise: string;
  /** Returns the violations and the number of checked items. */
  check(facts: Facts): { checked: number; violations: Violation[] };
}

/** Returns an invariant of every item. `findViolation` describes a violation, if there is one. */
export function defineInvariant<T>(
  name: string,
  promise: string,
  getItems: (facts: Facts) => T[],
  getId: (item: T) => string,
  findViolation: (item: T, facts: Facts) => string | null | false | undefined,
): Invariant {
  return {
    name,
    promise,
    check(facts) {
      const items = getItems(facts);
      const violations = items.flatMap((item) => {
        const description = findViolation(item, facts);
        return description ? [{ id: getId(item), description }] : [];
      });
      return { checked: items.length, violations };
    },
  };
}

const indexes = new WeakMap<object, Map<string, Map<string, unknown[]>>>();

/**
 * Returns the items with these values in these fields. Indexes each array once per set of fields,
 * since facts do not change during the check.
 */
export function findBy<T extends object>(items: T[], fields: Partial<T>): T[] {
  const names = Object.keys(fields) as (keyof T)[];
  const getKey = (item: Partial<T>) => names.map((name) => String(item[name])).join("\n");
  const itemIndexes = indexes.get(items) ?? new Map<string, Map<string, unknown[]>>();
  indexes.set(items, itemIndexes);
  const index = itemIndexes.get(names.join(" ")) ?? Map.groupBy(items, getKey);
  itemIndexes.set(names.join(" "), index);
  return (index.get(getKey(fields)) ?? []) as T[];
}

/** Returns the records of a type about one outcome, wallet or anchor. */
export function findRecords<T extends RecordFact["type"]>(
  { chain }: Facts,
  type: T,
  subject: string,
) {
  const records: Pick<RecordFact, "type" | "subject">[] = chain.records;
  return findBy(records, { type, subject }) as Extract<RecordFact, { type: T }>[];
}

/** Returns the fields of a response; none if it is not JSON. */
export function getFields({ response }: Call): Record<string, unknown> {
  try {
    return JSON.parse(response) as Record<string, unknown>;
  } catch {
    return {};
  }
}

export const isSubmission = ({ method, path }: Call) => method === "POST" && path === "/outcome";

/** Suffix of an actor that uses a key revoked by a takeover. */
export const REVOKED_KEY = " with a revoked key";

/**
 * Compares the first resolved read of `path` with the reads sent after it completed. Describes the
 * first of `status` and `fields` that changed, or returns null if none did.
 */
export function describeChange({ calls }: Facts, path: string, fields: string[]): string | null {
  const reads = findBy(calls, { method: "GET", path, status: 200 }).map((call) => ({
    at: call.at,
    end: call.at + call.ms,
    body: getFields(call),
  }));
  const [first] = reads
    .filter(({ body }) => body.status === "RESOLVED")
    .toSorted((a, b) => a.end - b.end);
  for (const { at, body } of reads) {
    if (!first || at < first.end) continue;
    const field = ["status", ...fields].find((name) => body[name] !== first.body[name]);
    if (field) return `${field} was ${first.body[field]} and then ${body[field]}`;
  }
  return null;
}
