import { z } from "zod";
import shipped from "./sets/manifest.json";

/**
 * The labelled sets of this folder by name. `guiding` ones were looked at while checks and prompts were
 * written; `blind` ones were written by people who never saw these. What a judge achieves on a blind
 * set when it first meets it says how it does on work of others.
 */
export const MANIFEST = z
  .strictObject({ guiding: z.array(z.string()), blind: z.array(z.string()) })
  .parse(shipped);
