import { keccak256 } from "viem";
import { expect, test } from "vitest";
import { hashDeliverable } from "./decide-job";

test("the hash is of the text's bytes, as they were sent", () => {
  for (const text of ["\u00f1", "n\u0303", " ñ\n", "\u200bñ"]) {
    expect(hashDeliverable(text)).toBe(keccak256(new TextEncoder().encode(text)));
  }
});
