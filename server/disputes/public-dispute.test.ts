import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { disputeVerdictSchema, partySchema } from "@/server/lib/schema";
import { type DisputeRow, type SideRow, toPublicDispute } from "./public-dispute";
import { disputeSchema } from "./schema";

const NOW = new Date("2026-11-21T12:00:00.000Z");
const LATER = new Date(NOW.getTime() + 1);
const SALT = "5a17".repeat(8);
const hashOf = (digit: string): string => `0x${digit.repeat(64)}`;

function row(changes: Partial<DisputeRow> = {}): DisputeRow {
  return {
    id: randomUUID(),
    outcomeId: randomUUID(),
    openedBy: "requester",
    contractor: "0x52908400098527886E0F7030069857D2E4169EE7",
    requester: "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
    recordedVerdict: "SUCCESS",
    taskCategory: "research",
    title: null,
    confidencePpm: 900_000,
    salt: Buffer.from(SALT, "hex"),
    status: "OPEN",
    openedAt: NOW,
    expiresAt: LATER,
    reviewStartedAt: null,
    judgedAt: null,
    verdict: null,
    assessed: null,
    finalVerdict: null,
    explanation: null,
    judgeKind: null,
    judgeId: null,
    evidence: null,
    evidenceHash: null,
    detail: null,
    resolvedAt: null,
    onChainTx: null,
    recordIndex: null,
    simulated: false,
    ...changes,
  };
}

/** A judged dispute; with `status: "RESOLVED"`, recorded too. */
const judged = (verdict: DisputeRow["verdict"], changes: Partial<DisputeRow> = {}) =>
  row({
    reviewStartedAt: NOW,
    judgedAt: NOW,
    verdict,
    finalVerdict: verdict === "CONTRACTOR_WINS" ? "SUCCESS" : "FAILURE",
    explanation: "The list names three.",
    judgeKind: "heuristic",
    judgeId: "a-judge",
    evidenceHash: hashOf("e"),
    ...changes,
  });

const resolved = (verdict: DisputeRow["verdict"]) =>
  judged(verdict, {
    status: "RESOLVED",
    resolvedAt: LATER,
    onChainTx: hashOf("c"),
    recordIndex: 0,
  });

type PayoutStatus = NonNullable<SideRow["payout"]>["status"];

function side(
  party: SideRow["party"],
  { payout, gone = false }: { payout?: PayoutStatus; gone?: boolean } = {},
): SideRow {
  const transferId = randomUUID();
  return {
    id: randomUUID(),
    disputeId: randomUUID(),
    party,
    agentId: null,
    statement: `Statement of the ${party}.`,
    evidenceUrl: "https://example.org/rivers.txt",
    evidenceHash: hashOf("d"),
    evidenceFailure: null,
    deliverableContent: "The text of the deliverable.",
    deliverableHash: hashOf("f"),
    transferId,
    stakedAt: NOW,
    transfer: {
      id: transferId,
      chainId: 31_337,
      txHash: hashOf(party === "requester" ? "a" : "b"),
      logIndex: 0,
      purpose: "stake",
      from: row()[party],
      to: "0x52908400098527886E0F7030069857D2E4169EE7",
      amountMicro: 750_000n,
      blockNumber: 1n,
      blockHash: hashOf("0"),
      usedAt: NOW,
      goneAt: gone ? NOW : null,
      finalAt: null,
    },
    payout: payout
      ? {
          id: randomUUID(),
          purpose: "stake-return",
          disputeId: randomUUID(),
          party,
          transferId,
          to: row()[party],
          amountMicro: 750_000n,
          status: payout,
          transactionId: null,
          txHash: payout === "paid" ? hashOf("9") : null,
          createdAt: NOW,
          settledAt: null,
        }
      : null,
  };
}

const both = () => [side("requester"), side("contractor")];

describe("the phase", () => {
  test.each<[string, DisputeRow, SideRow[], Date]>([
    ["awaiting-answer", row(), [side("requester")], NOW],
    ["in-review", row(), [side("requester")], LATER],
    ["in-review", row(), both(), NOW],
    ["in-review", row({ reviewStartedAt: NOW }), [side("requester")], NOW],
    ["recording", judged("CONTRACTOR_WINS"), both(), LATER],
    ["resolved", resolved("CONTRACTOR_WINS"), both(), LATER],
  ])("%s", (phase, dispute, sides, now) => {
    expect(toPublicDispute(dispute, sides, now)).toMatchObject({
      phase,
      status: phase === "resolved" ? "RESOLVED" : "OPEN",
    });
  });
});

