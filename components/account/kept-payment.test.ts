import { describe, expect, test } from "vitest";
import { forgetPayment, type KeptPayment, keepPayment, keptPayments } from "./kept-payment";

function store(): Storage {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    key: (at) => [...values.keys()][at] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    clear: () => values.clear(),
  };
}

const payer = { chainId: 31_337, wallet: "0x52908400098527886E0F7030069857D2E4169EE7" };
const payment: KeptPayment = {
  action: "open",
  id: "3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10",
  txHash: `0x${"ab".repeat(32)}`,
  text: "It names only two rivers.",
  deliverableContent: "",
  evidenceUrl: "",
};

describe("a payment that is not handed in yet", () => {
  test("is kept until it is forgotten", () => {
    const kept = store();
    keepPayment(kept, payer, payment);
    keepPayment(kept, payer, { ...payment, action: "answer" });
    expect(keptPayments(kept, payer)).toEqual([payment, { ...payment, action: "answer" }]);
    forgetPayment(kept, payer, payment);
    keepPayment(kept, payer, { ...payment, action: "refund" });
    expect(keptPayments(kept, payer)).toEqual([
      { ...payment, action: "answer" },
      { ...payment, action: "refund" },
    ]);
  });

  test("is shown to nobody else, and on no other chain", () => {
    const kept = store();
    keepPayment(kept, payer, payment);
    expect(keptPayments(kept, { ...payer, wallet: "0xother" })).toEqual([]);
    expect(keptPayments(kept, { ...payer, chainId: 8_453 })).toEqual([]);
  });

  test("does not stand in the way where it is not whole", () => {
    const kept = store();
    const key = `standing.stake.31337.${payer.wallet}.open.`;
    kept.setItem(`${key}1`, "{");
    kept.setItem(`${key}2`, '{"action":"open"}');
    keepPayment(kept, payer, payment);
    expect(keptPayments(kept, payer)).toEqual([payment]);
  });
});
