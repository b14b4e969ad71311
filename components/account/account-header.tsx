import type { ReactNode } from "react";
import { VerifiedMark } from "@/components/agents/agent-marks";
import { Identicon } from "@/components/agents/identicon";
import { UntrustedText } from "@/components/site/untrusted-text";
import { Hex } from "@/components/ui/hex";
import { TextLink } from "@/components/ui/text-link";
import { SignOutButton } from "./sign-out-button";

interface Props {
  name: string;
  walletAddress: string;
  /** Says whether the dashboard is current. */
  children: ReactNode;
}

/** Shows which agent the dashboard belongs to. */
export function AccountHeader({ name, walletAddress, children }: Props) {
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
      {/* Before the heading: the dashboard follows that. */}
      <div className="order-last flex items-center gap-4">
        {children}
        <TextLink href={`/agents/${walletAddress}`} prefetch={false} className="py-1 text-sm">
          Public profile
        </TextLink>
        <SignOutButton />
      </div>
      <div className="flex min-w-0 items-center gap-3">
        <Identicon wallet={walletAddress} className="size-10 shrink-0 sm:size-12" />
        <div className="min-w-0">
          <h1 className="text-2xl leading-tight font-semibold break-words sm:text-3xl">
            <UntrustedText>{name}</UntrustedText>
          </h1>
          <p className="mt-0.5 flex flex-wrap items-center gap-x-3">
            <Hex value={walletAddress} name="wallet address" brief />
            <VerifiedMark verified />
          </p>
        </div>
      </div>
    </header>
  );
}
