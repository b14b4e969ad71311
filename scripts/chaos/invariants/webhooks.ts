import { createHmac, timingSafeEqual } from "node:crypto";
import type { DeliveryFact, Facts, ReceiverFacts } from "@/scripts/chaos/facts";
import type { ReceivedCall } from "@/scripts/chaos/faulty-endpoints";
import { defineInvariant, findBy, findRecords, type Invariant } from "@/scripts/chaos/invariant";

/** Retry delays of a failed delivery, from section 6 of the specification. */
const DELAYS_MS = [30_000, 120_000, 600_000];

interface Payload {
  event: string;
  data: Record<string, unknown>;
}

const parsePayload = ({ payload }: DeliveryFact) => JSON.parse(payload) as Payload;
const getDeliveries = ({ rows }: Facts) => rows.deliveries;
const getEventId = ({ eventId }: { eventId: string }) => eventId;
const findReceiver = ({ receivers }: Facts, { webhookId }: DeliveryFact) =>
  receivers.find((receiver) => receiver.webhookId === webhookId);

const getAllReceived = ({ receivers }: Facts) =>
  receivers.flatMap((receiver) => receiver.received.map((call) => ({ ...receiver, ...call })));

/**
 * Returns every event that a wallet with a webhook must receive, as `wallet event subject`. All
 * webhooks existed before the run.
 */
function listExpectedEvents({ rows, chain, receivers }: Facts): string[] {
  const forParties = (
    event: string,
    subject: string,
    parties: { contractor: string; requester: string },
  ) => [parties.contractor, parties.requester].map((wallet) => ({ wallet, event, subject }));
  const expected = [
    ...chain.records.flatMap((record) =>
      record.type === "outcome" ? forParties("outcome.resolved", record.subject, record) : [],
    ),
    ...rows.disputes.flatMap((row) => [
      ...forParties("dispute.opened", row.id, row),
      ...(row.status === "RESOLVED" ? forParties("dispute.resolved", row.id, row) : []),
    ]),
    ...rows.scores.flatMap(({ wallet, version, scoreE4, previousScoreE4, tier }) => {
      const [before] = findBy(rows.scores, { wallet, version: version - 1 });
      const isAnnounced =
        Math.floor(scoreE4 / 100) !== Math.floor(previousScoreE4 / 100) ||
        tier !== (before?.tier ?? "UNRANKED");
      return isAnnounced ? [{ wallet, event: "score.updated", subject: String(version) }] : [];
    }),
  ];
  const subscribed = new Set(receivers.map(({ wallet }) => wallet));
  return expected
    .filter(({ wallet }) => subscribed.has(wallet))
    .map(({ wallet, event, subject }) => `${wallet} ${event} ${subject}`);
}

/** Describes the event of a delivery in the format of `listExpectedEvents`. */
function describeEvent(facts: Facts, delivery: DeliveryFact): string {
  const { event, data } = parsePayload(delivery);
  const subject =
    event === "score.updated"
      ? data.version
      : event === "outcome.resolved"
        ? data.outcomeId
        : data.disputeId;
  return `${findReceiver(facts, delivery)?.wallet} ${event} ${subject}`;
}

export const webhookInvariants: Invariant[] = [
  {
    name: "each event once",
    promise: "each party's webhook gets every event exactly once, and none that did not happen",
    check(facts) {
      const expected = new Set(listExpectedEvents(facts));
      const stored = Map.groupBy(facts.rows.deliveries, (delivery) =>
        describeEvent(facts, delivery),
      );
      const violations = [...new Set([...expected, ...stored.keys()])].flatMap((key) => {
        const times = stored.get(key)?.length ?? 0;
        const isExpected = expected.has(key);
        if (isExpected && times === 1) return [];
        const problem = isExpected ? `was stored ${times} times` : "never happened";
        return [{ id: key.split(" ")[2] ?? key, description: `${key}: ${problem}` }];
      });
      return { checked: expected.size, violations };
    },
  },
  defineInvariant(
    "delivered means received",
    "a delivery that is marked as delivered was accepted by its receiver",
    ({ rows }) => findBy(rows.deliveries, { status: "delivered" }),
    getEventId,
    (delivery, facts) => {
      const received = findReceiver(facts, delivery)?.received ?? [];
      const isAccepted =
        findBy(received, { eventId: delivery.eventId, accepted: true } as object).length > 0;
      return !isAccepted && `${delivery.event} was never accepted`;
    },
  ),
  defineInvariant(
    "valid signatures",
    "every call carries a valid X-Service-Signature and a valid Standard Webhooks signature",
    getAllReceived,
    getEventId,
    (call) => !isSigned(call) && "is not signed",
  ),
  defineInvariant(
    "same body on every attempt",
    "a call's body is the stored payload, byte for byte, under one id",
    getAllReceived,
    getEventId,
    ({ webhookId, eventId, body }, { rows }) => {
      const [stored] = findBy(rows.deliveries, { webhookId, eventId });
      return stored?.payload !== body && "differs from what was stored";
    },
  ),
  defineInvariant(
    "retries on schedule",
    "retries come at least 30 s, 2 min and 10 min after a failure, the time of the next is stored, and the fourth attempt is the last",
    getDeliveries,
    getEventId,
    describeWrongSchedule,
  ),
  defineInvariant(
    "payloads match the chain",
    "an event's verdict is the one on chain, and its score the one of its version",
    getDeliveries,
    getEventId,
    (delivery, facts) => {
      const { event, data } = parsePayload(delivery);
      if (event === "dispute.opened") return null;
      if (event === "score.updated") {
        const { walletAddress, version, score } = data as Record<string, never>;
        const [change] = findBy(facts.rows.scores, { wallet: walletAddress, version });
        const isSame = score === Math.floor((change?.scoreE4 ?? -1) / 100) / 100;
        return !isSame && `says ${score}`;
      }
      const type = event === "dispute.resolved" ? "dispute" : "outcome";
      const [record] = findRecords(facts, type, String(data.outcomeId));
      return record?.verdict !== data.verdict && `says ${data.verdict}`;
    },
  ),
];

function isSigned({ secret, headers, body }: ReceiverFacts & ReceivedCall): boolean {
  const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text);
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return (
    isEqual(headers["x-service-signature"], `sha256=${hmac(secret, body).digest("hex")}`) &&
    isEqual(headers["webhook-signature"], `v1,${hmac(key, signed).digest("base64")}`)
  );
}

function isEqual(actual: string | undefined, expected: string): boolean {
  const [a, b] = [Buffer.from(actual ?? ""), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function describeWrongSchedule(delivery: DeliveryFact, { rows, isPatient }: Facts): string | null {
  const attempts = findBy(rows.attempts, { deliveryId: delivery.id });
  let dueAt: number | null = null;
  for (const [index, { attempt, at, latencyMs }] of attempts.entries()) {
    if (attempt !== index + 1) return `attempt ${attempt} is at position ${index + 1}`;
    const sentAt = at.getTime();
    if (dueAt !== null && sentAt < dueAt) {
      return `attempt ${attempt} came ${dueAt - sentAt} ms early`;
    }
    dueAt = sentAt + latencyMs + (DELAYS_MS[index] ?? Infinity);
  }
  const { status, nextAttemptAt } = delivery;
  if (status === "delivered")
    return attempts.length > 0 ? null : "was delivered without an attempt";
  if (status === "failed")
    return attempts.length === 4 ? null : `was given up after ${attempts.length} attempts`;
  if (isPatient) return `is ${status} after ${attempts.length} attempts`;
  return nextAttemptAt?.getTime() === dueAt ? null : `is due at ${nextAttemptAt?.toISOString()}`;
}
