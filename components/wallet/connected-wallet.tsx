import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Address } from "viem";
import { createSiweMessage } from "viem/siwe";
import { type Connector, useConnection, useDisconnect, useSignMessage } from "wagmi";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { shortenHex } from "@/components/ui/format";
import { ErrorNotice } from "./error-notice";
import { OpeningWallet } from "./opening-wallet";
import { WalletProvider } from "./wallet-config";
import { KEEPS_PAGE } from "./wallet-shell";

interface Props {
  /** Called once no wallet is connected. */
  onDisconnected: () => void;
}

/** Signs in with the connected wallet. */
export default function ConnectedWallet(props: Props) {
  return (
    <WalletProvider>
      <SignInForm {...props} />
    </WalletProvider>
  );
}

function SignInForm({ onDisconnected }: Props) {
  const { address, connector, status } = useConnection();
  const { mutate: disconnect } = useDisconnect();
  const signIn = useSignIn();
  const isDisconnected = status === "disconnected";
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the wallet disconnects
  useEffect(() => {
    if (isDisconnected) onDisconnected();
  }, [isDisconnected]);
  if (status !== "connected" || !address || !connector) {
    return <OpeningWallet size="min-h-30" />;
  }
  return (
    <>
      <p>
        Connected: <span title={address}>{shortenHex(address)}</span>
        <span className="text-muted"> in {connector.name}.</span>{" "}
        <button type="button" onClick={() => disconnect()} className="text-sm underline">
          Use another wallet
        </button>
      </p>
      <p className="mt-2 text-sm text-muted">
        Sign the message in your wallet to prove ownership. It's free and moves no money.
      </p>
      <div className="mt-4 grid gap-3">
        <Button
          variant="primary"
          className="justify-self-start"
          busy={signIn.isPending || signIn.isSuccess}
          onClick={() => signIn.mutate({ address, connector })}
        >
          {signIn.isPending ? "Sign the message in your wallet…" : "Sign in"}
        </Button>
        <ErrorNotice error={signIn.error} />
      </div>
    </>
  );
}

/** Signs in with Ethereum (ERC-4361): nonce, wallet signature, session cookie. */
function useSignIn() {
  const cache = useQueryClient();
  const { mutateAsync: requestNonce } = trpc.agents.nonce.useMutation(KEEPS_PAGE);
  const { mutateAsync: signMessage } = useSignMessage();
  const { mutateAsync: startSession } = trpc.agents.account.signIn.useMutation();
  return useMutation({
    networkMode: "always",
    async mutationFn({ address, connector }: { address: Address; connector: Connector }) {
      const { nonce, domain, uri, chainId, statements } = await requestNonce();
      const message = createSiweMessage({
        address,
        nonce,
        domain,
        uri,
        chainId,
        version: "1",
        statement: statements.signIn,
        issuedAt: new Date(),
      });
      const signature = await signMessage({ account: address, connector, message });
      await startSession({ walletAddress: address, walletProof: { message, signature } });
      // Clears data that the previous session's owner may have loaded.
      cache.clear();
    },
  });
}
