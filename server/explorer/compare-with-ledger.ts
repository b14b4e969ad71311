import canonicalize from "canonicalize";
import { sha256, stringToBytes } from "viem";
import type { PlacedRecord } from "@/server/chain/registry/decode-records";
import { type Dispute, toFinalVerdict } from "@/server/disputes/schema";
import { DAY_SECONDS } from "@/server/lib/time";
import { fromMicro, toMicro } from "@/server/lib/usdc";
import type { PublicOutcome } from "@/server/outcomes/schema";
import type { Reputation } from "@/server/reputation/schema";
import type { GroupedLedger } from "@/server/reputation/score/group-ledger";
import { collectFacts, type LedgerFacts } from "@/server/reputation/score/ledger-facts";
import { computeLimit, toLimitRow } from "@/server/reputation/score/limit";
import { formatUtcDay, toRate, toScoreRecord } from "@/server/reputation/score/public-reputation";
import { computeScore, weighOutcomes } from "@/server/reputation/score/score";
import { computeCountsFrom, isDecided, toUtcDay } from "@/server/reputation/score/weigh-outcome";
import type { AgentCheck } from "./risk/schema";

/** A difference between the service and the ledger. */
export interface Difference {
  /** `score of 0x…`, `outcome …`. */
  subject: string;
  /** The field of the response; empty if the whole subject is missing on one side. */
  field: string;
  /** The value that the service shows. */
  shown: unknown;
  /** The value in the ledger, or computed from it. */
  expected: unknown;
  /** The ledger records that `expected` is based on. */
  records: PlacedRecord[];
}

/**
 * Compares a wallet's score as the service shows it, as `subject`, with the score computed from the
 * ledger for the same UTC day. That day must be within one day of `now`, because clocks differ and
 * scores are refreshed after midnight. Otherwise a service could keep showing an old, better score.
 */
export function compareScore(
  subject: string,
  wallet: string,
  shown: Reputation | undefined,
  ledger: GroupedLedger,
  now: Date,
): Difference[] {
  const records = ledger.getRecordsFor(wallet);
  if (!shown) return [missing(subject, "nothing", "a score", records)];
  const scoredAt = Date.parse(shown.scoreDay) / 1000;
  const daysOff = scoredAt / DAY_SECONDS - toUtcDay(now.getTime() / 1000);
  if (!Number.isInteger(daysOff) || Math.abs(daysOff) > 1) {
    return compareFields(subject, shown, { scoreDay: formatUtcDay(now) }, records);
  }
  const log = records.map(({ record }) => record);
  const score = computeScore(log, wallet, scoredAt);
  const { scoreE4, breakdown, ...expected } = toScoreRecord(score);
  const assessedSuccessRate = toRate(score.assessedSuccessRateE4);
  return compareFields(subject, shown, { ...expected, assessedSuccessRate }, records);
}

/**
 * Compares A, P and the clients of a limit with the ledger on the UTC day of the shown score. X is the
 * service's word: agreements are not on chain. A check without a score is a difference of `compareScore`.
 */
export function compareLimit(
  wallet: string,
  { limit, reputation }: Partial<Pick<AgentCheck, "limit" | "reputation">>,
  ledger: GroupedLedger,
): Difference[] {
  if (!reputation) return [];
  const records = ledger.getRecordsFor(wallet);
  if (!limit) return [missing(`limit of ${wallet}`, "nothing", "a limit", records)];
  const log = records.map(({ record }) => record);
  const scoredAt = Date.parse(reputation.scoreDay) / 1000;
  const { earned, lost, clients } = computeLimit(
    weighOutcomes(log, wallet, scoredAt).map((own) => toLimitRow(own.record, own)),
    toUtcDay(scoredAt),
  );
  const left = earned - lost - toMicro(limit.reservedUsdc);
  const expected = {
    earnedUsdc: fromMicro(earned),
    failedUsdc: fromMicro(lost),
    limitUsdc: fromMicro(left > 0n ? left : 0n),
    clients: clients.map((client) => [client.wallet, fromMicro(client.earned)]),
  };
  const shown = limit.clients.map(({ walletAddress, paidUsdc }) => [walletAddress, paidUsdc]);
  return compareFields(`limit of ${wallet}`, { ...limit, clients: shown }, expected, records);
}

