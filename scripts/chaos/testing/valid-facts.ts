import { createHmac } from "node:crypto";
import type { Facts, TransferFact } from "@/scripts/chaos/facts";
import type { Call } from "@/scripts/chaos/history";
import { recompute } from "@/server/reputation/evidence/recompute";
import { toStoredTotals } from "@/server/reputation/evidence/totals";
import { HONEST } from "@/server/testing/model/gullible-model";

export const [contractor, requester, stake] = ["0xContractor", "0xRequester", "0xStake"];
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
export const outcome = { outcomeId: "o1", status: "EVALUATING", estimatedResolutionSeconds: 30 };
export const resolved = {
  outcomeId: "o1",
  status: "RESOLVED",
  verdict: "SUCCESS",
  onChainTx: "t1",
};

/** Returns a call `METHOD PATH` with its response. */
export function call(
  at: number,
  actor: string,
  request: string,
  status: number,
  response: object,
  fields: Partial<Call> = {},
): Call {
  const [method = "", path = ""] = request.split(" ");
  const body = JSON.stringify(response);
  return { at, ms: 10, app: "app-1", actor, method, path, status, response: body, ...fields };
}

export const submitted = call(1, contractor, "POST /outcome", 202, outcome, {
  idempotencyKey: "k",
  request: { deliverableContent: HONEST },
});
export const rejected = call(140, `${requester} with a revoked key`, "POST /outcome", 401, {});
export const refunded = call(
  122,
  contractor,
  "POST /outcome/o1/refund",
  200,
  { outcomeId: "o1", txHash: "h-r1", status: "recording" },
  { request: { refundTxHash: "h-r1" } },
);

export const formatPayload = (id: string, event: string, data: object) =>
  JSON.stringify({ id, event, timestamp: "2026-11-21T12:00:00.000Z", data });

/** Returns an event for one party: its delivery, the attempts, and what was received. */
function deliver(webhookId: "c" | "r", eventId: string, event: string, data: object) {
  const id = `${webhookId}-${eventId}`;
  const payload = formatPayload(eventId, event, data);
  const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text);
  const key = Buffer.from(secret.slice(6), "base64");
  const headers = {
    "webhook-id": eventId,
    "webhook-timestamp": "1700000000",
    "webhook-signature": `v1,${hmac(key, `${eventId}.1700000000.${payload}`).digest("base64")}`,
    "x-service-signature": `sha256=${hmac(secret, payload).digest("hex")}`,
  };
  const times = [0, 30_005];
  return {
    delivery: {
      id,
      webhookId,
      eventId,
      event,
      payload,
      status: "delivered",
      nextAttemptAt: null,
    },
    attempts: times.map((at, index) => ({
      deliveryId: id,
      attempt: index + 1,
      at: new Date(at),
      latencyMs: 5,
    })),
    received: times.map((at, index) => ({
      at,
      eventId,
      headers: { ...headers },
      body: payload,
      accepted: index === 1,
    })),
  };
}

/**
 * Returns the facts of a run without violations: one outcome, disputed by both parties, lost by the
 * requester, with its payment refunded; and one that the payer superseded, of which only the records
 * and what a process shows are given.
 */
