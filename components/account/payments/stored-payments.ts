import { useEffect, useState } from "react";
import type { Hex } from "viem";
import { useNetwork } from "@/components/wallet/wallet-shell";

/** A sent payment that the service may not know yet, with its statement. */
export interface StoredPayment {
  /** A stake that opens or answers a dispute, a refund, or the payment of an agreement. */
  action: "open" | "answer" | "refund" | "agreement";
  /** Outcome ID; dispute ID for `answer`, agreement ID for `agreement`. */
  id: string;
  txHash: Hex;
  text: string;
  /** Empty for none. */
  deliverableContent: string;
  evidenceUrl: string;
}

/** What is paid for; it has one payment at most. */
export type Subject = Pick<StoredPayment, "action" | "id">;

/** Wallet and chain that a stored payment belongs to. */
interface Payer {
  chainId: number;
  wallet: string;
}

type Store = Pick<Storage, "getItem" | "setItem">;

const getKey = ({ chainId, wallet }: Payer) => `standing.payments.${chainId}.${wallet}`;

/** Returns a payer's stored payments. */
export const listStoredPayments = (store: Store, payer: Payer): StoredPayment[] =>
  JSON.parse(store.getItem(getKey(payer)) ?? "[]");

/**
 * Stores a payment until it is removed; it survives reloads and browser restarts. Drops a deliverable
 * that exceeds the storage quota, so that the payment is not lost.
 */
export function storePayment(store: Store, payer: Payer, payment: StoredPayment): void {
  const others = listOthers(store, payer, payment);
  const save = (stored: StoredPayment) =>
    store.setItem(getKey(payer), JSON.stringify([...others, stored]));
  try {
    save(payment);
  } catch {
    save({ ...payment, deliverableContent: "" });
  }
}

export function removePayment(store: Store, payer: Payer, subject: Subject): void {
  store.setItem(getKey(payer), JSON.stringify(listOthers(store, payer, subject)));
}

const listOthers = (store: Store, payer: Payer, { action, id }: Subject) =>
  listStoredPayments(store, payer).filter((one) => one.action !== action || one.id !== id);

/** Returns payments of an earlier visit that were not submitted; empty until hydrated. */
export function useStoredPayments(wallet: string): StoredPayment[] {
  const { chainId } = useNetwork();
  const [payments, setPayments] = useState<StoredPayment[]>([]);
  useEffect(
    () => setPayments(listStoredPayments(localStorage, { chainId, wallet })),
    [chainId, wallet],
  );
  return payments;
}
