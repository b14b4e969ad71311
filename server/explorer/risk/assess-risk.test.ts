import { expect, test } from "vitest";
import { DAY_MS } from "@/server/lib/time";
import { splitOutcomes } from "@/server/testing/fixtures/risk-facts";
import { createOutcomeId, createWallet } from "@/server/testing/fixtures/sample-ledger";
import { assessRisk, type RiskFacts } from "./assess-risk";
import type { RiskOutcome } from "./risk-outcome";
import { RISK_RULES } from "./rules";

const NOW = new Date("2026-11-20T12:00:00Z");
const AGENT = createWallet(500);
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);

/** Returns the outcome number `n` of a good agent: paid, for a client of its own. */
function createOutcome(n: number, change: Partial<RiskOutcome> = {}): RiskOutcome {
  return {
    outcomeId: createOutcomeId(n),
    requester: createWallet(n),
    verdict: "SUCCESS",
    finalVerdict: change.verdict ?? "SUCCESS",
    isConfirmed: true,
    isPaid: true,
    isAnchored: false,
    isReported: false,
    isInGrace: false,
    isAgreed: false,
    isDelivered: true,
    bad: (change.finalVerdict ?? change.verdict) === "FAILURE" ? 0.75 : 0,
    paidMicro: 10_000_000,
    resolvedAt: daysAgo(n),
    ...change,
  };
}

const listOutcomes = (count: number, change?: Partial<RiskOutcome>) =>
  Array.from({ length: count }, (_, n) => createOutcome(n + 1, change));

const countClients = (outcomes: RiskOutcome[]) =>
  new Set(
    outcomes
      .filter(({ isPaid, isAnchored }) => isPaid || isAnchored)
      .map(({ requester }) => requester),
  ).size;

/** Assesses an agent without any risk, but for the change. */
function assess({
  outcomes = listOutcomes(10),
  good = 0.75,
  ...change
}: Partial<RiskFacts> & { outcomes?: RiskOutcome[]; good?: number } = {}) {
  const facts: RiskFacts = {
    wallet: AGENT,
    score: 80,
    peak: { score: 80.5, at: daysAgo(29) },
    confirmedClients: countClients(outcomes),
    isWalletVerified: true,
    lastActive: daysAgo(1),
    ...splitOutcomes(outcomes, () => good, NOW),
    earnedMicro: 0n,
    payments: [],
    ...change,
  };
  const { level, flags } = assessRisk(facts, NOW);
  return { level, risks: flags.map(({ risk }) => risk), flags };
}

test.each([
  [5, 1, null],
  [4, 1, "caution"],
  [4, 2, "caution"],
  [6, 4, "danger"],
  // Too few to tell.
  [2, 2, null],
])("of %i agreed jobs, %i not delivered are %s", (agreed, undelivered, severity) => {
  const missing = { verdict: "FAILURE", finalVerdict: "FAILURE", isDelivered: false } as const;
  const outcomes = listOutcomes(10).map((outcome, n) => ({
    ...outcome,
    ...(n < undelivered ? missing : {}),
    isAgreed: n < agreed,
  }));
  const { flags } = assess({ outcomes });
  const found = flags.find(({ risk }) => risk === "agreements-not-delivered");
  expect(found?.severity ?? null).toBe(severity);
  if (!found) return;
  expect(found.title).toBe(`Took ${agreed} agreed jobs, delivered ${agreed - undelivered}`);
  expect(found.outcomeIds).toEqual(
    outcomes.slice(0, undelivered).map(({ outcomeId }) => outcomeId),
  );
});

test("what is void or not agreed is no missing delivery", () => {
  const missing = { verdict: "FAILURE", isDelivered: false, isAgreed: true } as const;
  const risk = "agreements-not-delivered";
  expect(assess({ outcomes: listOutcomes(10, missing) }).risks).toContain(risk);
  const others = [
    { ...missing, isConfirmed: false },
    { ...missing, isAgreed: false },
  ];
  for (const change of others) {
    expect(assess({ outcomes: listOutcomes(10, change) }).risks).not.toContain(risk);
  }
});

test("a good agent has no flag", () => {
  expect(assess()).toMatchObject({
    level: "none",
    risks: [],
  });
});

test("a wallet without outcomes has no flag", () => {
  const isNew = { score: 0, peak: null };
  expect(assess({ ...isNew, outcomes: [], lastActive: null })).toMatchObject({
    level: "none",
    risks: [],
  });
});

test("a collapse names what was lost, since when, and the failures", () => {
  const outcomes = [...listOutcomes(5, { verdict: "FAILURE" }), ...listOutcomes(9).slice(5)];
  const { level, flags } = assess({
    score: 51.3,
    peak: { score: 80.5, at: daysAgo(19) },
    outcomes,
  });
  expect(level).toBe("danger");
  expect(flags[0]).toMatchObject({
    risk: "recent-collapse",
    title: "Lost 29.20 points since Nov 1",
    detail: "The score fell from 80.50 on Nov 1 to 51.30.",
    outcomeIds: outcomes.slice(0, 5).map(({ outcomeId }) => outcomeId),
  });
  expect(flags.map(({ risk }) => risk)).toEqual([
    "recent-collapse",
    "fails-often",
    "failures-in-a-row",
  ]);
});

