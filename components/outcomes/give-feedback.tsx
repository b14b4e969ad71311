"use client";

import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import { hasConnection, WALLET_COOKIE } from "@/components/wallet/network";
import type { FeedbackPanelProps } from "./feedback-panel";

// The wallet libraries load only for visitors with a connected wallet.
const FeedbackPanel = dynamic(() => import("./feedback-panel"), { ssr: false });

/** Offers the requester, once its wallet is connected, to give the outcome's ERC-8004 feedback. */
export function GiveFeedback(props: FeedbackPanelProps) {
  const [isConnected, setConnected] = useState(false);
  // Other visitors share the page, so that only the browser knows.
  useEffect(() => setConnected(hasConnection(readCookie(WALLET_COOKIE))), []);
  return isConnected ? <FeedbackPanel {...props} /> : null;
}

function readCookie(name: string): string | undefined {
  const found = document.cookie.split("; ").find((cookie) => cookie.startsWith(`${name}=`));
  return found && decodeURIComponent(found.slice(name.length + 1));
}
