"use client";

import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { CheckProgress } from "./check-progress";
import { CheckResult } from "./check-result";
import type { VerifierReport, VerifierRequest } from "./verifier-messages";

type Props = Omit<VerifierRequest, "origin">;

/** Verifies a wallet in a worker as soon as it is shown, and shows the progress and the result. */
export function WalletCheck({ wallet, registry, chainId, node }: Props) {
  const [report, setReport] = useState<VerifierReport | null>(null);
  const [attempt, setAttempt] = useState(1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt starts a new worker.
  useEffect(() => {
    setReport(null);
    const worker = new Worker(new URL("./verifier.worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<VerifierReport>) => setReport(data);
    worker.onerror = () => setReport({ type: "error", message: "The verifier failed to load." });
    const request: VerifierRequest = { wallet, registry, chainId, node, origin: location.origin };
    worker.postMessage(request);
    return () => worker.terminate();
  }, [wallet, registry, chainId, node, attempt]);
  const isDone = report?.type === "result" || report?.type === "error";
  return (
    // As high as the usual result, so that nothing below moves when it arrives.
    <div aria-busy={!isDone} className="min-h-70 sm:min-h-60">
      {(report === null || report.type === "progress") && <CheckProgress progress={report} />}
      {report?.type === "result" && <CheckResult {...report.verification} />}
      {report?.type === "error" && (
        <Notice role="alert" title="The check could not be completed">
          {report.message}
        </Notice>
      )}
      {isDone && (
        <p className="mt-5">
          <Button small onClick={() => setAttempt(attempt + 1)}>
            Check again
          </Button>
        </p>
      )}
    </div>
  );
}
