import { UntrustedText } from "@/components/site/untrusted-text";
import { shortenHex } from "@/components/ui/format";

interface Props {
  wallet: string;
  /** Null or undefined if the wallet isn't registered. */
  name: string | null | undefined;
}

/** Names an agent without a link; shows the address of an unregistered wallet. */
export function AgentName({ wallet, name }: Props) {
  return (
    <span title={wallet} className="break-words">
      {name ? <UntrustedText>{name}</UntrustedText> : shortenHex(wallet)}
    </span>
  );
}
