import { describe, expect, test } from "vitest";
import { createPaidOutcome } from "@/server/testing/fixtures/sample-ledger";
import { parseExamples, parseLedger } from "./ledger-file";

const RECORDS = [
  createPaidOutcome(1),
  { type: "dispute", outcomeId: "o1", verdict: "REQUESTER_WINS", assessed: true, resolvedAt: 5 },
  { type: "anchor", seq: 3, wallet: 'r,"[{}]\\', from: 0, until: null },
  { type: "anchor-revoked", anchorSeq: 3 },
  { type: "takeover", wallet: "A", at: 7 },
];

describe("a ledger file", () => {
  test("is an array, on one line or many, or JSON Lines, with or without empty lines", () => {
    const lines = RECORDS.map((record) => JSON.stringify(record));
    for (const text of [
      JSON.stringify(RECORDS),
      `\uFEFF  ${JSON.stringify(RECORDS, null, 2)}\n`,
      lines.join("\n"),
      `\n${lines.join("\r\n\r\n")}\r\n`,
    ]) {
      expect(parseLedger(text)).toEqual(RECORDS);
    }
  });

  test("may be empty", () => {
    for (const text of ["", "\n", "[]", " [\n] \n"]) expect(parseLedger(text)).toEqual([]);
  });

  test("may have further fields, which are ignored", () => {
    const text = JSON.stringify([{ ...RECORDS[1], seq: 9, evidenceHash: "0x", policy: "qc-4" }]);
    expect(parseLedger(text)).toEqual([RECORDS[1]]);
  });
});

const fine = JSON.stringify(RECORDS[4]);

describe("an invalid ledger is rejected with its line or item", () => {
  test.each([
    ["a broken line", `${fine}\n\n{"type":`, "line 3 is not valid JSON"],
    ["text instead of records", "hello", "line 1 is not valid JSON"],
    ["a broken array", `[\n${fine},\n]`, "the array is not valid JSON"],
    ["more after the array", `[${fine}]\n${fine}`, "the array is not valid JSON"],
    ["no record", `[\n${fine},\n7]`, /^item 2: .*expected object/],
    ["an unknown type", '{"type":"gift"}', /^line 1: type: /],
    ["a missing field", '{"type":"takeover","wallet":"A"}', /^line 1: at: .*expected number/],
    ["a fraction", '{"type":"takeover","wallet":"A","at":1.5}', /^line 1: at: .*expected int/],
    ["a number as text", '{"type":"anchor-revoked","anchorSeq":"3"}', /^line 1: anchorSeq: /],
    [
      "a confidence above one",
      JSON.stringify(createPaidOutcome(1, { confPpm: 1_000_001 })),
      /^line 1: confPpm: /,
    ],
    [
      "a negative amount",
      JSON.stringify(createPaidOutcome(1, { paidMicro: -1 })),
      /^line 1: paidMicro/,
    ],
  ])("%s", (_, text, message) => {
    expect(() => parseLedger(text)).toThrow(message);
  });

  test("inside a worked example too", () => {
    const example = { name: "x", wallet: "A", now: 1, log: [RECORDS[4], { type: "takeover" }] };
    expect(() => parseExamples(`[\n${JSON.stringify(example)}]`)).toThrow(
      /^item 1: log\.1\.wallet/,
    );
  });
});