/**
 * Compares the outcomes that the service shows for a contractor with their ledger records: every
 * verdict and its fields, and whether either side has an outcome that the other lacks.
 */
export function compareOutcomes(
  wallet: string,
  shown: PublicOutcome[],
  ledger: GroupedLedger,
): Difference[] {
  const shownIds = new Set(shown.map(({ outcomeId }) => outcomeId));
  const own = ledger.getRecordsFor(wallet);
  const facts = collectFacts(own.map(({ record }) => record));
  const hidden = own.flatMap((placed) => {
    const { record } = placed;
    const isHidden =
      record.type === "outcome" && record.contractor === wallet && !shownIds.has(record.id);
    return isHidden ? [missing(`outcome ${record.id}`, "nothing", "a record", [placed])] : [];
  });
  return [...shown.flatMap((outcome) => compareOutcome(outcome, ledger, facts)), ...hidden];
}

function compareOutcome(
  shown: PublicOutcome,
  ledger: GroupedLedger,
  facts: LedgerFacts,
): Difference[] {
  const { outcomeId } = shown;
  const subject = `outcome ${outcomeId}`;
  const placed = ledger.getOutcome(outcomeId);
  if (shown.status !== "RESOLVED") {
    return placed ? [missing(subject, shown.status, "a record", [placed])] : [];
  }
  if (placed?.record.type !== "outcome") {
    return [missing(subject, `${shown.verdict}, recorded in ${shown.onChainTx}`, "no record", [])];
  }
  const disputed = ledger.getDispute(outcomeId);
  const refunded = ledger.getRefund(outcomeId);
  const superseded = ledger.getSuperseded(outcomeId);
  const records = [placed, disputed, refunded, superseded].filter((one) => one !== undefined);
  const { record, place } = placed;
  const countsFrom = computeCountsFrom(record, facts);
  const dispute = facts.getDispute(outcomeId);
  const expected = {
    contractorAgentAddress: record.contractor,
    requesterAgentAddress: record.requester,
    taskCategory: record.category,
    valueUsdc: fromMicro(record.valueMicro),
    paidUsdc: fromMicro(record.paidMicro),
    submittedBy: {
      role: record.submittedBy,
      walletAddress: record[record.submittedBy],
      walletVerified: record.proven,
    },
    agreed: record.agreed,
    verdict: record.verdict,
    llmConfidence: record.confPpm / 1_000_000,
    resolvedAt: toIsoTime(record.resolvedAt),
    evidenceHash: record.evidenceHash,
    onChainTx: place.txHash,
    recordIndex: place.logIndex,
    finalVerdict: dispute ? toFinalVerdict(dispute.verdict) : record.verdict,
    assessed: isDecided(record, dispute),
    countsFrom: countsFrom === null ? undefined : toIsoTime(countsFrom),
  };
  return [
    ...compareFields(subject, shown, expected, records),
    ...(hasLostEvidence(shown)
      ? []
      : compareEvidence(subject, placed, {
          evidence: shown.evidence,
          reasoning: shown.llmJudgeReasoning,
          content: { outcomeId, verdict: record.verdict, confPpm: record.confPpm },
        })),
    ...compareRefund(shown, refunded),
    ...compareSuperseded(shown, superseded),
  ];
}

/** Compares a refund with its record; a refund that is not recorded yet is not compared. */
function compareRefund(
  { outcomeId, refund: shown }: PublicOutcome,
  placed: PlacedRecord | undefined,
): Difference[] {
  const subject = `refund of outcome ${outcomeId}`;
  if (placed?.record.type !== "refund") return compareUnrecorded(subject, shown);
  const { paymentTx, at } = placed.record;
  return compareMark(subject, shown, placed, { txHash: paymentTx, refundedAt: toIsoTime(at) });
}

/** Compares by what an outcome was superseded, as `compareRefund` does. */
function compareSuperseded(
  { outcomeId, superseded: shown }: PublicOutcome,
  placed: PlacedRecord | undefined,
): Difference[] {
  const subject = `superseded outcome ${outcomeId}`;
  if (placed?.record.type !== "superseded") return compareUnrecorded(subject, shown);
  return compareMark(subject, shown, placed, { by: placed.record.by });
}