test("a smaller loss, or one from a low score, is no collapse", () => {
  expect(assess({ score: 20, peak: { score: 69, at: daysAgo(5) } }).risks).toEqual([]);
  const peak = { score: 80 + RISK_RULES.collapsePoints - 0.01, at: daysAgo(10) };
  expect(assess({ peak }).risks).toEqual([]);
});

test("failures count in a row until the first success, without those of strangers", () => {
  const failures = listOutcomes(3, { verdict: "FAILURE" });
  const success = createOutcome(4);
  expect(assess({ outcomes: [...failures.slice(1), success] }).risks).not.toContain(
    "failures-in-a-row",
  );
  expect(
    assess({
      outcomes: [createOutcome(9, { verdict: "FAILURE", isConfirmed: false }), ...failures],
    }).flags[0],
  ).toMatchObject({ risk: "failures-in-a-row", title: "3 failures in a row", severity: "danger" });
});

test("unpaid work changes no flag about failures, on neither side", () => {
  const failures = listOutcomes(4, { verdict: "FAILURE" });
  const free = { isPaid: false, paidMicro: 0 };
  expect(assess({ outcomes: listOutcomes(4, { ...free, verdict: "FAILURE" }) }).risks).toEqual([
    "few-confirmed-clients",
  ]);
  const { flags } = assess({ outcomes: [...listOutcomes(50, free), ...failures] });
  expect(flags.map(({ risk, severity }) => [risk, severity])).toEqual([
    ["fails-often", "danger"],
    ["failures-in-a-row", "danger"],
  ]);
  // An anchored client's word counts without a payment.
  const anchored = { ...free, isAnchored: true };
  expect(assess({ outcomes: [...listOutcomes(50, anchored), ...failures] }).risks).toEqual([]);
});

test("failures are a danger from 20 USDC and a tenth of what known clients paid", () => {
  const severity = (usdc: number, earnedUsdc: number) =>
    assess({
      outcomes: listOutcomes(4, { verdict: "FAILURE", paidMicro: (usdc * 1e6) / 4 }),
      earnedMicro: BigInt(earnedUsdc * 1e6),
    }).level;
  expect(severity(19.999996, 0)).toBe("caution");
  expect(severity(20, 0)).toBe("danger");
  expect(severity(20, 200)).toBe("danger");
  expect(severity(20, 200.01)).toBe("caution");
});

test("failures of 90 days count, however many successes are newer, and no older ones", () => {
  const failure = { verdict: "FAILURE", requester: createWallet(900) } as const;
  const old = (days: number) => listOutcomes(9, { ...failure, resolvedAt: daysAgo(days) });
  expect(assess({ outcomes: [...listOutcomes(3), ...old(89)] }).risks).toContain("fails-often");
  expect(assess({ outcomes: [...listOutcomes(3), ...old(91)] }).risks).not.toContain("fails-often");
});

const report = (paidUsdc: number) => {
  const bad = (paidUsdc / (paidUsdc + 2)) * 0.9;
  const resolvedAt = daysAgo(0);
  return {
    verdict: "FAILURE",
    isReported: true,
    bad,
    paidMicro: paidUsdc * 1e6,
    resolvedAt,
  } as const;
};

test("reports by clients without an anchor raise no flag below 20 USDC", () => {
  const honest = listOutcomes(20);
  // 39 payments of half a USDC, whatever they outweigh.
  const few = listOutcomes(4);
  expect(assess({ outcomes: [...listOutcomes(39, report(0.5)), ...few], good: 0.2 }).risks).toEqual(
    [],
  );
  const costly = assess({ outcomes: [...listOutcomes(40, report(0.5)), ...few], good: 0.2 });
  expect(costly).toMatchObject({ level: "danger", risks: ["fails-often", "failures-in-a-row"] });
  const outweighed = [...listOutcomes(40, report(0.5)), ...honest];
  expect(assess({ outcomes: outweighed, good: 0.86 }).risks).not.toContain("fails-often");
  // However much they paid, reports alone are no danger as a row.
  expect(
    assess({ outcomes: [...listOutcomes(3, report(50)), ...honest], good: 0.86 }),
  ).toMatchObject({
    level: "caution",
  });
});

test("a collapse by reports alone is a caution", () => {
  const peak = { score: 80.5, at: daysAgo(29) };
  const outcomes = [...listOutcomes(14, report(1.5)), ...listOutcomes(20)];
  expect(assess({ score: 60, peak, outcomes, good: 0.86 })).toMatchObject({
    level: "caution",
    flags: [{ risk: "recent-collapse" }, { risk: "failures-in-a-row" }],
  });
});

