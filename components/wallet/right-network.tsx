"use client";

import { useConnection, useSwitchChain } from "wagmi";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { sayError } from "./say-error";
import { useNetwork } from "./wallet-shell";

/** Says where the wallet is on another network, and offers to change; nothing where it is right. */
export function RightNetwork({ why }: { why: string }) {
  const { chainId: wanted, chainName } = useNetwork();
  const { isConnected, chainId } = useConnection();
  const { mutate: change, isPending, error } = useSwitchChain();
  if (!isConnected || chainId === wanted) return null;
  return (
    <Notice role="status" title={`Your wallet is on another network (chain ${chainId})`}>
      <p>
        {why} {chainName}, chain {wanted}. Your wallet will ask you, and add the network if it does
        not know it.
      </p>
      <div className="mt-2">
        <Button small busy={isPending} onClick={() => change({ chainId: wanted })}>
          {isPending ? "Answer in your wallet…" : `Change to ${chainName}`}
        </Button>
      </div>
      {error && (
        <p role="alert" className="mt-2">
          {sayError(error)}
        </p>
      )}
    </Notice>
  );
}
