import type { Facts, RecordFact } from "./facts";
import { indexed } from "./invariant";

/** Returns the records of a kind about one outcome, wallet or anchor. */
export const recordsAbout = ({ chain }: Facts, kind: RecordFact["kind"], about: unknown) =>
  indexed(chain.records, "about", (record) => `${record.kind} ${record.about}`)(`${kind} ${about}`);
