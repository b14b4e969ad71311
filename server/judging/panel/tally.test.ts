import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Criterion, metSchema } from "@/server/judging/schema";
import {
  type Counts,
  computeSupport,
  decideByMajority,
  deriveVerdict,
  getMet,
  isDecidedByMissingAnswers,
  weighReview,
} from "./tally";

const met = fc.constantFrom(...metSchema.options);
const rubric = fc
  .array(fc.constantFrom("must" as const, "should" as const), { minLength: 1, maxLength: 8 })
  .map((kinds) => kinds.map((kind, at) => ({ id: `c${at}`, kind })));
const cases = rubric.chain((lines) =>
  fc.record({
    rubric: fc.constant(lines),
    votes: fc.array(
      fc
        .tuple(...lines.map(() => met))
        .map((said) => ({ findings: said.map((each, at) => ({ id: `c${at}`, met: each })) })),
      { minLength: 1, maxLength: 5 },
    ),
  }),
);
const createMust = (id: string): Pick<Criterion, "id" | "kind"> => ({ id, kind: "must" });
const createVotes = (...said: string[]) =>
  said.map((each) => ({ findings: [{ id: "c1", met: metSchema.parse(each) }] }));
const createCounts = (change: Partial<Counts>): Counts => ({
  yes: 0,
  no: 0,
  partial: 0,
  cannot_verify: 0,
  ...change,
});

describe("the majority on one criterion", () => {
  test.each<[Partial<Counts>, string]>([
    [{ yes: 3 }, "yes"],
    [{ yes: 2, no: 1 }, "yes"],
    [{ yes: 3, no: 2 }, "yes"],
    [{ yes: 1, no: 1 }, "no"],
    [{ yes: 2, no: 2, partial: 1 }, "no"],
    [{ yes: 2, no: 1, partial: 2 }, "partial"],
    [{ yes: 1, no: 1, partial: 1 }, "cannot_verify"],
    [{ no: 2, partial: 2, cannot_verify: 1 }, "cannot_verify"],
    [{ cannot_verify: 1 }, "cannot_verify"],
    [{}, "cannot_verify"],
  ])("%j is %s", (said, decided) => expect(decideByMajority(createCounts(said))).toBe(decided));

  test('is never "yes" without more than half of all votes', () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.nat(5), fc.nat(5), fc.nat(5), fc.nat(5)),
        ([yes, no, partial, cv]) => {
          const decided = decideByMajority({ yes, no, partial, cannot_verify: cv });
          expect(decided === "yes").toBe(yes > no + partial + cv);
        },
      ),
    );
  });
});

describe("the verdict", () => {
  test.each([
    [["yes", "yes", "yes"], "SUCCESS"],
    [["yes", "yes", "no"], "SUCCESS"],
    [["yes", "no", "cannot_verify"], "FAILURE"],
    [["yes", "yes", "no", "no"], "FAILURE"],
    [["yes", "yes", "no", "partial", "cannot_verify"], "FAILURE"],
    [["partial", "partial", "partial"], "FAILURE"],
  ])("of a must with %j is %s", (said, verdict) => {
    expect(deriveVerdict([createMust("c1")], createVotes(...said))).toBe(verdict);
  });

  test("is SUCCESS only if there is a must and every must is met", () => {
    const passed = { findings: [{ id: "c1", met: "yes" as const }] };
    expect(deriveVerdict([{ id: "c1", kind: "should" }], [passed])).toBe("FAILURE");
    expect(deriveVerdict([createMust("c1"), createMust("c2")], [passed])).toBe("FAILURE");
    expect(deriveVerdict([createMust("c1"), { id: "c2", kind: "should" }], [passed])).toBe(
      "SUCCESS",
    );
  });

  test("and its support depend only on findings, not on order, ids or what else a model writes", () => {
    fc.assert(
      fc.property(cases, fc.infiniteStream(fc.double({ noNaN: true })), (given, chance) => {
        const shuffle = <T>(items: readonly T[]) =>
          items
            .map((item) => ({ item, at: chance.next().value }))
            .sort((a, b) => Number(a.at) - Number(b.at))
            .map(({ item }) => item);
        const rename = (id: string) => `x-${id}`;
        const other = {
          rubric: shuffle(given.rubric).map(({ id, kind }) => ({ id: rename(id), kind })),
          votes: shuffle(given.votes).map(({ findings }) => ({
            findings: shuffle(findings).map((each) => ({ ...each, id: rename(each.id) })),
            modelVerdict: "SUCCESS",
            summary: "Superb.",
          })),
        };
        const verdict = deriveVerdict(given.rubric, given.votes);
        expect(deriveVerdict(other.rubric, other.votes)).toBe(verdict);
        const [a, b] = [given, other].map((each) =>
          computeSupport(each.rubric, each.votes, verdict),
        );
        expect(a?.share).toBe(b?.share);
        expect(a?.margin).toBeCloseTo(b?.margin ?? Number.NaN, 12);
      }),
    );
  });

  test('never changes from FAILURE to SUCCESS if a finding changes to "no"', () => {
    fc.assert(
      fc.property(cases, fc.nat(), fc.nat(), ({ rubric, votes }, voteAt, findingAt) => {
        if (deriveVerdict(rubric, votes) === "SUCCESS") return;
        const worse = votes.map((vote, at) => ({
          findings: vote.findings.map((each, n) =>
            at === voteAt % votes.length && n === findingAt % vote.findings.length
              ? { ...each, met: "no" as const }
              : each,
          ),
        }));
        expect(deriveVerdict(rubric, worse)).toBe("FAILURE");
      }),
    );
  });
});

