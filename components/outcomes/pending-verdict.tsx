"use client";

import { useCallback, useEffect, useState } from "react";
import { DURING_OUTAGE } from "@/components/judging/judge-abilities";
import { queryProcedure } from "@/components/query-procedure";
import { formatDateTime } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { usePolling } from "@/components/ui/use-polling";
import { useRefresh } from "@/components/ui/use-refresh";
import type { JudgeInService } from "@/server/judging/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";

/** Most verdicts are recorded within this time. */
const TYPICAL_MS = 30_000;
const LATE_AFTER_MS = 60_000;
const POLL_MS = 2_000;
const POLL_JUDGE_MS = 10_000;
const fetchJudge = (signal: AbortSignal) => queryProcedure("judge.get", undefined, signal);

interface Props {
  outcome: Pick<PublicOutcome, "outcomeId" | "status" | "submittedAt">;
  /** Judge at render time. */
  judge: JudgeInService;
  /** Milliseconds from submission to render. */
  waitedMs: number;
}

/** Polls every two seconds and refreshes the page once the outcome has another status. */
export function PendingVerdict({ outcome, judge, waitedMs }: Props) {
  const { outcomeId, status, submittedAt } = outcome;
  const fetchStatus = useCallback(
    async (signal: AbortSignal) =>
      (await queryProcedure("outcomes.get", { outcomeId }, signal)).status,
    [outcomeId],
  );
  const isCurrent = useRefresh(fetchStatus, status, POLL_MS);
  const { data: now = judge } = usePolling(fetchJudge, POLL_JUDGE_MS);
  const elapsedMs = useElapsed(waitedMs);
  if (!isCurrent) {
    return (
      <p role="status" className="text-muted">
        The service is not responding. This page keeps trying.
      </p>
    );
  }
  if (now.status === "unavailable") {
    return (
      <Notice
        role="status"
        title={`The judge has been unavailable${now.since ? ` since ${formatDateTime(now.since)}` : ""}`}
      >
        {now.reason} Nothing is lost. Judging is retried until there is a verdict. {DURING_OUTAGE}{" "}
        This page updates automatically.
      </Notice>
    );
  }
  const isLate = elapsedMs >= LATE_AFTER_MS;
  return (
    <div className="grid gap-4">
      {!isLate && <Progress elapsedMs={elapsedMs} />}
      <p role="status" className="text-muted">
        {isLate
          ? `Submitted ${formatDateTime(submittedAt)}; this is taking longer than usual. Nothing is lost: judging and recording are retried. This page updates automatically.`
          : "Most verdicts are on chain within 30 seconds. This page updates automatically."}
      </p>
    </div>
  );
}

/** Shows the elapsed seconds as part of the typical time. */
function Progress({ elapsedMs }: { elapsedMs: number }) {
  const seconds = Math.floor(elapsedMs / 1_000);
  return (
    <div role="timer" className="flex items-center gap-4">
      <div className="h-2 flex-1 overflow-hidden rounded-full bg-sunken" aria-hidden="true">
        <div
          className="h-full rounded-full bg-ink transition-[width] duration-1000 ease-linear"
          style={{ width: `${Math.min(0.95, elapsedMs / TYPICAL_MS) * 100}%` }}
        />
      </div>
      <span className="w-12 text-right text-sm">{seconds} s</span>
    </div>
  );
}

/** Returns the milliseconds since the submission, updated by the second. */
function useElapsed(waitedMs: number): number {
  const [elapsed, setElapsed] = useState(waitedMs);
  useEffect(() => {
    const start = performance.now() - waitedMs;
    const timer = setInterval(() => setElapsed(performance.now() - start), 1_000);
    return () => clearInterval(timer);
  }, [waitedMs]);
  return elapsed;
}
