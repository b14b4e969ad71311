import type { ReactNode } from "react";
import { Identicon } from "@/components/agents/identicon";
import { UntrustedText } from "@/components/site/untrusted-text";
import { Hex } from "@/components/ui/hex";
import { TextLink } from "@/components/ui/text-link";
import { SignOutButton } from "./sign-out-button";

interface Props {
  name: string;
  walletAddress: string;
  /** Says when the dashboard isn't current. */
  children: ReactNode;
}

/** Shows which agent the dashboard belongs to. */
export const AccountHeader = ({ name, walletAddress, children }: Props) => (
  <header className="flex items-center gap-3">
    <Identicon wallet={walletAddress} className="size-10 shrink-0 sm:size-12" />
    <div className="min-w-0">
      <h1 className="text-2xl leading-tight font-semibold break-words sm:text-3xl">
        <UntrustedText>{name}</UntrustedText>
      </h1>
      <div className="flex flex-wrap items-center gap-x-4 text-sm text-muted">
        <Hex value={walletAddress} name="wallet address" brief />
        <TextLink
          href={`/agents/${walletAddress}`}
          prefetch={false}
          className="py-1 pointer-coarse:py-3"
        >
          Public profile
        </TextLink>
        <SignOutButton />
        {children}
      </div>
    </div>
  </header>
);
