import canonicalize from "canonicalize";
import { sha256, stringToBytes } from "viem";
import type { PlacedRecord } from "@/server/chain/registry/decode-records";
import { toFinalVerdict } from "@/server/disputes/schema";
import { DAY_SECONDS } from "@/server/lib/time";
import { fromMicro } from "@/server/lib/usdc";
import type { PublicOutcome } from "@/server/outcomes/schema";
import type { Reputation } from "@/server/reputation/schema";
import type { GroupedLedger } from "@/server/reputation/score/group-ledger";
import { collectFacts, type LedgerFacts } from "@/server/reputation/score/ledger-facts";
import { formatUtcDay, toRate, toScoreRecord } from "@/server/reputation/score/public-reputation";
import { computeScore } from "@/server/reputation/score/score";
import { computeCountsFrom, saysAnything, toUtcDay } from "@/server/reputation/score/weigh-outcome";

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
 * Compares a wallet's score as the service shows it with the score computed from the ledger for the
 * same UTC day. That day must be within one day of `now`, because clocks differ and scores are
 * refreshed after midnight. Otherwise a service could keep showing an old, better score.
 */
export function compareScore(shown: Reputation, ledger: GroupedLedger, now: Date): Difference[] {
  const wallet = shown.walletAddress;
  const records = ledger.getRecordsFor(wallet);
  const scoredAt = Date.parse(shown.scoreDay) / 1000;
  const daysOff = scoredAt / DAY_SECONDS - toUtcDay(now.getTime() / 1000);
  if (!Number.isInteger(daysOff) || Math.abs(daysOff) > 1) {
    return compareFields(`score of ${wallet}`, shown, { scoreDay: formatUtcDay(now) }, records);
  }
  const log = records.map(({ record }) => record);
  const score = computeScore(log, wallet, scoredAt);
  const { scoreE4, breakdown, ...expected } = toScoreRecord(score);
  const assessedSuccessRate = toRate(score.assessedSuccessRateE4);
  return compareFields(`score of ${wallet}`, shown, { ...expected, assessedSuccessRate }, records);
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
    finalVerdict:
      disputed?.record.type === "dispute"
        ? toFinalVerdict(disputed.record.verdict)
        : record.verdict,
    assessed: saysAnything(record) || disputed !== undefined,
    countsFrom: countsFrom === null ? undefined : toIsoTime(countsFrom),
  };
  return [
    ...compareFields(subject, shown, expected, records),
    ...compareEvidence(shown, placed),
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
 * Returns whether the service reports that it lost the evidence that the record's hash commits to.
 */
export const hasLostEvidence = ({ evidence, rebuilt }: PublicOutcome): boolean =>
  rebuilt === true && evidence === undefined;

/**
 * Checks the evidence that the service shows against the record's hash. Lost evidence is not a
 * difference; the caller counts and reports it.
 */
function compareEvidence(outcome: PublicOutcome, placed: PlacedRecord): Difference[] {
  const { outcomeId, evidence } = outcome;
  const { record } = placed;
  if (record.type !== "outcome" || record.evidenceHash === undefined) return [];
  if (hasLostEvidence(outcome)) return [];
  const subject = `outcome ${outcomeId}`;
  const hash =
    evidence === undefined ? undefined : sha256(stringToBytes(canonicalize(evidence) ?? ""));
  const { evidenceHash, verdict, confPpm } = record;
  const hashes = [{ "hash of evidence": hash }, { "hash of evidence": evidenceHash }] as const;
  const content = evidence === undefined ? {} : { outcomeId, verdict, confPpm };
  return [
    ...compareFields(subject, ...hashes, [placed]),
    ...compareFields(`evidence of ${subject}`, evidence ?? {}, content, [placed]),
  ];
}

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
