import { useEffect } from "react";
import { useConnection, useDisconnect } from "wagmi";
import { Button } from "@/components/ui/button";
import { shortenHex } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { SwitchNetwork } from "./switch-network";
import { useSignIn } from "./use-sign-in";
import { WalletProvider } from "./wallet-provider";

interface Props {
  onSignedIn: () => void;
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

function SignInForm({ onSignedIn, onDisconnected }: Props) {
  const { address, connector, status } = useConnection();
  const { mutate: disconnect } = useDisconnect();
  const { signIn, step, error } = useSignIn(onSignedIn);
  const isDisconnected = status === "disconnected";
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the wallet disconnects
  useEffect(() => {
    if (isDisconnected) onDisconnected();
  }, [isDisconnected]);
  if (status !== "connected" || !address || !connector) {
    return (
      <p role="status" className="min-h-30 text-muted">
        Opening your wallet…
      </p>
    );
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
        <SwitchNetwork purpose="You can still sign in. Stakes are paid on" />
        <div>
          <Button
            variant="primary"
            busy={step !== "idle"}
            onClick={() => signIn(address, connector)}
          >
            {step === "idle" && "Sign in"}
            {step === "signing" && "Sign the message in your wallet…"}
            {step === "verifying" && "Checking the signature…"}
          </Button>
        </div>
        {error && <Notice role="alert">{error}</Notice>}
      </div>
    </>
  );
}
