/** A job that its requester owes money for. */
export interface OwedJob {
  /** Of its agreement. */
  digest: string;
  valueMicro: bigint;
  /** Unix seconds; a transfer before that does not settle it. */
  proposedAt: number;
}

export interface TimedTransfer {
  amountMicro: bigint;
  /** Unix seconds of its block. */
  at: number;
  /** Of the agreement that the payer's authorization names: it settles no other job. */
  digest?: string;
}

/**
 * Returns the transfer that settles each job of one requester for one contractor, or null. A transfer
 * settles one job, and the oldest jobs first: a job gets none only if older jobs need all that could
 * settle it. So another transfer never takes the settlement of a job away.
 * @param jobs Oldest first.
 */
export function matchPayments<T extends TimedTransfer>(
  jobs: readonly OwedJob[],
  transfers: readonly T[],
): (T | null)[] {
  const jobOf = new Map<T, OwedJob>();
  // An augmenting path: a transfer that settles an older job is free if another one can settle that.
  const settle = (job: OwedJob, tried: Set<T>): boolean =>
    transfers.some((transfer) => {
      if (tried.has(transfer) || !canSettle(transfer, job)) return false;
      tried.add(transfer);
      const older = jobOf.get(transfer);
      if (older && !settle(older, tried)) return false;
      jobOf.set(transfer, job);
      return true;
    });
  for (const job of jobs) settle(job, new Set());
  const transferOf = new Map([...jobOf].map(([transfer, job]) => [job, transfer]));
  return jobs.map((job) => transferOf.get(job) ?? null);
}

const canSettle = ({ amountMicro, at, digest }: TimedTransfer, job: OwedJob) =>
  amountMicro >= job.valueMicro && at >= job.proposedAt && (digest ?? job.digest) === job.digest;
