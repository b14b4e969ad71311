import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { parseUnits } from "viem";
import { useConfig } from "wagmi";
import { Button } from "@/components/ui/button";
import { formatUsdc, shortenHex } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { ErrorNotice } from "@/components/wallet/error-notice";
import { fundTestWallet, getFunds } from "@/components/wallet/pay-usdc";
import { RequireWallet } from "@/components/wallet/require-wallet";
import { useNetwork } from "@/components/wallet/wallet-shell";
import { fromMicro, USDC_DECIMALS } from "@/server/lib/usdc";

interface Props {
  wallet: string;
  /** Amount to pay; null if only gas is. */
  amountUsdc: string | null;
  /** Units of gas; by default those of a transfer. */
  gas?: bigint;
  /** Sentence that says where the money goes. */
  note: string;
  /** Called with whether the wallet has enough USDC, and ether for gas, as far as is known. */
  onCovered: (isCovered: boolean) => void;
}

/** Shows the paying wallet and any problem that keeps it from paying. */
export function PayingWallet(props: Props) {
  return (
    <RequireWallet wallet={props.wallet} purpose="pay">
      <Payer {...props} />
    </RequireWallet>
  );
}

function Payer({ wallet, amountUsdc, gas, note, onCovered }: Props) {
  const config = useConfig();
  const network = useNetwork();
  const funds = useQuery({
    queryKey: ["funds", network.chainId, wallet],
    queryFn: () => getFunds(config, network, wallet, gas),
  });
  const fund = useMutation({
    mutationFn: () => fundTestWallet(network, wallet),
    onSuccess: () => funds.refetch(),
  });
  const { usdc, hasGas = true } = funds.data ?? {};
  const hasUsdc = usdc === undefined || usdc >= parseUnits(amountUsdc ?? "0", USDC_DECIMALS);
  const hasEnough = hasUsdc && hasGas;
  const [lacking = "", needed = ""] = [
    [hasUsdc ? [] : "USDC", hasGas ? [] : "ether for gas"],
    [hasUsdc ? [] : `at least ${amountUsdc} USDC`, hasGas ? [] : "a little ether for gas"],
  ].map((parts) => parts.flat().join(" and "));
  useEffect(() => onCovered(hasEnough), [hasEnough, onCovered]);
  return (
    <div className="grid gap-3">
      <p className="text-sm text-muted">
        {amountUsdc ? "Paid" : "Sent"} from {shortenHex(wallet)}
        {amountUsdc && usdc !== undefined && `, which has ${formatUsdc(fromMicro(usdc))}`}. {note}
      </p>
      {!hasEnough && (
        <Notice role="status" title={`Not enough ${lacking}`}>
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
            `Your wallet needs ${needed} on ${network.chainName}.`
          )}
        </Notice>
      )}
      <ErrorNotice error={fund.error} />
    </div>
  );
}
