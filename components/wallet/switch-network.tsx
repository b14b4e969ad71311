"use client";

import { useConnection, useSwitchChain } from "wagmi";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { describeError } from "./error-notice";
import { useNetwork } from "./wallet-shell";

/**
 * Offers to switch networks if the wallet is on another one; renders nothing otherwise. `purpose`
 * starts a sentence that ends with the name of the network.
 */
export function SwitchNetwork({ purpose }: { purpose: string }) {
  const { chainId: expected, chainName } = useNetwork();
  const { isConnected, chainId } = useConnection();
  const { mutate: switchChain, isPending, error } = useSwitchChain();
  if (!isConnected || chainId === expected) return null;
  return (
    <Notice role="status" title={`Your wallet is on another network (chain ${chainId})`}>
      <p>
        {purpose} {chainName}, chain {expected}. Your wallet will ask you to confirm and adds the
        network if needed.
      </p>
      <div className="mt-2">
        <Button small busy={isPending} onClick={() => switchChain({ chainId: expected })}>
          {isPending ? "Confirm in your wallet…" : `Switch to ${chainName}`}
        </Button>
      </div>
      {error && (
        <p role="alert" className="mt-2">
          {describeError(error)}
        </p>
      )}
    </Notice>
  );
}