test("failures in their days of grace are named from 20 USDC on, and count for nothing", () => {
  const inGrace = (usdc: number) => ({ ...report(usdc), isConfirmed: false, isInGrace: true });
  expect(
    assess({ outcomes: [...listOutcomes(3, inGrace(50)), ...listOutcomes(10)] }),
  ).toMatchObject({
    level: "none",
    flags: [{ risk: "reported-failures", severity: "notice" }],
  });
  expect(assess({ outcomes: [...listOutcomes(3, inGrace(6)), ...listOutcomes(10)] }).risks).toEqual(
    [],
  );
});

test("failures that were refunded or are void don't lift other reports over 20 USDC", () => {
  const returned = { ...report(10), isConfirmed: false };
  const outcomes = [...listOutcomes(3, report(5)), ...listOutcomes(10)];
  expect(assess({ outcomes: [createOutcome(99, returned), ...outcomes] }).risks).toEqual([]);
});

/** Returns payments of 10 USDC a job, from wallet number `payer` to number `payee`. */
const pay = (payer: number, payee: number, jobs: number) => ({
  payer: createWallet(payer),
  payee: createWallet(payee),
  jobs,
  usdc: 10 * jobs,
});

test("income that goes back to its clients makes a ring by its share", () => {
  const income = [pay(1, 500, 6), pay(2, 500, 4), pay(2, 77, 20)];
  expect(assess({ payments: [...income, pay(500, 1, 4)] }).risks).toEqual([]);
  expect(assess({ payments: [...income, pay(500, 1, 5)] }).flags[0]).toMatchObject({
    risk: "ring-payments",
    severity: "caution",
    title: "Pays 50% of its income back to clients",
    wallets: [createWallet(1)],
  });
  expect(assess({ payments: [...income, pay(500, 1, 9), pay(500, 2, 2)] }).level).toBe("danger");
  // Two jobs are too few to tell.
  expect(assess({ payments: [pay(1, 500, 2), pay(500, 1, 2)] }).risks).toEqual([]);
});

test("a closed group in which the money returns is a ring, also in a circle", () => {
  const circle = [pay(500, 1, 3), pay(1, 2, 3), pay(2, 500, 3)];
  expect(assess({ payments: circle }).flags[0]).toMatchObject({
    risk: "ring-payments",
    severity: "danger",
    title: "Trades within a closed group of 3 wallets",
  });
  // Its client also hires others, as the clients of a market do.
  expect(assess({ payments: [...circle, pay(2, 77, 3)] }).risks).toEqual([]);
  // A stranger that the agent once paid sends its client a little.
  const dust = { ...pay(1, 2, 3), usdc: 1.5 };
  expect(assess({ payments: [pay(500, 1, 3), dust, pay(2, 500, 3)] }).risks).toEqual([]);
  // It hires another agent, but nothing shows that the money returns.
  expect(assess({ payments: [pay(500, 1, 3), pay(2, 500, 3)] }).risks).toEqual([]);
});

test("a success that a dispute overturned is named", () => {
  const overturned = createOutcome(30, { finalVerdict: "FAILURE" });
  expect(assess({ outcomes: [...listOutcomes(10), overturned] })).toMatchObject({
    flags: [{ risk: "overturned-verdicts", outcomeIds: [overturned.outcomeId] }],
  });
});

test("one client behind most jobs is named; fewer jobs count as few clients", () => {
  const requester = createWallet(77);
  const own = listOutcomes(8, { requester });
  expect(assess({ outcomes: [...own, ...listOutcomes(2)] }).flags).toMatchObject([
    {
      risk: "single-client",
      title: "8 of the newest 10 paid jobs were for one client",
    },
  ]);
  const free = { isPaid: false, paidMicro: 0 };
  expect(assess({ outcomes: [...own, ...listOutcomes(30, free)] }).risks).toContain(
    "single-client",
  );
  expect(assess({ outcomes: own.slice(0, 4) })).toMatchObject({
    risks: ["few-confirmed-clients"],
  });
  expect(assess({ outcomes: listOutcomes(9, { isPaid: false }) }).flags[0]?.title).toBe(
    "No paying client",
  );
  expect(assess({ outcomes: listOutcomes(9, { isPaid: false, isAnchored: true }) }).risks).toEqual(
    [],
  );
});

test("clients are counted over all jobs, not only the newest", () => {
  const outcomes = listOutcomes(4, { requester: createWallet(77) });
  expect(assess({ outcomes, confirmedClients: 3 }).risks).toEqual([]);
  expect(assess({ outcomes, confirmedClients: 2 }).flags[0]?.title).toBe("Only 2 paying clients");
});

test("an unverified wallet and a long silence are named", () => {
  expect(assess({ isWalletVerified: false })).toMatchObject({
    level: "caution",
    risks: ["unverified-wallet"],
  });
  expect(assess({ lastActive: daysAgo(75) })).toMatchObject({
    level: "none",
    flags: [{ risk: "dormant", severity: "notice", title: "No job for 75 days" }],
  });
});
