import { shortenHex } from "@/components/ui/format";
import type { NamedWallet } from "@/server/explorer/schema";
import { removeBidiControls } from "@/server/lib/bidi";

/**
 * Shows untrusted text inline in its own writing direction, without control characters that could
 * end the isolation. For plain strings use `isolateText`.
 */
export function UntrustedText({ children }: { children: string }) {
  return <bdi>{removeBidiControls(children)}</bdi>;
}

/** Shows a party of a record by name or, if it isn't registered, by address. */
export function PartyName({ name, walletAddress }: NamedWallet) {
  return name === null ? shortenHex(walletAddress) : <UntrustedText>{name}</UntrustedText>;
}
