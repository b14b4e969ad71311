import { UntrustedText } from "@/components/site/untrusted-text";
import { shortenHex } from "@/components/ui/format";
import { Link } from "@/components/ui/link";

interface Props {
  wallet: string;
  /** Null or undefined if the wallet isn't registered. */
  name: string | null | undefined;
  className?: string;
}

/** Links to the page of a wallet by its name, or by its address if it isn't registered. */
export function AgentLink({ wallet, name, className = "" }: Props) {
  return (
    <Link
      href={`/agents/${wallet}`}
      title={name ? wallet : `${wallet}, not registered`}
      className={`underline decoration-line hover:decoration-ink ${className}`}
    >
      {name ? <UntrustedText>{name}</UntrustedText> : shortenHex(wallet)}
    </Link>
  );
}

interface AgentNameProps {
  wallet: string;
  /** Null or undefined if the wallet isn't registered. */
  name: string | null | undefined;
}

/** Names an agent without a link; shows the address of an unregistered wallet. */
export function AgentName({ wallet, name }: AgentNameProps) {
  return (
    <span title={wallet} className="break-words">
      {name ? <UntrustedText>{name}</UntrustedText> : shortenHex(wallet)}
    </span>
  );
}
