"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { formatUnits, parseUnits } from "viem";
import { useConfig, useConnection } from "wagmi";
import { Button } from "@/components/ui/button";
import { formatUsdc, shortenHex } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { ChooseWallet } from "@/components/wallet/choose-wallet";
import { usdcOf } from "@/components/wallet/pay-usdc";
import { RightNetwork } from "@/components/wallet/right-network";
import { sayError } from "@/components/wallet/say-error";
import { giveTestMoney } from "@/components/wallet/test-money";
import { useNetwork } from "@/components/wallet/wallet-shell";

interface Props {
  wallet: string;
  /** What it is about to pay. */
  amountUsdc: string;
  /** What becomes of the payment. */
  note: string;
}

/** The wallet that pays, and what has to change before it can. */
export function PayingWallet({ wallet, amountUsdc, note }: Props) {
  const config = useConfig();
  const network = useNetwork();
  const { address, status } = useConnection();
  const balance = useQuery({
    queryKey: ["usdc", network.chainId, wallet],
    queryFn: async () => String(await usdcOf(config, network, wallet)),
  });
  const give = useMutation({
    mutationFn: () => giveTestMoney(network, wallet),
    onSuccess: () => balance.refetch(),
  });
  if (status !== "connected") {
    return (
      <div className="grid gap-2">
        <p>Connect the wallet that you signed in with: it makes the payment.</p>
        <ChooseWallet />
      </div>
    );
  }
  if (address !== wallet) {
    return (
      <Notice role="status" title="Your wallet shows another account">
        It is on {shortenHex(address)}; the payment has to come from {shortenHex(wallet)}. Choose
        that account in your wallet.
      </Notice>
    );
  }
  const enough = balance.data === undefined || BigInt(balance.data) >= parseUnits(amountUsdc, 6);
  return (
    <div className="grid gap-3">
      <RightNetwork why="The payment is made on" />
      <p className="text-sm text-muted">
        Paid from {shortenHex(wallet)}
        {balance.data !== undefined &&
          `, which has ${formatUsdc(Number(formatUnits(BigInt(balance.data), 6)))}`}
        . {note}
      </p>
      {!enough && (
        <Notice role="status" title="Not enough USDC">
          {network.rpcUrl ? (
            <>
              <p>This is a local chain, whose money is worth nothing: take some.</p>
              <div className="mt-2">
                <Button small busy={give.isPending} onClick={() => give.mutate()}>
                  {give.isPending ? "Giving…" : "Get test ether and USDC"}
                </Button>
              </div>
            </>
          ) : (
            `You need at least ${amountUsdc} USDC on ${network.chainName} in your wallet.`
          )}
        </Notice>
      )}
      {give.error && <Notice role="alert">{sayError(give.error)}</Notice>}
    </div>
  );
}
