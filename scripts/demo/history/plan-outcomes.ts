import type { Random } from "@/scripts/lib/random";
import { DAY_SECONDS } from "@/server/lib/time";
import { createJob } from "./jobs";
import type { PlannedAgent, PlannedOutcome, Role } from "./planned-events";

/** Days before the end at which the exit scam begins. */
const SCAM_DAYS = 19;
/**
 * Days before the end without a failure of an agent with few jobs, whose score one could lower by
 * ten points.
 */
const CALM_DAYS = 36;
const FEW_JOBS = 75;
/** Roles whose clients are known by their payments, however few jobs there are. */
const ALWAYS_PAID: readonly Role[] = [
  "hirer",
  "customer",
  "ring",
  "fresh",
  "single-client",
  "unverified",
];

interface Job {
  agent: PlannedAgent;
  requester: PlannedAgent;
  at: number;
  id: string;
  /** Whether it is the agent's newest job. */
  isLast: boolean;
  now: number;
}

/** Returns an outcome of an agent. The newest one of an honest agent is always a success. */
export function planOutcome(
  random: Random,
  { agent, requester, at, id, isLast, now }: Job,
): PlannedOutcome {
  const isScam = agent.role === "scam" && at > now - SCAM_DAYS * DAY_SECONDS;
  const isHonestEnd = isLast && !isScam;
  const isCalm = agent.jobs < FEW_JOBS && at > now - CALM_DAYS * DAY_SECONDS;
  const isGood = random.chance(agent.skill) || isHonestEnd || isCalm;
  const verdict = isGood && !isScam ? "SUCCESS" : "FAILURE";
  const category = random.pick(agent.categories);
  const job = createJob(random, category, verdict);
  const valueMicro = isScam ? job.valueMicro * 4 : job.valueMicro;
  const isPaid = random.chance(0.82) || isScam || isHonestEnd || ALWAYS_PAID.includes(agent.role);
  const confidence = random.chance(0.8) ? random.between(0.94, 0.995) : random.between(0.72, 0.94);
  const isByRequester = random.chance(0.14) || isScam;
  const submitter = isByRequester ? requester : agent;
  return {
    type: "outcome",
    id,
    at,
    submittedAt: at - random.integer(6, 40),
    contractor: agent.wallet,
    requester: requester.wallet,
    category,
    task: job.task,
    deliverable: isScam ? "" : job.deliverable,
    reasoning: isScam
      ? "Simulated verdict; no judge was used. The deliverable is empty."
      : job.reasoning,
    valueMicro,
    paidMicro: isPaid ? valueMicro : 0,
    submittedBy: isByRequester ? "requester" : "contractor",
    proven: submitter.isWalletVerified,
    verdict,
    confPpm: isScam ? 1_000_000 : Math.round(confidence * 1_000_000),
  };
}
