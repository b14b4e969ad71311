import Link from "next/link";
import { UntrustedText } from "@/components/site/untrusted-text";
import { shortenHex } from "@/components/ui/format";
import type { NamedWallet } from "@/server/explorer/schema";
import { ABOVE } from "./row";

/** Links a party of a record to its page, by name or, if it isn't registered, by address. */
export function PartyLink({ party: { walletAddress, name } }: { party: NamedWallet }) {
  return (
    <Link
      href={`/agents/${walletAddress}`}
      title={walletAddress}
      prefetch={false}
      className={`${ABOVE} underline-offset-2 hover:underline`}
    >
      {name === null ? shortenHex(walletAddress) : <UntrustedText>{name}</UntrustedText>}
    </Link>
  );
}
