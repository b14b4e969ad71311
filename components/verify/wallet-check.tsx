"use client";

import { useEffect, useRef, useState } from "react";
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
  const worker = useRef<Worker | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt starts a new worker.
  useEffect(() => {
    setReport(null);
    const started = new Worker(new URL("./verifier.worker.ts", import.meta.url), {
      type: "module",
    });
    worker.current = started;
    started.onmessage = ({ data }: MessageEvent<VerifierReport>) => setReport(data);
    started.onerror = () => setReport({ type: "error", message: "The verifier failed to load." });
    const request: VerifierRequest = { wallet, registry, chainId, node, origin: location.origin };
    started.postMessage(request);
    return () => started.terminate();
  }, [wallet, registry, chainId, node, attempt]);

  function cancel() {
    worker.current?.terminate();
    setReport({ type: "cancelled" });
  }

  const isRunning = report === null || report.type === "progress";
  return (
    // As high as the usual result, so that nothing below moves when it arrives.
    <div aria-busy={isRunning} className="flex min-h-72 flex-col sm:min-h-53">
      <div className="flex-1">
        {(report === null || report.type === "progress") && <CheckProgress progress={report} />}
        {report?.type === "result" && <CheckResult {...report.verification} />}
        {report?.type === "cancelled" && (
          <p role="status" className="text-muted">
            Cancelled. Nothing was compared.
          </p>
        )}
        {report?.type === "error" && (
          <Notice role="alert" title="The check could not be completed">
            {report.message}
          </Notice>
        )}
      </div>
      <p className="needs-script mt-5">
        {/* One button, so that it keeps the focus. */}
        <Button small onClick={isRunning ? cancel : () => setAttempt(attempt + 1)}>
          {isRunning ? "Cancel" : "Check again"}
        </Button>
      </p>
    </div>
  );
}
