import { describe, expect, test } from "vitest";
import {
  listStoredPayments,
  removePayment,
  type StoredPayment,
  storePayment,
} from "./stored-payments";

function createStorage() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
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
  test("is listed until it is removed", () => {
    const storage = createStorage();
    storePayment(storage, payer, payment);
    storePayment(storage, payer, { ...payment, action: "answer" });
    expect(listStoredPayments(storage, payer)).toEqual([payment, { ...payment, action: "answer" }]);
    removePayment(storage, payer, payment);
    storePayment(storage, payer, { ...payment, action: "refund" });
    storePayment(storage, payer, { ...payment, action: "agreement" });
    expect(listStoredPayments(storage, payer).map(({ action }) => action)).toEqual([
      "answer",
      "refund",
      "agreement",
    ]);
  });

  test("loses its deliverable rather than itself if the storage is full", () => {
    const storage = createStorage();
    const setItem = (key: string, value: string) => {
      if (value.length > 1_000) throw new DOMException("full", "QuotaExceededError");
      storage.setItem(key, value);
    };
    const large = { ...payment, deliverableContent: "x".repeat(1_000) };
    storePayment({ ...storage, setItem }, payer, large);
    expect(listStoredPayments(storage, payer)).toEqual([payment]);
  });

  test("is not shown to other wallets or on other chains", () => {
    const storage = createStorage();
    storePayment(storage, payer, payment);
    expect(listStoredPayments(storage, { ...payer, wallet: "0xother" })).toEqual([]);
    expect(listStoredPayments(storage, { ...payer, chainId: 8_453 })).toEqual([]);
  });
});
