import type { PlacedRecord } from "@/server/chain/decode";

/** Something that the service says and the ledger does not, or the other way round. */
export interface Difference {
  /** `score of 0x…`, `outcome …`. */
  subject: string;
  /** The field of the service's answer; empty where the whole subject is missing on one side. */
  field: string;
  /** By the service. */
  told: unknown;
  /** In the ledger, or computed from it. */
  found: unknown;
  /** What the ledger's side rests on. */
  records: PlacedRecord[];
}

/** The fields of `told` that are not as `found`, compared as JSON. */
export function fieldsThatDiffer(
  subject: string,
  told: object,
  found: object,
  records: PlacedRecord[],
): Difference[] {
  const said = told as Record<string, unknown>;
  return Object.entries(found).flatMap(([field, value]) =>
    same(said[field], value) ? [] : [{ subject, field, told: said[field], found: value, records }],
  );
}

function same(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  ) ?? "undefined";
