import { useMutation, useQuery } from "@tanstack/react-query";
import { parseUnits } from "viem";
import { useConfig, useConnection } from "wagmi";
import { Button } from "@/components/ui/button";
import { formatUsdc, shortenHex } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { ChooseWallet } from "@/components/wallet/choose-wallet";
import { ErrorNotice } from "@/components/wallet/error-notice";
import { OpeningWallet } from "@/components/wallet/opening-wallet";
import { fundTestWallet, getUsdcBalance } from "@/components/wallet/pay-usdc";
import { SwitchNetwork } from "@/components/wallet/switch-network";
import { WalletProvider } from "@/components/wallet/wallet-config";
import { useNetwork } from "@/components/wallet/wallet-shell";
import { fromMicro, USDC_DECIMALS } from "@/server/lib/usdc";

interface Props {
  wallet: string;
  /** Amount to pay. */
  amountUsdc: string;
  /** Sentence that says where the money goes. */
  note: string;
}

/** Shows the paying wallet and any problem that keeps it from paying. */
export function PayingWallet(props: Props) {
  return (
    <WalletProvider>
      <Payer {...props} />
    </WalletProvider>
  );
}

function Payer({ wallet, amountUsdc, note }: Props) {
  const config = useConfig();
  const network = useNetwork();
  const { address, status } = useConnection();
  const balance = useQuery({
    queryKey: ["usdc", network.chainId, wallet],
    queryFn: async () => String(await getUsdcBalance(config, network, wallet)),
  });
  const fund = useMutation({
    mutationFn: () => fundTestWallet(network, wallet),
    onSuccess: () => balance.refetch(),
  });
  if (status === "connecting" || status === "reconnecting") return <OpeningWallet />;
  if (status !== "connected") {
    return (
      <div className="grid gap-2">
        <p>Connect the wallet you signed in with to pay.</p>
        <ChooseWallet />
      </div>
    );
  }
  if (address !== wallet) {
    return (
      <Notice role="status" title="Your wallet shows another account">
        Select {shortenHex(wallet)} in your wallet; it is on {shortenHex(address)}.
      </Notice>
    );
  }
  const hasEnough =
    balance.data === undefined || BigInt(balance.data) >= parseUnits(amountUsdc, USDC_DECIMALS);
  return (
    <div className="grid gap-3">
      <SwitchNetwork purpose="The payment is made on" />
      <p className="text-sm text-muted">
        Paid from {shortenHex(wallet)}
        {balance.data !== undefined && `, which has ${formatUsdc(fromMicro(BigInt(balance.data)))}`}
        . {note}
      </p>
      {!hasEnough && (
        <Notice role="status" title="Not enough USDC">
          {network.rpcUrl ? (
            <>
              <p>Local mode: get free test money.</p>
              <div className="mt-2">
                <Button small busy={fund.isPending} onClick={() => fund.mutate()}>
                  {fund.isPending ? "Funding…" : "Get test ether and USDC"}
                </Button>
              </div>
            </>
          ) : (
            `Your wallet needs at least ${amountUsdc} USDC on ${network.chainName}.`
          )}
        </Notice>
      )}
      <ErrorNotice error={fund.error} />
    </div>
  );
}
