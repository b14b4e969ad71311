import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashInput, readIdempotencyKey } from "@/server/agents/idempotency";
import { AppError } from "@/server/lib/errors";
import { CATEGORIES } from "@/server/lib/schema";
import { type SubmitInput, submitInput } from "./schema";

describe("the header", () => {
  test("is returned unchanged, and is optional", () => {
    const printable = fc.string({
      unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
      minLength: 1,
      maxLength: 255,
    });
    fc.assert(fc.property(printable, (key) => readIdempotencyKey(key) === key));
    expect(readIdempotencyKey(null)).toBeNull();
  });

  test("is refused if it has other characters", () => {
    const odd = fc
      .string({ unit: "binary", maxLength: 300 })
      .filter((text) => !/^[ -~]{1,255}$/.test(text));
    fc.assert(
      fc.property(odd, (key) => {
        expect(() => readIdempotencyKey(key)).toThrow(AppError);
      }),
    );
    expect(() => readIdempotencyKey("k\n")).toThrow(AppError);
  });
});

const wallet = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`);

const submission = fc.record(
  {
    contractorAgentAddress: wallet,
    requesterAgentAddress: wallet,
    taskDescription: fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 50 })
      .map((text) => `a${text}`),
    taskCategory: fc.constantFrom(...CATEGORIES),
    deliverableContent: fc.string({ unit: "grapheme", maxLength: 50 }),
    valueUsdc: fc.integer({ min: 0, max: 1e15 }).map((micro) => micro / 1e6),
  },
  {
    requiredKeys: [
      "contractorAgentAddress",
      "requesterAgentAddress",
      "taskDescription",
      "taskCategory",
      "valueUsdc",
    ],
  },
);

const hashOf = (body: unknown) => hashInput(submitInput.parse(body));

describe("two submissions", () => {
  test("are the same if only field order, letter case of addresses or white space around the task differ", () => {
    fc.assert(
      fc.property(submission, (body) => {
        const variant = Object.fromEntries(Object.entries(body).reverse());
        variant.contractorAgentAddress = `0X${body.contractorAgentAddress.slice(2).toUpperCase()}`;
        variant.taskDescription = `\n ${body.taskDescription}\t`;
        expect(hashOf(variant)).toBe(hashOf(body));
      }),
    );
  });

  test("differ if any field differs", () => {
    fc.assert(
      fc.property(
        submission,
        submission,
        fc.constantFrom(...(Object.keys(submitInput.shape) as (keyof SubmitInput)[])),
        (one, other, field) => {
          const changed = { ...one, [field]: other[field as keyof typeof other] };
          const [a, b] = [submitInput.safeParse(one), submitInput.safeParse(changed)];
          fc.pre(a.success && b.success && a.data[field] !== b.data[field]);
          expect(hashOf(changed)).not.toBe(hashOf(one));
        },
      ),
    );
    const plain = { taskDescription: "a", taskCategory: "ops", valueUsdc: 0 };
    const parties = {
      contractorAgentAddress: `0x${"1".repeat(40)}`,
      requesterAgentAddress: `0x${"2".repeat(40)}`,
    };
    const bare = hashOf({ ...plain, ...parties });
    expect(hashOf({ ...plain, ...parties, deliverableContent: "" })).not.toBe(bare);
    expect(hashOf({ ...plain, ...parties, valueUsdc: -0 })).toBe(bare);
  });
});
