import { inWorker } from "@/server/lib/worker-pool";
import type { Finding } from "./judge";
import type { showFindings } from "./panel/show-findings";

const showInWorker = inWorker<Parameters<typeof showFindings>, Finding[]>(
  "server/judging/panel/show-findings.ts",
  "showFindings",
);

/**
 * Adds to the findings the words that may be public. Runs once, while the texts are available,
 * because judgements are read often. Shows no words if the texts cannot be searched within the
 * limits.
 */
export async function publishable(
  findings: Finding[],
  privateTexts: readonly string[],
): Promise<Finding[]> {
  const shown = await showInWorker(findings, privateTexts);
  if (shown.ok) return shown.value;
  return findings.map((finding) => ({ ...finding, shown: { text: null, note: null } }));
}
