import { useEffect, useState } from "react";
import { isTxHash } from "@/components/account/validate";
import { useNetwork } from "@/components/wallet/wallet-shell";

/** A sent payment that the service may not know yet, with its statement. */
export interface StoredPayment {
  /** A stake that opens or answers a dispute, a refund, or the payment of an agreement. */
  action: "open" | "answer" | "refund" | "agreement";
  /** Outcome ID; dispute ID for `answer`, agreement ID for `agreement`. */
  id: string;
  txHash: string;
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

/** Returns a payer's stored payments, skipping malformed ones. */
export function listStoredPayments(store: Store, payer: Payer): StoredPayment[] {
  const found: StoredPayment[] = [];
  for (let at = 0; at < store.length; at++) {
    const key = store.key(at);
    if (key?.startsWith(keyPrefix(payer))) found.push(...parsePayment(store.getItem(key)));
  }
  return found;
}

function parsePayment(text: string | null): StoredPayment[] {
  try {
    const stored = { deliverableContent: "", ...JSON.parse(text ?? "") };
    return isPayment(stored) ? [stored] : [];
  } catch {
    return [];
  }
}

function isPayment(stored: Record<keyof StoredPayment, unknown>): stored is StoredPayment {
  const { action, txHash, id, text, deliverableContent, evidenceUrl } = stored;
  return (
    ["open", "answer", "refund", "agreement"].some((known) => known === action) &&
    typeof txHash === "string" &&
    isTxHash(txHash) &&
    [id, text, deliverableContent, evidenceUrl].every((field) => typeof field === "string")
  );
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