describe("the verdict", () => {
  const NAMES = [
    "evidence",
    "evidenceHash",
    "finalVerdict",
    "judge",
    "onChainTx",
    "reason",
    "recordIndex",
    "resolvedAt",
    "verdict",
  ];
  const shown = (dispute: DisputeRow) =>
    Object.keys(JSON.parse(JSON.stringify(toPublicDispute(dispute, both(), LATER)))).filter(
      (name) => NAMES.includes(name),
    );

  test("appears with its fields only once the record is confirmed", () => {
    expect(shown(judged("REQUESTER_WINS"))).toEqual([]);
    expect(shown(resolved("REQUESTER_WINS")).sort()).toEqual(
      NAMES.filter((name) => name !== "evidence"),
    );
  });
});

describe("a stake", () => {
  const stakes = (dispute: DisputeRow, sides: SideRow[]) =>
    toPublicDispute(dispute, sides, NOW).stakes.map((stake) => [
      stake.party,
      stake.state,
      stake.stakeReturnStatus,
      stake.stakeReturnTx,
    ]);
  const NONE = ["contractor", "none", "none", null];

  test("is shown for both parties, the opener first, paid or not", () => {
    const [opener, other] = toPublicDispute(row(), [side("requester")], NOW).stakes;
    expect(opener).toEqual({
      party: "requester",
      walletAddress: row().requester,
      state: "held",
      amountUsdc: 0.75,
      paymentTxHash: hashOf("a"),
      stakeReturnStatus: "none",
      stakeReturnTx: null,
    });
    expect(other).toEqual({
      party: "contractor",
      walletAddress: row().contractor,
      state: "none",
      amountUsdc: null,
      paymentTxHash: null,
      stakeReturnStatus: "none",
      stakeReturnTx: null,
    });
    const openedByOther = row({ openedBy: "contractor" });
    expect(stakes(openedByOther, [side("contractor")]).map(([party]) => party)).toEqual([
      "contractor",
      "requester",
    ]);
  });

  test.each<[string, DisputeRow, SideRow[], unknown[][]]>([
    [
      "is held while the verdict is not public",
      judged("REQUESTER_WINS"),
      both(),
      [
        ["requester", "held", "none", null],
        ["contractor", "held", "none", null],
      ],
    ],
    [
      "of the winner is returning, of the loser forfeited",
      resolved("REQUESTER_WINS"),
      [side("requester", { payout: "waiting" }), side("contractor")],
      [
        ["requester", "returning", "waiting", null],
        ["contractor", "forfeited", "none", null],
      ],
    ],
    [
      "is returning once its payout is signed",
      resolved("REQUESTER_WINS"),
      [side("requester", { payout: "signed" })],
      [["requester", "returning", "sent", null], NONE],
    ],
    [
      "is returned once its payout is paid",
      resolved("REQUESTER_WINS"),
      [side("requester", { payout: "paid" })],
      [["requester", "returned", "returned", hashOf("9")], NONE],
    ],
    [
      "is gone if a reorganisation removed it",
      resolved("REQUESTER_WINS"),
      [side("requester", { payout: "void", gone: true }), side("contractor", { gone: true })],
      [
        ["requester", "gone", "none", null],
        ["contractor", "gone", "none", null],
      ],
    ],
  ])("%s", (_, dispute, sides, expected) => {
    expect(stakes(dispute, sides)).toEqual(expected);
  });
});

test("in every state, the public form matches the schema and has no private text or salt", () => {
  const sideOf = (party: SideRow["party"]) =>
    fc
      .record({
        payout: fc.option(fc.constantFrom("waiting", "signed", "paid", "void" as const), {
          nil: undefined,
        }),
        gone: fc.boolean(),
      })
      .map(({ payout, gone }) => side(party, { gone, ...(payout ? { payout } : {}) }));
  fc.assert(
    fc.property(
      fc.constantFrom(...partySchema.options),
      fc.constantFrom(row, judged, resolved),
      fc.constantFrom(...disputeVerdictSchema.options),
      sideOf("requester"),
      fc.option(sideOf("contractor")),
      fc.boolean(),
      (openedBy, make, verdict, first, second, isLater) => {
        const dispute = { ...(make === row ? row() : make(verdict as never)), openedBy };
        const shown = toPublicDispute(
          dispute,
          second ? [first, second] : [first],
          isLater ? LATER : NOW,
        );
        const sent = JSON.parse(JSON.stringify(shown));
        expect(disputeSchema.parse(sent)).toEqual(sent);
        expect(JSON.stringify(sent)).not.toContain(SALT);
        expect(JSON.stringify(sent)).not.toContain("The text of the deliverable");
        expect(sent.stakes).toHaveLength(2);
      },
    ),
  );
});
