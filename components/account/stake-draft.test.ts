import { describe, expect, test } from "vitest";
import { checkStake } from "./stake-draft";

const NOTHING = { text: "", deliverableContent: "", evidenceUrl: "", txHash: "" };

describe("what is handed in with a stake", () => {
  test("needs a reason to open a dispute, and none to answer one", () => {
    expect(checkStake("open", { ...NOTHING, text: " " })).toEqual({
      text: "Say why the verdict is wrong.",
    });
    expect(checkStake("open", { ...NOTHING, text: "It is." })).toEqual({});
    expect(checkStake("answer", NOTHING)).toEqual({});
  });

  test.each(["open", "answer"] as const)("is checked before anything is paid to %s", (action) => {
    const draft = {
      text: "x".repeat(10_001),
      deliverableContent: "x".repeat(500_001),
      evidenceUrl: "ftp://a.example",
      txHash: "0x12",
    };
    expect(Object.keys(checkStake(action, draft))).toEqual([
      "text",
      "deliverableContent",
      "evidenceUrl",
      "txHash",
    ]);
  });
});
