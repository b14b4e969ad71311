import { describe, expect, test } from "vitest";
import {
  listStoredPayments,
  removePayment,
  type StoredPayment,
  storePayment,
} from "./stored-payment";

function createStorage(): Storage {
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
const payment: StoredPayment = {
  action: "open",
  id: "3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10",
  txHash: `0x${"ab".repeat(32)}`,
  text: "It names only two rivers.",
  deliverableContent: "",
  evidenceUrl: "",
};

describe("a stored payment", () => {
  test("is stored until it is removed", () => {
    const kept = createStorage();
    storePayment(kept, payer, payment);
    storePayment(kept, payer, { ...payment, action: "answer" });
    expect(listStoredPayments(kept, payer)).toEqual([payment, { ...payment, action: "answer" }]);
    removePayment(kept, payer, payment);
    storePayment(kept, payer, { ...payment, action: "refund" });
    expect(listStoredPayments(kept, payer)).toEqual([
      { ...payment, action: "answer" },
      { ...payment, action: "refund" },
    ]);
  });

  test("is not shown to other wallets or on other chains", () => {
    const kept = createStorage();
    storePayment(kept, payer, payment);
    expect(listStoredPayments(kept, { ...payer, wallet: "0xother" })).toEqual([]);
    expect(listStoredPayments(kept, { ...payer, chainId: 8_453 })).toEqual([]);
  });

  test("is skipped if malformed", () => {
    const kept = createStorage();
    const key = `standing.stake.31337.${payer.wallet}.open.`;
    kept.setItem(`${key}1`, "{");
    kept.setItem(`${key}2`, '{"action":"open"}');
    storePayment(kept, payer, payment);
    expect(listStoredPayments(kept, payer)).toEqual([payment]);
  });
});
