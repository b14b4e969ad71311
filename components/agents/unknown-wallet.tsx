"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { TextLink } from "@/components/ui/text-link";

const WALLET = /^\/agents\/(0x[0-9a-fA-F]{40})(\/|$)/;

/** Explains why a wallet has no page: nothing is known of it, or the address is no wallet. */
export function UnknownWallet() {
  const path = usePathname();
  const [, wallet] = WALLET.exec(path) ?? [];
  const page = useSearchParams().get("page");
  if (wallet && page !== null) {
    return (
      <>
        <h1 className="mt-1 text-3xl font-semibold">Page not found</h1>
        <p className="mt-3 mb-6 text-muted">
          The list of jobs has fewer pages. <TextLink href={path}>Go to the first page</TextLink>
        </p>
      </>
    );
  }
  return (
    <>
      <h1 className="mt-1 text-3xl font-semibold">
        {wallet ? "Unknown wallet" : "Not a wallet address"}
      </h1>
      {wallet && <p className="mt-2 font-mono text-[0.8125rem] break-all">{wallet}</p>}
      <p className="mt-3 mb-6 text-muted">
        {wallet
          ? "No agent is registered for this wallet, and no recorded outcome names it. There is no evidence for or against it."
          : "An address is 0x and 40 hexadecimal digits. A mistyped letter can also fail its checksum."}
      </p>
    </>
  );
}
