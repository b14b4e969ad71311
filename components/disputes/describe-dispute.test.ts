import { expect, test } from "vitest";
import { getFinalResult } from "@/components/outcomes/result";
import type { Dispute } from "@/server/disputes/schema";
import { describeEnd, explainUnassessed, formatDuration } from "./describe-dispute";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

test.each([
  [7 * DAY, "7 days"],
  [7 * DAY - SECOND, "7 days"],
  [6 * DAY + HOUR, "6 days"],
  [2 * DAY + HOUR, "2 days"],
  [DAY + HOUR, "1 day 1 hour"],
  [DAY + 59 * SECOND, "1 day"],
  [5 * HOUR + 12 * 60 * SECOND, "5 hours 12 minutes"],
  [90 * SECOND, "1 minute 30 seconds"],
  [30 * SECOND, "30 seconds"],
  [SECOND - 1, "1 second"],
  [0, "0 seconds"],
  [-DAY, "0 seconds"],
])("formats %d ms as %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  ["a lost dispute of work that was not assessed", false, "SUCCESS", "SUCCESS", "NOT_ASSESSED"],
  [
    "a failure overturned by a review that found nothing",
    false,
    "FAILURE",
    "SUCCESS",
    "NOT_ASSESSED",
  ],
  ["a review that examined the work", true, "SUCCESS", "SUCCESS", "SUCCESS"],
  ["an open dispute", undefined, "SUCCESS", undefined, undefined],
] as const)(
  "shows what is known after %s",
  (_, assessed, recordedVerdict, finalVerdict, result) => {
    const dispute = { recordedVerdict, recordedAssessed: false, assessed, finalVerdict };
    expect(getFinalResult(dispute)).toBe(result);
    if (assessed === false && recordedVerdict === finalVerdict) {
      expect(getFinalResult({ ...dispute, recordedAssessed: true })).toBe(finalVerdict);
    }
  },
);

test.each([
  ["FAILURE", true, "SUCCESS", true, "Ada won: failure overturned to success", undefined],
  ["FAILURE", true, "FAILURE", true, "Bob won: “failure” upheld", undefined],
  [
    "SUCCESS",
    false,
    "SUCCESS",
    false,
    "Ada won: “not assessed” upheld",
    /a success without weight/,
  ],
  [
    "FAILURE",
    false,
    "FAILURE",
    false,
    "Bob won: “not assessed” upheld",
    /a failure without weight/,
  ],
  ["FAILURE", true, "SUCCESS", false, "Ada won: failure overturned to not assessed", /neither way/],
] as const)("the end of a dispute names its winner: %s, %s → %s, %s", (...facts) => {
  const [recordedVerdict, recordedAssessed, finalVerdict, assessed, text, note] = facts;
  const dispute = { recordedVerdict, recordedAssessed, finalVerdict, assessed } as Dispute;
  const parties = { contractorAgentAddress: "Ada", requesterAgentAddress: "Bob" } as const;
  expect(describeEnd({ ...dispute, ...parties } as never, (wallet) => wallet)).toBe(text);
  if (note) expect(explainUnassessed(dispute)).toMatch(note);
  else expect(explainUnassessed(dispute)).toBeUndefined();
});