describe("support", () => {
  test("is full if all votes agree", () => {
    const lines = [createMust("c1")];
    expect(computeSupport(lines, createVotes("yes", "yes", "yes"), "SUCCESS")).toEqual({
      share: 1,
      margin: 1,
    });
    expect(computeSupport(lines, createVotes("no", "no", "no"), "FAILURE")).toEqual({
      share: 1,
      margin: 1,
    });
  });

  test("is low if nothing could be verified, or votes are split", () => {
    const lines = [createMust("c1")];
    const unverified = createVotes("cannot_verify", "cannot_verify", "cannot_verify");
    expect(computeSupport(lines, unverified, "FAILURE")).toEqual({ share: 1, margin: 0 });
    const split = createVotes("yes", "yes", "yes", "no", "no");
    expect(computeSupport(lines, split, "SUCCESS")).toEqual({ share: 0.6, margin: 0.2 });
  });

  test("lies between 0 and 1", () => {
    fc.assert(
      fc.property(cases, ({ rubric: lines, votes: cast }) => {
        const { share, margin } = computeSupport(lines, cast, deriveVerdict(lines, cast));
        for (const value of [share, margin]) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe("votes without an answer", () => {
  const answered = (said: string) => ({ ...createVotes(said)[0], outcome: "answer" as const });
  const none = { findings: [], outcome: "refusal" as const };
  const decides = (...cast: object[]) =>
    isDecidedByMissingAnswers([createMust("c1")], cast as never);

  test("verify nothing", () => expect(getMet(none, "c1")).toBe("cannot_verify"));

  test("decide if the answers alone would lead to another verdict, or if there are no answers", () => {
    expect(decides(none, none, none)).toBe(true);
    expect(decides(none, none, answered("yes"))).toBe(true);
    expect(decides(none, answered("yes"), answered("yes"))).toBe(false);
    expect(decides(none, none, answered("no"))).toBe(false);
    expect(decides(answered("no"))).toBe(false);
  });
});

const RUBRIC = [
  { id: "a", kind: "must" },
  { id: "b", kind: "must" },
  { id: "c", kind: "should" },
] as const;

const vote = fc
  .tuple(...RUBRIC.map(() => fc.record({ met, standing: fc.boolean() })))
  .map((said) => ({ findings: said.map((one, at) => ({ id: RUBRIC[at]?.id ?? "", ...one })) }));
/** A pass often repeats one vote, so that passes sometimes agree. */
const pass = fc
  .oneof(
    { weight: 1, arbitrary: fc.array(vote, { minLength: 3, maxLength: 3 }) },
    { weight: 3, arbitrary: vote.map((one) => [one, one, one]) },
  )
  .map((votes) => ({ votes }));
const threePasses = fc.oneof(
  { weight: 1, arbitrary: fc.tuple(pass, pass, pass) },
  { weight: 2, arbitrary: pass.map((one) => [one, one, one] as const) },
);
const verdict = fc.constantFrom("SUCCESS" as const, "FAILURE" as const);
const mets = fc.record({ a: met, b: met, c: met });

test("a verdict is overturned only if every pass reaches the opposite one, on a verified must", () => {
  let overturned = 0;
  fc.assert(
    fc.property(threePasses, verdict, mets, (passes, recorded, recordedMets) => {
      const getRecordedMet = (id: string) => recordedMets[id as keyof typeof recordedMets];
      const { finalVerdict, flipped } = weighReview(
        RUBRIC,
        { verdict: recorded, getRecordedMet },
        passes,
      );
      if (finalVerdict === recorded) return;
      overturned += 1;
      expect(flipped.length).toBeGreaterThan(0);
      expect(flipped).not.toContain("c");
      for (const { votes } of passes) {
        expect(deriveVerdict(RUBRIC, votes)).toBe(finalVerdict);
        for (const id of flipped) {
          const said = votes.map(({ findings }) => findings.find((one) => one.id === id));
          expect(said.some((one) => one?.standing)).toBe(true);
          // Recorded one way, and found the other way by a vote of every pass.
          expect(said.some((one) => (one?.met === "yes") !== (getRecordedMet(id) === "yes"))).toBe(
            true,
          );
        }
      }
    }),
    { numRuns: 3_000 },
  );
  expect(overturned).toBeGreaterThan(50);
});

test("the order of the passes does not matter", () => {
  fc.assert(
    fc.property(fc.tuple(pass, pass, pass), verdict, mets, ([x, y, z], recorded, recordedMets) => {
      const getRecordedMet = (id: string) => recordedMets[id as keyof typeof recordedMets];
      const weigh = (passes: (typeof x)[]) =>
        weighReview(RUBRIC, { verdict: recorded, getRecordedMet }, passes);
      expect(weigh([x, y, z])).toEqual(weigh([z, x, y]));
    }),
  );
});

test("no verdict is overturned without a pass", () => {
  const getRecordedMet = () => "no" as const;
  expect(weighReview(RUBRIC, { verdict: "FAILURE", getRecordedMet }, [])).toEqual({
    finalVerdict: "FAILURE",
    flipped: [],
    assessed: false,
  });
});
