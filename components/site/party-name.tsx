import { shortenHex } from "@/components/ui/format";
import { UntrustedText } from "./untrusted-text";

interface Props {
  walletAddress: string;
  name: string | null | undefined;
}

/** Shows a party of a record by name or, if it isn't registered, by address. */
export const PartyName = ({ name, walletAddress }: Props) =>
  name ? <UntrustedText>{name}</UntrustedText> : shortenHex(walletAddress);
