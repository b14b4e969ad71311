import { shortenHex } from "@/components/ui/format";
import { isolateText } from "@/server/lib/bidi";
import { UntrustedText } from "./untrusted-text";

interface Props {
  walletAddress: string;
  name: string | null | undefined;
}

/** Shows a party of a record by name or, if it isn't registered, by address. */
export const PartyName = ({ name, walletAddress }: Props) =>
  name ? <UntrustedText>{name}</UntrustedText> : shortenHex(walletAddress);

/** Names a party of a record in plain text. */
export const nameParty = ({ name, walletAddress }: Props) =>
  isolateText(name ?? shortenHex(walletAddress));
