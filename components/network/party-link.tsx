import Link from "next/link";
import { UntrustedText } from "@/components/site/untrusted-text";
import { shortenHex } from "@/components/ui/format";
import type { NamedWallet } from "@/server/explorer/schema";
import { ABOVE } from "./row";

/** Links a party of a record to its page, by name or, if it isn't registered, by address. */
export function PartyLink({ party }: { party: NamedWallet }) {
  return (
    <Link
      href={`/agents/${party.walletAddress}`}
      title={party.walletAddress}
      prefetch={false}
      className={`${ABOVE} underline-offset-2 hover:underline`}
    >
      <PartyName {...party} />
    </Link>
  );
}

/** Shows a party by name or, if it isn't registered, by address. */
export function PartyName({ name, walletAddress }: NamedWallet) {
  return name === null ? shortenHex(walletAddress) : <UntrustedText>{name}</UntrustedText>;
}