export function buildValidFacts(): Facts {
  const dispute = { disputeId: "d1", outcomeId: "o1" };
  const deliveries = [
    ...(["c", "r"] as const).flatMap((party) => [
      deliver(party, "e1", "outcome.resolved", { outcomeId: "o1", verdict: "SUCCESS" }),
      deliver(party, "e5", "outcome.resolved", { outcomeId: "o2", verdict: "SUCCESS" }),
      deliver(party, "e6", "outcome.resolved", { outcomeId: "o3", verdict: "SUCCESS" }),
      deliver(party, "e2", "dispute.opened", dispute),
      deliver(party, "e3", "dispute.resolved", { ...dispute, verdict: "CONTRACTOR_WINS" }),
    ]),
    deliver("c", "e4", "score.updated", { walletAddress: contractor, version: 1, score: 12.34 }),
  ];
  const transfer = (
    id: string,
    purpose: TransferFact["purpose"],
    amountMicro: bigint,
    from: string,
    to: string,
  ) => ({
    id,
    txHash: `h-${id}`,
    purpose,
    from,
    to,
    amountMicro,
    goneAt: null,
  });
  const transfers = [
    transfer("s1", "stake", 500_001n, contractor, stake),
    transfer("s2", "stake", 500_002n, requester, stake),
    transfer("s3", "unattached-stake", 500_003n, contractor, stake),
    transfer("s4", "stake", 500_004n, contractor, stake),
    transfer("p1", "payment", 1_000_005n, requester, contractor),
    transfer("p2", "payment", 1_000_009n, requester, contractor),
    transfer("r1", "refund", 1_000_006n, contractor, requester),
  ];
  const payouts = [500_001n, 500_003n].map((amountMicro, index) => ({
    id: `y${index + 1}`,
    to: contractor,
    amountMicro,
    status: "paid",
    txHash: `out${index + 1}`,
  }));
  const paidOutcome = (id: string, submittedBy: "contractor" | "requester", micro: number) => ({
    type: "outcome" as const,
    subject: id,
    id,
    contractor,
    requester,
    category: "content" as const,
    valueMicro: micro,
    paidMicro: micro,
    submittedBy,
    proven: true,
    agreed: false,
    verdict: "SUCCESS" as const,
    confPpm: 900_000,
    resolvedAt: 0,
  });
  const records = [
    paidOutcome("o1", "contractor", 1_000_005),
    {
      type: "dispute" as const,
      subject: "o1",
      outcomeId: "o1",
      verdict: "CONTRACTOR_WINS" as const,
      assessed: true,
      resolvedAt: 0,
    },
    { type: "takeover" as const, subject: requester, wallet: requester, at: 0 },
    { type: "anchor" as const, subject: contractor, wallet: contractor, from: 0, until: null },
    { type: "anchor-revoked" as const, subject: "4", anchorSeq: 4 },
    { type: "refund" as const, subject: "o1", outcomeId: "o1", paymentTx: "h-r1", at: 0 },
    paidOutcome("o2", "contractor", 1_000_009),
    paidOutcome("o3", "requester", 1_000_009),
    { type: "superseded" as const, subject: "o2", outcomeId: "o2", by: "o3" },
  ].map((record, index) => ({ ...record, seq: index + 1, txHash: `t${index + 1}`, logIndex: 0 }));
  const { totals, rows } = recompute(records, { wallet: contractor, day: 1, change: null });
  const getLedger = () => records.map(({ seq, txHash }) => ({ seq, txHash }));
  const reputation = { score: 12.34, tier: "NEWCOMER", totalOutcomes: 1, confirmedOutcomes: 1 };
  const verdict = { status: "RESOLVED", verdict: "CONTRACTOR_WINS" };
  return {
    calls: [
      submitted,
      { ...submitted, at: 5 },
      call(20, contractor, "GET /outcome/o1", 200, resolved),
      call(60, contractor, "GET /outcome/o1", 200, resolved),
      call(
        70,
        requester,
        "POST /disputes",
        201,
        { disputeId: "d1", status: "OPEN" },
        { request: { outcomeId: "o1", stakePaymentTxHash: "h-s2" } },
      ),
      call(90, contractor, "GET /disputes/d1", 200, verdict),
      call(120, contractor, "GET /disputes/d1", 200, verdict),
      refunded,
      call(125, requester, "POST /outcome", 202, outcome),
      {
        ...submitted,
        idempotencyKey: "k2",
        response: JSON.stringify({ ...outcome, outcomeId: "o2" }),
      },
      {
        ...submitted,
        actor: requester,
        idempotencyKey: "k3",
        response: JSON.stringify({ ...outcome, outcomeId: "o3" }),
      },
      call(
        130,
        requester,
        "POST /agents/register",
        201,
        { walletAddress: requester, walletVerified: true, takeover: true },
        { request: { walletProof: {} } },
      ),
      rejected,
    ],
    rows: {
      outcomes: [
        { id: "o1", submittedBy: "contractor", idempotencyKey: "k", onChainTx: "t1" },
        { id: "o2", submittedBy: "contractor", idempotencyKey: "k2", onChainTx: "t7" },
        { id: "o3", submittedBy: "requester", idempotencyKey: "k3", onChainTx: "t8" },
      ].map((row) => ({
        ...row,
        contractor,
        requester,
        status: "RESOLVED",
        verdict: "SUCCESS",
        confidencePpm: 900_000,
        finalVerdict: "SUCCESS",
        recordIndex: 0,
      })),
      disputes: [
        {
          id: "d1",
          outcomeId: "o1",
          contractor,
          requester,
          openedBy: "requester",
          recordedVerdict: "SUCCESS",
          ...verdict,
          finalVerdict: "SUCCESS",
          onChainTx: "t2",
        },
      ],
      // The fourth stake was removed by a reorg, so it is not owed.
      sides: [
        { disputeId: "d1", party: "requester", transferId: "s2" },
        { disputeId: "d1", party: "contractor", transferId: "s1" },
        { disputeId: "d1", party: "contractor", transferId: "s4" },
      ],
      payouts,
      transfers,
      deliveries: deliveries.map(({ delivery }) => delivery),
      attempts: deliveries.flatMap(({ attempts }) => attempts),
      scores: [123_450, 123_460].map((scoreE4, index, scores) => ({
        wallet: contractor,
        version: index + 1,
        scoreE4,
        previousScoreE4: scores[index - 1] ?? 0,
        tier: "NEWCOMER",
      })),
      reputations: [{ wallet: contractor, version: 2, totals: toStoredTotals(totals, 2) }],
      evidence: rows.map((row) => ({ wallet: contractor, ...row })),
      ledger: getLedger(),
      escrowJobs: [{ escrow: "0xEscrow", jobId: "1", outcomeId: "o3" }],
      takeovers: [{ wallet: requester }],
      anchors: [
        { wallet: contractor, seq: 4, revokeAskedAt: new Date(0), revokedSeq: 5 },
        { wallet: contractor, seq: null, revokeAskedAt: new Date(0), revokedSeq: null },
      ],
    } as unknown as Facts["rows"],
    chain: {
      records,
      faults: [],
      transfers: [
        ...transfers.filter(({ id }) => id !== "s4"),
        ...payouts.map(({ txHash, to, amountMicro }) => ({ txHash, from: stake, to, amountMicro })),
      ].map(({ txHash, from, to, amountMicro }) => ({ txHash, from, to, amountMicro })),
      settledJobs: [
        { jobId: "1", client: requester, provider: contractor, releasedMicro: 1_000_009n },
      ],
      stakeAddress: stake,
      stakeBalanceMicro: 500_002n,
    },
    receivers: [
      { wallet: contractor, webhookId: "c" },
      { wallet: requester, webhookId: "r" },
    ].map(({ wallet, webhookId }) => ({
      wallet,
      webhookId,
      secret,
      received: deliveries.flatMap(({ delivery, received }) =>
        delivery.webhookId === webhookId ? received : [],
      ),
    })),
    published: [
      {
        app: "app-1",
        outcomes: {
          o1: { ...resolved, refund: { status: "recorded", txHash: "h-r1", onChainTx: "t6" } },
          o2: { ...resolved, outcomeId: "o2", onChainTx: "t7", superseded: { by: "o3" } },
          o3: { ...resolved, outcomeId: "o3", onChainTx: "t8" },
        },
        reputations: { [contractor]: { ...reputation } },
        recomputed: { [contractor]: reputation },
        ledger: getLedger(),
      },
    ],
    isPatient: true,
  };
}
