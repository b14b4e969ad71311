"use client";

import { useEffect, useState } from "react";
import { useNetwork } from "@/components/wallet/wallet-shell";
import { type KeptPayment, keptPayments } from "./kept-payment";

/** Payments of an earlier visit that were not handed in; empty until the page runs in a browser. */
export function useKeptPayments(wallet: string): KeptPayment[] {
  const { chainId } = useNetwork();
  const [kept, setKept] = useState<KeptPayment[]>([]);
  useEffect(() => setKept(keptPayments(localStorage, { chainId, wallet })), [chainId, wallet]);
  return kept;
}
