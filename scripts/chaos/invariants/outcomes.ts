import type { Facts } from "@/scripts/chaos/facts";
import {
  defineInvariant,
  describeChange,
  findBy,
  findRecords,
  getFields,
  type Invariant,
  isSubmission,
} from "@/scripts/chaos/invariant";
import { HONEST } from "@/server/testing/model/gullible-model";

/** Confidence of a verdict that weighs nothing. */
const WEIGHTLESS_PPM = 500_000;
const getId = ({ id }: { id: string }) => id;
const getOutcomes = ({ rows }: Facts) => rows.outcomes;
const findOutcome = ({ rows }: Facts, id: string) => findBy(rows.outcomes, { id })[0];

/** Returns the first acknowledged submission (202) of each outcome. */
function getAcknowledged({ calls }: Facts) {
  const submissions = calls.filter((call) => isSubmission(call) && call.status === 202);
  const byOutcome = Map.groupBy(submissions, (call) => String(getFields(call).outcomeId));
  return [...byOutcome].map(([id, [call]]) => ({ id, call }));
}

/** Groups the submissions by agent and idempotency key. */
function groupByIdempotencyKey({ calls, rows }: Facts) {
  const submissions = calls.filter((call) => isSubmission(call) && call.idempotencyKey);
  const byKey = Map.groupBy(submissions, (call) => `${call.actor} ${call.idempotencyKey}`);
  return [...byKey].map(([key, sent]) => {
    const [submitter = "", idempotencyKey = ""] = key.split(" ");
    const outcomes = findBy(rows.outcomes, { idempotencyKey }).filter(
      (row) => row[row.submittedBy] === submitter,
    );
    return { id: outcomes[0]?.id ?? key, sent, outcomes };
  });
}

export const outcomeInvariants: Invariant[] = [
  defineInvariant(
    "acknowledged outcomes",
    "every submission that got a 202 is stored and has a verdict",
    getAcknowledged,
    getId,
    ({ id }, facts) => {
      const row = findOutcome(facts, id);
      if (!row) return "was acknowledged but is missing";
      return row.status !== "RESOLVED" && `is still ${row.status}`;
    },
  ),
  defineInvariant(
    "one chain record per outcome",
    "a resolved outcome is recorded on chain exactly once, with the same verdict and parties",
    getOutcomes,
    getId,
    (row, facts) => {
      if (row.status !== "RESOLVED") return null;
      const [record, ...more] = findRecords(facts, "outcome", row.id);
      if (!record || more.length > 0) return `has ${record ? more.length + 1 : 0} records on chain`;
      const isSame =
        record.verdict === row.verdict &&
        record.contractor === row.contractor &&
        record.requester === row.requester;
      return !isSame && `says ${row.verdict}, the chain ${record.verdict}`;
    },
  ),
  defineInvariant(
    "record location",
    "an outcome names the transaction and log of its record",
    getOutcomes,
    getId,
    ({ id, status, onChainTx, recordIndex }, facts) => {
      const [record] = findRecords(facts, "outcome", id);
      if (status !== "RESOLVED" || !record) return null;
      const isSame = record.txHash === onChainTx && record.logIndex === recordIndex;
      return (
        !isSame &&
        `names ${onChainTx} log ${recordIndex}, is in ${record.txHash} log ${record.logIndex}`
      );
    },
  ),
  defineInvariant(
    "no unrequested verdicts",
    "every verdict on chain belongs to an outcome that an agent submitted",
    ({ chain }) => chain.records.filter(({ type }) => type === "outcome" || type === "dispute"),
    ({ subject }) => subject,
    ({ seq, subject }, facts) => !findOutcome(facts, subject) && `record ${seq} has no outcome`,
  ),
  defineInvariant(
    "one outcome per key",
    "an Idempotency-Key has one outcome and one response, byte for byte, however often it is sent",
    groupByIdempotencyKey,
    getId,
    ({ sent, outcomes }) => {
      const responses = new Set(findBy(sent, { status: 202 }).map(({ response }) => response));
      if (responses.size > 1) return `got ${responses.size} different responses`;
      if (outcomes.length > 1) return `its key created ${outcomes.length} outcomes`;
      const isMissing = responses.size === 1 && outcomes.length === 0;
      return isMissing && `${[...responses]} has no outcome with that key`;
    },
  ),
  defineInvariant(
    "every outcome has a key",
    "every outcome belongs to an Idempotency-Key that was sent and finally got a 202",
    getOutcomes,
    getId,
    ({ submittedBy, idempotencyKey, ...parties }, { calls }) => {
      const actor = parties[submittedBy];
      const sent = findBy(calls, { actor, idempotencyKey: idempotencyKey ?? undefined } as object);
      if (sent.length === 0) return "was never submitted";
      return !sent.some(({ status }) => status === 202) && "is stored but was never acknowledged";
    },
  ),
  defineInvariant(
    "a verdict never changes",
    "once a verdict was read, every process returns the same one",
    getOutcomes,
    getId,
    ({ id }, facts) => {
      const fields = ["verdict", "llmConfidence", "resolvedAt", "onChainTx"];
      return describeChange(facts, `/outcome/${id}`, fields);
    },
  ),
  defineInvariant(
    "faults never change a verdict",
    "the verdict is the one that the deliverable deserves, whatever failed before it",
    getAcknowledged,
    getId,
    ({ id, call }, facts) => {
      const { deliverableContent } = (call?.request ?? {}) as { deliverableContent?: string };
      const deserved = deliverableContent === HONEST ? "SUCCESS" : "FAILURE";
      const row = findOutcome(facts, id);
      // If no model responds to a text, the last attempt gives a verdict of zero weight.
      if (!row?.verdict || row.confidencePpm === WEIGHTLESS_PPM) return null;
      return row.verdict !== deserved && `is ${row.verdict}`;
    },
  ),
  defineInvariant(
    "processes agree on outcomes",
    "each process returns the status, verdict and transaction that are on chain",
    ({ published, rows }) =>
      published.flatMap(({ app, outcomes }) =>
        rows.outcomes.map(({ id }) => ({ id, app, outcome: outcomes[id] })),
      ),
    getId,
    ({ id, app, outcome }, facts) => {
      const [record] = findRecords(facts, "outcome", id);
      const isSame =
        outcome?.status === "RESOLVED" &&
        outcome.verdict === record?.verdict &&
        outcome.onChainTx === record?.txHash;
      if (!record || isSame) return null;
      return `${app} says ${outcome?.status} ${outcome?.verdict} ${outcome?.onChainTx}`;
    },
  ),
];
