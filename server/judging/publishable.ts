import { inWorker } from "@/server/lib/worker-pool";
import type { Finding } from "./judge";
import type { showFindings } from "./panel/show-findings";

const showInWorker = inWorker<Parameters<typeof showFindings>, Finding[]>(
  "server/judging/panel/show-findings.ts",
  "showFindings",
);

/**
 * Findings with what of their words everybody may read. Decided once, while the texts are at hand: a
 * judgement may be read often. Nothing is shown of what could not be looked through within the limits.
 */
export async function publishable(
  findings: Finding[],
  privateTexts: readonly string[],
): Promise<Finding[]> {
  const shown = await showInWorker(findings, privateTexts);
  if (shown.ok) return shown.value;
  return findings.map((finding) => ({ ...finding, shown: { text: null, note: null } }));
}
