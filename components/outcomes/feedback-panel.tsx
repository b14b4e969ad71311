import { useMutation } from "@tanstack/react-query";
import type { Hex } from "viem";
import { useConfig, useConnection } from "wagmi";
import { sendTransaction } from "wagmi/actions";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { TransactionHash } from "@/components/ui/hex";
import { Panel } from "@/components/ui/panel";
import { ErrorNotice } from "@/components/wallet/error-notice";
import type { Network } from "@/components/wallet/network";
import { requireAccount } from "@/components/wallet/require-account";
import { WalletProvider } from "@/components/wallet/wallet-config";
import { WalletShell } from "@/components/wallet/wallet-shell";
import type { WalletConnectors } from "@/server/chain/schema";
import type { FeedbackCall } from "@/server/feedback/schema";

export interface FeedbackPanelProps {
  outcomeId: string;
  requester: string;
  network: Network;
  optionalWallets: WalletConnectors;
}

/** Lets the requester's wallet send the outcome's ERC-8004 feedback; renders nothing for others. */
export default function FeedbackPanel({ optionalWallets, ...props }: FeedbackPanelProps) {
  return (
    <WalletShell network={props.network} optionalWallets={optionalWallets} hasConnection>
      <WalletProvider>
        <FeedbackForm {...props} />
      </WalletProvider>
    </WalletShell>
  );
}

function FeedbackForm({
  outcomeId,
  requester,
  network,
}: Omit<FeedbackPanelProps, "optionalWallets">) {
  const config = useConfig();
  const isRequester = useConnection().address === requester;
  const call = trpc.feedback.prepare.useQuery(
    { outcomeId },
    { enabled: isRequester, retry: false },
  ).data;
  const sending = useMutation({
    mutationFn: async ({ to, data, chainId }: FeedbackCall) => {
      await requireAccount(config, network, requester);
      const account = requester as Hex;
      return sendTransaction(config, { account, chainId, to: to as Hex, data: data as Hex });
    },
  });
  if (!isRequester || !call) return null;
  return (
    <Panel
      title="Give ERC-8004 feedback"
      note={`Tells the registry on ${network.chainName} this verdict about agent ${call.agentId}, in your name.`}
    >
      {sending.data ? (
        <p role="status">
          Sent:{" "}
          <TransactionHash
            value={sending.data}
            name="feedback transaction hash"
            explorerUrl={network.explorerUrl}
          />
        </p>
      ) : (
        <Button busy={sending.isPending} onClick={() => sending.mutate(call)}>
          {sending.isPending ? "Confirm in your wallet…" : "Give feedback"}
        </Button>
      )}
      <ErrorNotice error={sending.error} className="mt-3" />
    </Panel>
  );
}