const compareUnrecorded = (subject: string, shown: { status: string } | undefined) =>
  shown?.status === "recorded" ? [missing(subject, JSON.stringify(shown), "no record", [])] : [];

function compareMark(subject: string, shown: object = {}, placed: PlacedRecord, fields: object) {
  const { txHash: onChainTx, logIndex: recordIndex } = placed.place;
  const expected = { status: "recorded", ...fields, onChainTx, recordIndex };
  return compareFields(subject, shown, expected, [placed]);
}

/**
 * Compares the dispute of an outcome, as the service shows it, with its record.
 * @param shown Undefined if the service shows none.
 */
export function compareDispute(
  { outcomeId, rebuilt }: PublicOutcome,
  shown: Dispute | undefined,
  ledger: GroupedLedger,
): Difference[] {
  const subject = `dispute of outcome ${outcomeId}`;
  const placed = ledger.getDispute(outcomeId);
  if (placed?.record.type !== "dispute") {
    return shown?.status === "RESOLVED"
      ? [missing(subject, `${shown.verdict}, recorded in ${shown.onChainTx}`, "no record", [])]
      : [];
  }
  // A rebuilt database has the record of a dispute, but not the dispute.
  if (!shown) return rebuilt ? [] : [missing(subject, "nothing", "a record", [placed])];
  const { verdict, assessed, resolvedAt, evidenceHash } = placed.record;
  const fields = { outcomeId, verdict, assessed, resolvedAt: toIsoTime(resolvedAt), evidenceHash };
  const { evidence, reason: reasoning } = shown;
  return [
    ...compareMark(subject, shown, placed, { status: "RESOLVED", ...fields }),
    ...(evidence
      ? compareEvidence(subject, placed, {
          evidence,
          reasoning,
          content: { outcomeId, verdict, assessed },
        })
      : []),
  ];
}

/**
 * Returns whether the service reports that it lost the evidence that the record's hash commits to.
 * Lost evidence is not a difference; the caller counts and reports it.
 */
export const hasLostEvidence = ({ evidence, rebuilt }: PublicOutcome): boolean =>
  rebuilt === true && evidence === undefined;

interface ShownEvidence {
  evidence: { reasoningHash: string } | undefined;
  /** The public reasoning. */
  reasoning: string | undefined;
  /** What the evidence must repeat of the record. */
  content: object;
}

/** Checks evidence and reasoning against the record's hash of the evidence, which has the reasoning's. */
function compareEvidence(
  subject: string,
  placed: PlacedRecord,
  { evidence, reasoning, content }: ShownEvidence,
): Difference[] {
  const { record } = placed;
  if (!("evidenceHash" in record) || record.evidenceHash === undefined) return [];
  const shown = {
    "hash of evidence": evidence && hashText(canonicalize(evidence) ?? ""),
    "hash of reasoning": reasoning === undefined ? undefined : hashText(reasoning),
  };
  const expected = {
    "hash of evidence": record.evidenceHash,
    ...(evidence ? { "hash of reasoning": evidence.reasoningHash } : {}),
  };
  return [
    ...compareFields(subject, shown, expected, [placed]),
    ...compareFields(`evidence of ${subject}`, evidence ?? {}, evidence ? content : {}, [placed]),
  ];
}

const hashText = (text: string) => sha256(stringToBytes(text));

/** Returns the fields of `shown` that differ from `expected`, compared as JSON. */
function compareFields(
  subject: string,
  shown: object,
  expected: object,
  records: PlacedRecord[],
): Difference[] {
  const fields = shown as Record<string, unknown>;
  return Object.entries(expected).flatMap(([field, value]) =>
    canonicalize(fields[field]) === canonicalize(value)
      ? []
      : [{ subject, field, shown: fields[field], expected: value, records }],
  );
}

const missing = (
  subject: string,
  shown: string,
  expected: string,
  records: PlacedRecord[],
): Difference => ({ subject, field: "", shown, expected, records });

const toIsoTime = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString();
