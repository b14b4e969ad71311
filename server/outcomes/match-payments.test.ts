import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchPayments, type OwedJob, type TimedTransfer } from "./match-payments";

const job = (valueMicro: bigint, proposedAt: number, digest = "0x"): OwedJob => ({
  ...{ valueMicro, proposedAt, digest },
});
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

  test("of the agreement that they name alone", () => {
    const jobs = [job(5n, 1, "0x1"), job(5n, 2, "0x2")];
    const [bound, lost] = ["0x2", "0x3"].map((digest) => ({ ...transfer(5n, 9), digest }));
    expect(
      matchPayments(
        jobs,
        [bound, lost].flatMap((one) => one ?? []),
      ),
    ).toEqual([null, bound]);
  });
});

const amount = fc.bigInt({ min: 1n, max: 6n });
const time = fc.integer({ min: 0, max: 6 });
const digest = fc.constantFrom("0x1", "0x2");
const anyJobs = fc
  .array(fc.record({ valueMicro: amount, proposedAt: time, digest }), { maxLength: 6 })
  .map((jobs) => jobs.sort((a, b) => a.proposedAt - b.proposedAt));
const anyTransfer = fc.record(
  { amountMicro: amount, at: time, digest },
  { requiredKeys: ["amountMicro", "at"] },
);
const anyTransfers = fc.array(anyTransfer, { maxLength: 6 });

const canPay = (transfer: TimedTransfer, owed: OwedJob) =>
  transfer.amountMicro >= owed.valueMicro &&
  transfer.at >= owed.proposedAt &&
  [undefined, owed.digest].includes(transfer.digest);

/** Most of the jobs that the transfers can settle at once, by trying everything. */
function countSettled([first, ...rest]: OwedJob[], transfers: TimedTransfer[]): number {
  if (!first) return 0;
  const settled = transfers
    .filter((one) => canPay(one, first))
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
          expect(canPay(one, owed)).toBe(true);
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
    fc.assert(
      fc.property(anyJobs, anyTransfers, anyTransfer, (jobs, transfers, another) => {
        const before = matchPayments(jobs, transfers);
        const after = matchPayments(jobs, [...transfers, another]);
        for (const [index, one] of before.entries()) {
          if (one) expect(after[index]).not.toBeNull();
        }
      }),
    );
  });
});
