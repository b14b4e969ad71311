import type { Facts } from "./facts";
import type { Call } from "./history";
import { indexed } from "./invariant";

/** An answer's fields; nothing where it was no JSON. */
export function fieldsOf(call: Call): Record<string, unknown> {
  try {
    return JSON.parse(call.answer) as Record<string, unknown>;
  } catch {
    return {};
  }
}

export const isSubmission = ({ method, path }: Call) => method === "POST" && path === "/outcome";
export const isOpening = ({ method, path }: Call) => method === "POST" && path === "/disputes";

/** Of a path that returns an outcome's payment: the outcome's id. */
export const refundedBy = ({ method, path }: Call) =>
  method === "POST" ? (/^\/outcome\/([^/]+)\/refund$/.exec(path)?.[1] ?? null) : null;

/** Marks who asks with a key that a takeover ended. */
export const LOST_KEY = " with a lost key";
export const isWithLostKey = ({ actor }: Call) => actor.endsWith(LOST_KEY);

/** The reads of one path that were answered, in the order in which they were asked. */
export function readsOf({ calls }: Facts, path: string): Call[] {
  return indexed(
    calls,
    "reads",
    (call) => `${call.method} ${call.path}`,
  )(`GET ${path}`).filter(({ status }) => status === 200);
}

/**
 * The first pair of reads of which the later one, asked after the earlier was answered, does not say
 * the same of the fields that can never change once they are there; null where there is none.
 */
export function changedMind(reads: Call[], fields: string[]): string | null {
  const said = reads.map((call) => ({ call, is: fieldsOf(call) }));
  const first = said
    .filter(({ is }) => is.status === "RESOLVED")
    .toSorted((a, b) => endOf(a.call) - endOf(b.call))[0];
  if (!first) return null;
  for (const later of said) {
    if (later.call.at < endOf(first.call)) continue;
    const field = ["status", ...fields].find((name) => later.is[name] !== first.is[name]);
    if (field) return `${field} was ${first.is[field]} and then ${later.is[field]}`;
  }
  return null;
}

const endOf = ({ at, ms }: Call) => at + ms;
