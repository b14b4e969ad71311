"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useState } from "react";
import { queryProcedure } from "@/components/query-procedure";
import { formatDateTime } from "@/components/ui/format";
import { usePolling } from "@/components/ui/use-polling";
import type { JudgeInService } from "@/server/judging/schema";

/** Most verdicts are recorded within half a minute. */
const LATE_AFTER_MS = 60_000;
const POLL_MS = 2_000;
const POLL_JUDGE_MS = 10_000;
const fetchJudge = (signal: AbortSignal) => queryProcedure("judge.get", undefined, signal);

interface Props {
  outcomeId: string;
  submittedAt: string;
  /** As it was when the page was made. */
  judge: JudgeInService;
  /** Milliseconds since the submission, when the page was made. */
  waitedMs: number;
}

/** Asks every two seconds and shows the page anew once the verdict is recorded. */
export function WaitForVerdict({ outcomeId, submittedAt, judge, waitedMs }: Props) {
  const router = useRouter();
  const fetchOutcome = useCallback(
    (signal: AbortSignal) => queryProcedure("outcomes.get", { outcomeId }, signal),
    [outcomeId],
  );
  const outcome = usePolling(fetchOutcome, POLL_MS);
  const { data: now = judge } = usePolling(fetchJudge, POLL_JUDGE_MS);
  const late = useLate(waitedMs);
  const resolved = outcome.data?.status === "RESOLVED";
  useEffect(() => {
    if (resolved) router.refresh();
  }, [resolved, router]);
  if (outcome.isError) {
    return (
      <p role="status" className="text-muted">
        The service does not answer right now. This page goes on asking.
      </p>
    );
  }
  if (now.status === "unavailable") {
    return (
      <div role="status" className="grid gap-2 rounded-md bg-notice px-4 py-3 text-notice-ink">
        <p className="font-medium">
          The judge has not been able to decide{now.since && ` since ${formatDateTime(now.since)}`}.{" "}
          {now.reason}
        </p>
        <p className="text-sm">
          Nothing is lost. This outcome is tried again by itself until there is a verdict, and no
          other judge steps in. This page shows the verdict as soon as it is there.
        </p>
      </div>
    );
  }
  return (
    <p role="status" className="text-muted">
      {late
        ? `This takes longer than usual: it was submitted on ${formatDateTime(submittedAt)}. Nothing is lost. Judging and recording are tried again by themselves until the verdict stands on chain, and this page shows it as soon as it is there.`
        : "The judge is at work; most verdicts are recorded on chain within half a minute. This page shows it as soon as it is there."}
    </p>
  );
}

function useLate(waitedMs: number): boolean {
  const [late, setLate] = useState(waitedMs >= LATE_AFTER_MS);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_AFTER_MS - waitedMs);
    return () => clearTimeout(timer);
  }, [waitedMs]);
  return late;
}
