import { inWorker } from "@/server/lib/worker-pool";
import { type ParsedJson, parseJson } from "./parse-json";

/** A body of this size is parsed in 3 ms; the largest that are allowed take ten times as long. */
const INLINE_BYTES = 100_000;

const parseInWorker = inWorker<[Uint8Array], ParsedJson>("server/rest/parse-json.ts", "parseJson", {
  lane: "quick",
});

/** `parseJson`, for large bodies in a worker thread. `too-slow`: the body went over its limits. */
export async function parseBody(
  bytes: Uint8Array,
): Promise<ParsedJson | { fault: "too-slow"; path?: never }> {
  if (bytes.length <= INLINE_BYTES) return parseJson(bytes);
  const parsed = await parseInWorker(bytes);
  return parsed.ok ? parsed.value : { fault: "too-slow" };
}
