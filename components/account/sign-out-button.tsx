"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { describeError } from "@/components/wallet/error-notice";

/** Ends this browser's session. The wallet stays connected. */
export function SignOutButton() {
  const router = useRouter();
  const cache = useQueryClient();
  const signOut = trpc.agents.account.signOut.useMutation({
    onSuccess: () => {
      // The next owner must not see cached data.
      cache.clear();
      router.refresh();
    },
  });
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Button small busy={signOut.isPending} onClick={() => signOut.mutate()}>
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
