"use client";

import { trpc } from "@/components/trpc";
import { KEEPS_PAGE } from "@/components/wallet/wallet-shell";
import { ActionButton } from "./action-button";

/** Ends this browser's session. The wallet stays connected. */
export function SignOutButton() {
  const signOut = trpc.agents.account.signOut.useMutation({
    ...KEEPS_PAGE,
    // Forgets the owner's pages, data and drafts: they must not be read again, nor shown to the next owner.
    onSuccess: () => {
      sessionStorage.clear();
      location.reload();
    },
  });
  return (
    <ActionButton variant="text" run={() => signOut.mutateAsync()}>
      Sign out
    </ActionButton>
  );
}
