import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Address } from "viem";
import { createSiweMessage } from "viem/siwe";
import { type Connector, useSignMessage } from "wagmi";
import { trpc } from "@/components/trpc";
import { describeError } from "./describe-error";

type SignInStep = "idle" | "signing" | "verifying";

/** Signs in with Ethereum (ERC-4361): nonce, wallet signature, session cookie. */
export function useSignIn(onSignedIn: () => void) {
  const [step, setStep] = useState<SignInStep>("idle");
  const [error, setError] = useState<string | null>(null);
  const cache = useQueryClient();
  const { mutateAsync: requestNonce } = trpc.agents.nonce.useMutation();
  const { mutateAsync: signMessage } = useSignMessage();
  const { mutateAsync: startSession } = trpc.agents.account.signIn.useMutation();

  async function signIn(address: Address, connector: Connector) {
    setError(null);
    setStep("signing");
    try {
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
      setStep("verifying");
      await startSession({ walletAddress: address, walletProof: { message, signature } });
      // Clears data that the previous session's owner may have loaded.
      cache.clear();
      onSignedIn();
    } catch (reason) {
      setError(describeError(reason));
      setStep("idle");
    }
  }
  return { signIn, step, error };
}
