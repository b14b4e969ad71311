import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchPayments, type OwedJob, type TimedTransfer } from "./match-payments";

const job = (valueMicro: bigint, proposedAt: number): OwedJob => ({ valueMicro, proposedAt });
const transfer = (amountMicro: bigint, at: number): TimedTransfer => ({ amountMicro, at });

describe("transfers settle jobs", () => {
  test("oldest first, one each", () => {
    const paid = transfer(5n, 9);
    expect(matchPayments([job(5n, 1), job(5n, 2)], [paid])).toEqual([paid, null]);
  });

  test("whatever the order of the payments", () => {
    const [large, small] = [transfer(10n, 3), transfer(5n, 4)];
    expect(matchPayments([job(5n, 1), job(10n, 2)], [large, small])).toEqual([small, large]);
  });

  test("with at least the value, since the proposal", () => {
    const jobs = [job(5n, 3)];
    expect(matchPayments(jobs, [transfer(4n, 9), transfer(5n, 2)])).toEqual([null]);
    const exact = transfer(5n, 3);
    expect(matchPayments(jobs, [exact])).toEqual([exact]);
  });
});

const amount = fc.bigInt({ min: 1n, max: 6n });
const time = fc.integer({ min: 0, max: 6 });
const anyJobs = fc
  .array(fc.record({ valueMicro: amount, proposedAt: time }), { maxLength: 6 })
  .map((jobs) => jobs.sort((a, b) => a.proposedAt - b.proposedAt));
const anyTransfers = fc.array(fc.record({ amountMicro: amount, at: time }), { maxLength: 6 });

/** Most of the jobs that the transfers can settle at once, by trying everything. */
function countSettled([first, ...rest]: OwedJob[], transfers: TimedTransfer[]): number {
  if (!first) return 0;
  const settled = transfers
    .filter(({ amountMicro, at }) => amountMicro >= first.valueMicro && at >= first.proposedAt)
    .map((used) => {
      const left = transfers.filter((one) => one !== used);
      return 1 + countSettled(rest, left);
    });
  return Math.max(countSettled(rest, transfers), ...settled);
}

describe("of any jobs and transfers", () => {
  test("a transfer settles at most one job, of at most its amount and proposed before it", () => {
    fc.assert(
      fc.property(anyJobs, anyTransfers, (jobs, transfers) => {
        const used = matchPayments(jobs, transfers);
        const found = used.filter((one) => one !== null);
        expect(new Set(found).size).toBe(found.length);
        for (const [index, one] of used.entries()) {
          const owed = jobs[index];
          if (!one || !owed) continue;
          expect(transfers).toContain(one);
          expect(one.amountMicro >= owed.valueMicro && one.at >= owed.proposedAt).toBe(true);
        }
      }),
    );
  });

  test("of the oldest jobs, as many are settled as can be, however many newer ones there are", () => {
    fc.assert(
      fc.property(anyJobs, anyTransfers, (jobs, transfers) => {
        const used = matchPayments(jobs, transfers);
        for (let oldest = 1; oldest <= jobs.length; oldest++) {
          const settled = used.slice(0, oldest).filter((one) => one !== null);
          expect(settled.length).toBe(countSettled(jobs.slice(0, oldest), transfers));
        }
      }),
    );
  });

  test("another transfer leaves no job unpaid that was paid", () => {
    const anotherTransfer = fc.record({ amountMicro: amount, at: time });
    fc.assert(
      fc.property(anyJobs, anyTransfers, anotherTransfer, (jobs, transfers, another) => {
        const before = matchPayments(jobs, transfers);
        const after = matchPayments(jobs, [...transfers, another]);
        for (const [index, one] of before.entries()) {
          if (one) expect(after[index]).not.toBeNull();
        }
      }),
    );
  });
});
