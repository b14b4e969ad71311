import { shortenHex } from "@/components/ui/format";
import type { NamedWallet } from "@/server/agents/schema";
import { UntrustedText } from "./untrusted-text";

/** Shows a party of a record by name or, if it isn't registered, by address. */
export function PartyName({ name, walletAddress }: NamedWallet) {
  return name === null ? shortenHex(walletAddress) : <UntrustedText>{name}</UntrustedText>;
}
