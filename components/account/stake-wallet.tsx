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

/** The wallet that pays, and whatever is in the way of paying. */
export function StakeWallet({ wallet }: { wallet: string }) {
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
        <p>Connect the wallet that you signed in with; it pays the stake.</p>
        <ChooseWallet />
      </div>
    );
  }
  if (address !== wallet) {
    return (
      <Notice role="status" title="Your wallet shows another account">
        It is on {shortenHex(address)}; the stake has to come from {shortenHex(wallet)}. Choose that
        account in your wallet.
      </Notice>
    );
  }
  const enough =
    balance.data === undefined || BigInt(balance.data) >= parseUnits(network.stakeUsdc, 6);
  return (
    <div className="grid gap-3">
      <RightNetwork why="The stake is paid on" />
      <p className="text-sm text-muted">
        Paid from {shortenHex(wallet)}
        {balance.data !== undefined &&
          `, which has ${formatUsdc(Number(formatUnits(BigInt(balance.data), 6)))}`}
        . The winner of the dispute gets the stake back; the loser does not.
      </p>
      {!enough && (
        <Notice role="status" title="Too little USDC for the stake">
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
            `Send at least ${network.stakeUsdc} USDC on ${network.chainName} to your wallet first.`
          )}
        </Notice>
      )}
      {give.error && <Notice role="alert">{sayError(give.error)}</Notice>}
    </div>
  );
}
