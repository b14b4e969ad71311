"use client";

import { trpc } from "@/components/trpc";
import { KEEPS_PAGE } from "@/components/wallet/wallet-shell";
import { ActionButton } from "./action-button";

/** Ends this browser's session. The wallet stays connected. */
export function SignOutButton() {
  const signOut = trpc.agents.account.signOut.useMutation({
    ...KEEPS_PAGE,
    // Forgets the owner's pages and data: they must not be read again, nor shown to the next owner.
    onSuccess: () => location.reload(),
  });
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <ActionButton small run={() => signOut.mutateAsync()}>
        Sign out
      </ActionButton>
    </span>
  );
}
