import { z } from "zod";
import shipped from "./sets/manifest.json";

/**
 * The labelled sets of this folder by name. `guiding` ones were looked at while checks and prompts were
 * written; `blind` ones, oldest first, were written by people who never saw these. What a judge achieves on a
 * blind set when it first meets it says how it does on work of others. `firstUnseen` names, for a check that
 * earlier blind sets have improved since, the first set that it met afterwards.
 */
export const MANIFEST = z
  .strictObject({
    guiding: z.array(z.string()),
    blind: z.array(z.string()),
    firstUnseen: z.record(z.string(), z.string()),
  })
  .parse(shipped);

/** Returns whether a set did not guide a check, so that its results count in a fit. */
export function isUnseen(check: string, set: string): boolean {
  const first = MANIFEST.firstUnseen[check];
  const index = MANIFEST.blind.indexOf(set);
  return first === undefined || index === -1 || index >= MANIFEST.blind.indexOf(first);
}
