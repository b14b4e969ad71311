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

/** Wallet and chain that a stored payment belongs to. */
interface Payer {
  chainId: number;
  wallet: string;
}

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const keyPrefix = ({ chainId, wallet }: Payer) => `standing.stake.${chainId}.${wallet}.`;
const storageKey = (payer: Payer, { action, id }: Pick<StoredPayment, "action" | "id">) =>
  `${keyPrefix(payer)}${action}.${id}`;

/**
 * Stores a payment until it is removed; it survives reloads and browser restarts. Drops a deliverable
 * that exceeds the storage quota, so that the payment is not lost.
 */
export function storePayment(store: Store, payer: Payer, payment: StoredPayment): void {
  const key = storageKey(payer, payment);
  try {
    store.setItem(key, JSON.stringify(payment));
  } catch {
    store.setItem(key, JSON.stringify({ ...payment, deliverableContent: "" }));
  }
}

export function removePayment(
  store: Store,
  payer: Payer,
  payment: Pick<StoredPayment, "action" | "id">,
): void {
  store.removeItem(storageKey(payer, payment));
}

/** Returns a payer's stored payments. */
export function listStoredPayments(store: Store, payer: Payer): StoredPayment[] {
  const keys = Array.from({ length: store.length }, (_, at) => store.key(at) ?? "");
  return keys
    .filter((key) => key.startsWith(keyPrefix(payer)))
    .map((key) => JSON.parse(store.getItem(key) ?? ""));
}

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
