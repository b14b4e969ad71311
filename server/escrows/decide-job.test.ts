import fc from "fast-check";
import { keccak256, stringToBytes } from "viem";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "@/server/lib/time";
import { chooseStep, hashDeliverable } from "./decide-job";

type Job = Parameters<typeof chooseStep>[0];
type Outcome = NonNullable<Parameters<typeof chooseStep>[1]>;

const NOW = new Date("2026-12-01T12:00:00Z");
const WORK = "Danube, Rhine, Loire.";
const HASH = keccak256(stringToBytes(WORK));
const EVIDENCE = `0x${"ab".repeat(32)}`;
const TERMS = `0x${"cd".repeat(32)}`;

const buildJob = (status: Job["status"], msLeft = DAY_MS, agreed = "DELIVERED"): Job =>
  ({
    row: { expiresAt: new Date(NOW.getTime() + msLeft) },
    status,
    agreement: { termsHash: TERMS, status: agreed },
  }) as Job;
const buildOutcome = (fields: Partial<Outcome> = {}): Outcome =>
  ({
    judgedAt: NOW,
    verdict: "SUCCESS",
    finalVerdict: null,
    confidencePpm: 1_000_000,
    evidenceHash: EVIDENCE,
    disputeId: null,
    deliverableContent: WORK,
    deliverableUrl: null,
    ...fields,
  }) as Outcome;

describe("the step of a job", () => {
  test.each<[string, Job, Outcome | undefined, `0x${string}` | null, object]>([
    [
      "a success",
      buildJob("submitted"),
      buildOutcome(),
      HASH,
      { do: "complete", evidence: EVIDENCE },
    ],
    ["a success, expired", buildJob("submitted", -1), buildOutcome(), HASH, { do: "complete" }],
    ["a success, not submitted", buildJob("funded"), buildOutcome(), null, { do: "wait" }],
    ["that, expired", buildJob("funded", 0), buildOutcome(), null, { do: "ended" }],
    ["another text", buildJob("submitted"), buildOutcome(), keccak256("0x"), { do: "declined" }],
    [
      "a failure with another text",
      buildJob("submitted"),
      buildOutcome({ verdict: "FAILURE" }),
      keccak256("0x"),
      { do: "reject", evidence: EVIDENCE },
    ],
    [
      "a failure that a dispute overturned",
      buildJob("submitted"),
      buildOutcome({ verdict: "FAILURE", finalVerdict: "SUCCESS", disputeId: "d" }),
      HASH,
      { do: "complete" },
    ],
    [
      "an unassessed success",
      buildJob("submitted"),
      buildOutcome({ confidencePpm: 500_000 }),
      HASH,
      { do: "declined" },
    ],
    [
      "no verdict yet, expired",
      buildJob("submitted", -1),
      buildOutcome({ judgedAt: null }),
      HASH,
      { do: "wait" },
    ],
    ["no delivery", buildJob("funded", 1, "AGREED"), undefined, null, { do: "wait" }],
    ["that, expired", buildJob("funded", 0, "AGREED"), undefined, null, { do: "ended" }],
    [
      "a cancelled agreement",
      buildJob("funded", 1, "CANCELLED"),
      undefined,
      null,
      { do: "reject", evidence: TERMS },
    ],
  ])("%s", (_, job, outcome, submitted, expected) => {
    expect(chooseStep(job, outcome, submitted, NOW)).toMatchObject(expected);
  });

  test("completes nothing but an assessed success whose text was submitted", () => {
    const anyOutcome = fc.record({
      verdict: fc.constantFrom("SUCCESS" as const, "FAILURE" as const),
      confidencePpm: fc.integer({ min: 500_000, max: 1_000_000 }),
      judgedAt: fc.option(fc.constant(NOW)),
      deliverableContent: fc.string(),
    });
    const anyStatus = fc.constantFrom("funded" as const, "submitted" as const);
    const check = (status: Job["status"], fields: Partial<Outcome>, text: string) => {
      const outcome = buildOutcome(fields);
      const submitted = status === "submitted" ? keccak256(stringToBytes(text)) : null;
      const step = chooseStep(buildJob(status), outcome, submitted, NOW);
      const mayComplete =
        outcome.judgedAt !== null &&
        outcome.verdict === "SUCCESS" &&
        Number(outcome.confidencePpm) > 500_000 &&
        submitted === hashDeliverable(outcome);
      expect(step.do === "complete").toBe(mayComplete);
    };
    fc.assert(
      fc.property(anyStatus, anyOutcome, fc.string(), fc.boolean(), (status, fields, text, same) =>
        check(status, fields, same ? fields.deliverableContent : text),
      ),
    );
  });
});

test("the hash is of the text's bytes, or of the URL's if the text is blank", () => {
  const url = "https://example.com/ñ";
  const hash = (deliverableContent: string | null, deliverableUrl: string | null) =>
    hashDeliverable({ deliverableContent, deliverableUrl });
  expect(hash("ñ", url)).toBe(keccak256(new TextEncoder().encode("ñ")));
  expect(hash(null, url)).toBe(keccak256(new TextEncoder().encode(url)));
  expect(hash(" ", url)).toBe(hash(null, url));
});
