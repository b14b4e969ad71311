"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { useConnection, useDisconnect } from "wagmi";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { shortenHex } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { ChooseWallet } from "./choose-wallet";
import { RightNetwork } from "./right-network";
import { useSignIn } from "./use-sign-in";

interface Props {
  /** Shows above which step of a longer way this is: 0 connecting, 1 signing in. */
  steps?: (at: 0 | 1) => ReactNode;
  /** What else one may want to know meanwhile. */
  beside?: ReactNode;
}

/** Connect a wallet, then sign in with it; the page is asked for anew once that is done. */
export function SignIn({ steps, beside }: Props) {
  const router = useRouter();
  const { address, connector, status } = useConnection();
  const { mutate: disconnect } = useDisconnect();
  const { signIn, step, error } = useSignIn(() => router.refresh());
  useSignedInAlready(() => router.refresh());

  if (status !== "connected" || !address || !connector) {
    return (
      <Step title="Connect your wallet" above={steps?.(0)} beside={beside}>
        <ChooseWallet />
      </Step>
    );
  }
  return (
    <Step title="Sign in with it" above={steps?.(1)} beside={beside}>
      <p>
        Connected: <span title={address}>{shortenHex(address)}</span>
        <span className="text-muted"> in {connector.name}.</span>{" "}
        <button type="button" onClick={() => disconnect()} className="text-sm underline">
          Use another wallet
        </button>
      </p>
      <p className="mt-2 text-sm text-muted">
        Your wallet shows you a message to sign. It proves that the wallet is yours; it costs
        nothing, and moves nothing.
      </p>
      <div className="mt-4 grid gap-3">
        <RightNetwork why="You can sign in all the same. Stakes are paid on" />
        <div>
          <Button look="main" busy={step !== "idle"} onClick={() => signIn(address, connector)}>
            {step === "idle" && "Sign in"}
            {step === "asking" && "Sign the message in your wallet…"}
            {step === "checking" && "Checking the signature…"}
          </Button>
        </div>
        {error && <Notice role="alert">{error}</Notice>}
      </div>
    </Step>
  );
}

/**
 * A visit that another site's link began comes without the session's cookie, though there is one;
 * what the page itself asks for carries it.
 */
function useSignedInAlready(then: () => void) {
  const me = trpc.agents.account.me.useQuery(undefined, { retry: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the answer is there
  useEffect(() => {
    if (me.isSuccess) then();
  }, [me.isSuccess]);
}

interface StepProps {
  title: string;
  above: ReactNode;
  beside: ReactNode;
  children: ReactNode;
}

function Step({ title, above, beside, children }: StepProps) {
  return (
    <>
      {above}
      <div className="grid grid-cols-1 items-start gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,36rem)_1fr]">
        <section className="rounded-lg border border-line bg-raised p-5 sm:p-6">
          <h2 className="text-xl font-semibold">{title}</h2>
          <div className="mt-4">{children}</div>
        </section>
        {beside}
      </div>
    </>
  );
}
