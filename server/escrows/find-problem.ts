import { type Address, zeroAddress } from "viem";
import type { Terms } from "@/server/agreements/schema";
import type { ChainInfo } from "@/server/lib/context";
import { DAY_MS, HOUR_MS } from "@/server/lib/time";
import type { Job } from "./contract";
import { DESCRIPTION_PREFIX, EXPIRES_AFTER_MS } from "./limits";

const NAMED_TERMS = new RegExp(`${DESCRIPTION_PREFIX}(0x[0-9a-f]{64})(?![0-9a-f])`, "i");

/** Returns the hash of the terms that a description names; null without one. */
export const parseTermsHash = (description: string): string | null =>
  NAMED_TERMS.exec(description)?.[1]?.toLowerCase() ?? null;

/** The agreement that a job names. */
export interface JobAgreement {
  requester: string;
  contractor: string;
  valueMicro: bigint;
  deliverBy: Date;
  terms: Pick<Terms, "payment">;
}

/** Only `complete` pays the evaluator its fee, so a job is rejected whatever the fee is. */
export const FEE_PROBLEM =
  "The escrow pays its evaluator for completing a job; only jobs without that fee are completed.";

interface Circumstances {
  chain: Pick<ChainInfo, "usdcAddress" | "name">;
  /** Null if the description names none that exists. */
  agreement: JobAgreement | null;
  /** Whether another job has the agreement. */
  isTaken: boolean;
}

/**
 * Returns why the service will not decide a funded job, as a sentence for both parties, or null. The
 * sentences quote no terms, since anyone can name an agreement of others.
 */
export function findProblem(job: Job, { chain, agreement, isTaken }: Circumstances): string | null {
  if (parseTermsHash(job.description) === null) {
    return `The job's description does not contain ${DESCRIPTION_PREFIX} and the hash of signed terms.`;
  }
  if (!agreement) return "No agreement has the hash of terms that the job's description names.";
  if (job.client !== agreement.requester) {
    return "The job's client is not the requester of the agreement.";
  }
  if (job.provider !== agreement.contractor) {
    return "The job's provider is not the contractor of the agreement.";
  }
  if (agreement.terms.payment !== "escrow") {
    return `The terms are paid ${agreement.terms.payment}, and only terms with the payment escrow have a job.`;
  }
  if (job.hook !== zeroAddress) return "The job has a hook, and only jobs without one are decided.";
  const lastsMs = job.expiresAt.getTime() - agreement.deliverBy.getTime();
  const { min, max } = EXPIRES_AFTER_MS;
  if (lastsMs < min || lastsMs > max) {
    return `The job expires too ${lastsMs < min ? "early" : "late"}: it must expire ${min / HOUR_MS} hours to ${max / DAY_MS} days after the agreement's deadline.`;
  }
  if (job.paymentToken !== chain.usdcAddress) {
    return `The job is not paid in the USDC of ${chain.name}.`;
  }
  if (job.budget !== agreement.valueMicro) return "The job's budget is not the agreed value.";
  return isTaken ? "Another job holds the payment of this agreement." : null;
}

/** Returns the job that the parties would create with these terms. */
export const buildJob = (
  evaluator: Address,
  usdcAddress: Address,
  { termsHash, requester, contractor, valueMicro, expiresAt }: PlannedJob,
): Job => ({
  client: requester as Address,
  provider: contractor as Address,
  evaluator,
  description: `${DESCRIPTION_PREFIX}${termsHash}`,
  budget: valueMicro,
  paymentToken: usdcAddress,
  hook: zeroAddress,
  expiresAt,
  status: "funded",
});

interface PlannedJob extends Pick<JobAgreement, "requester" | "contractor" | "valueMicro"> {
  termsHash: string;
  expiresAt: Date;
}
