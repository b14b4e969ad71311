"use client";

import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { describeError } from "@/components/wallet/error-notice";

/** Ends this browser's session. The wallet stays connected. */
export function SignOutButton() {
  const signOut = trpc.agents.account.signOut.useMutation({
    // Forgets the owner's pages and data: they must not be read again, nor shown to the next owner.
    onSuccess: () => location.reload(),
  });
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Button small busy={signOut.isPending || signOut.isSuccess} onClick={() => signOut.mutate()}>
        Sign out
      </Button>
      {signOut.error && (
        <span role="alert" className="text-sm text-bad">
          {describeError(signOut.error)}
        </span>
      )}
    </span>
  );
}
