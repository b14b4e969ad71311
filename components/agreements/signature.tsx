"use client";

import { useMutation } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/wallet/error-notice";
import { OpeningWallet } from "@/components/wallet/opening-wallet";
import type { TypedData } from "@/components/wallet/signing-wallet";
import { useWalletSettings } from "@/components/wallet/wallet-shell";

const RequireWallet = dynamic(
  () => import("@/components/wallet/signing-wallet").then((all) => all.RequireWallet),
  { ssr: false, loading: () => <OpeningWallet /> },
);

interface Props<Result> {
  wallet: string;
  typedData: TypedData;
  label: string;
  variant?: "primary" | "secondary";
  /** Sends the signature to the service. */
  submit: (signature: string) => Promise<Result>;
  onDone?: (result: Result) => void;
  /** Further buttons. */
  children?: ReactNode;
}

/** Has the account `wallet` sign, and submits the signature. */
export function Signature<Result>(props: Props<Result>) {
  const { wallet, typedData, label, variant = "primary", submit, onDone, children } = props;
  const settings = useWalletSettings();
  const signing = useMutation({
    networkMode: "always",
    mutationFn: async () => {
      const { openWallets, signWith } = await import("@/components/wallet/signing-wallet");
      const config = openWallets(settings);
      return submit(await signWith(config, settings.network, wallet, typedData));
    },
    ...(onDone && { onSuccess: onDone }),
  });
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <RequireWallet wallet={wallet} purpose="sign">
          <Button
            variant={variant}
            busy={signing.isPending || signing.isSuccess}
            onClick={() => signing.mutate()}
          >
            {signing.isPending ? "Sign in your wallet…" : label}
          </Button>
        </RequireWallet>
        {children}
      </div>
      <ErrorNotice error={signing.error} />
    </>
  );
}
